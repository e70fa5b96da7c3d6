/*
 * The image without Docker: the Dockerfile, the files that the build may read, and the files of
 * the last stage, run by another user in a read-only directory.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseDocument } from 'yaml';
import { readText, root } from '../support/documents.ts';
import { isOpenToOthers, node } from '../support/executable.ts';
import { newFolder } from '../support/run.ts';
import { understands } from '../support/understands.ts';

const linesOf = (path: string) =>
  readText(path)
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
const instructions = linesOf('Dockerfile');
const lastStage = instructions.slice(instructions.findLastIndex((line) => /^FROM /.test(line)));
const valuesOf = (name: string, lines: readonly string[]) =>
  lines.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
const copied = valuesOf('COPY', lastStage);

/* Copies what the last stage copies from the build in a directory. */
function copyFiles(folder: string, image: string): void {
  const lines = copied
    .map((text) => text.split(' ').slice(1))
    .filter(([source]) => source?.startsWith('/src/'))
    .map((words) => {
      const target = join(image, words.at(-1) ?? '');
      const sources = words.slice(0, -1).map((word) => join(folder, word.replace('/src', '')));
      const directory = target.endsWith('/') ? target : dirname(target);
      return `mkdir -p ${directory} && cp -r ${sources.join(' ')} ${target}`;
    });
  const { status, stderr } = spawnSync('sh', ['-ec', lines.join('\n')], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
}

describe('the image', () => {
  it('has pinned base images, runs no script of a dependency and ends as a numeric user', () => {
    const [ofNode, base, ...stages] = valuesOf('FROM', instructions);
    // Dependabot updates no image that an argument names.
    expect(ofNode).toMatch(/^node:24-[\w.-]+@sha256:[0-9a-f]{64} AS node$/);
    expect(base).toMatch(/^debian:[\w.-]+@sha256:[0-9a-f]{64} AS base$/);
    expect(stages).toEqual(['node AS build', 'base']);
    expect(valuesOf('RUN', instructions)[0]).toMatch(/^npm ci --ignore-scripts /);
    expect(instructions.join('\n')).not.toMatch(/^ADD |curl|wget|--mount=type=secret/m);
    expect(valuesOf('ENTRYPOINT', lastStage)).toEqual(['["carbon"]']);
    // The first run of carbon proves the libraries of the base, as the user of the image.
    expect(lastStage.join('\n')).toMatch(/^USER 65532:65532\nRUN \["carbon", "--version"\]/m);
    expect(copied.filter((text) => !text.startsWith('--from=build '))).toEqual([]);
    expect(copied.join('\n')).not.toMatch(/node_modules|npm|\/src\/src/);
  });

  it.skipIf(process.env['CARBON_TEST_NODE'])(
    'is built from the files that .dockerignore allows',
    { tags: ['long'], timeout: 400_000 },
    () => {
      const [all, ...allowed] = linesOf('.dockerignore');
      expect(all).toBe('*');
      const folder = newFolder();
      for (const line of allowed) {
        expect(line).toMatch(/^!/);
        cpSync(join(root, line.slice(1)), join(folder, line.slice(1)), { recursive: true });
      }
      symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
      const built = spawnSync(node, ['build/build.js'], { cwd: folder, encoding: 'utf8' });
      expect(built).toMatchObject({ status: 0, stderr: '' });
      copyFiles(folder, newFolder());
    },
  );

  it('runs a batch as another user without HOME and without a writable directory but /data', {
    tags: ['long'],
  }, () => {
    const image = newFolder();
    copyFiles(root, image);
    onTestFinished(() => void spawnSync('chmod', ['-R', 'u+w', image]));
    spawnSync('chmod', ['-R', 'a-w,a+rX', image]);
    const data = newFolder();
    chmodSync(data, 0o777);
    // Without root, the user stays the same and needs another directory for the sandbox.
    const isOther = process.getuid?.() === 0 && isOpenToOthers();
    const words = ['batch', '-', '--keep', '.', '--sandbox', '--json'];
    const { status, stdout, stderr } = spawnSync(
      node,
      [join(image, 'opt/carbon/bin/carbon.cjs'), ...words],
      {
        cwd: data,
        env: { TMPDIR: data, ...(isOther ? {} : { CARBON_DATA_DIR: data }) },
        input: 'name,country\nAcme,Deutschland\n',
        encoding: 'utf8',
        ...(isOther ? { uid: 65532, gid: 65532 } : {}),
      },
    );
    expect([status, stderr]).toEqual([0, expect.stringContaining('"registered":1')]);
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, id: 1 });
    if (isOther) expect(stderr).toContain('The home directory is missing');
    expect(existsSync(join(data, 'stdin.sandbox.carbon.jsonl'))).toBe(true);
  });
});

describe('compose.yaml', () => {
  const compose = parseDocument(readText('compose.yaml'), { strict: true, uniqueKeys: true });

  it('runs a command line of carbon with the key in a file, and writes only in /data and /tmp', async () => {
    expect([...compose.errors, ...compose.warnings]).toEqual([]);
    const { services, secrets } = compose.toJS();
    const { carbon } = services;
    expect(await understands(`carbon ${carbon.command.join(' ')}`)).toBe(true);
    expect(carbon.command.join(' ')).toContain('--invalid skip');
    expect(Object.keys(secrets)).toEqual(carbon.secrets);
    expect(carbon.environment.CARBON_API_KEY_FILE).toBe(`/run/secrets/${carbon.secrets[0]}`);
    expect(carbon).toMatchObject({
      read_only: true,
      tmpfs: ['/tmp'],
      cap_drop: ['ALL'],
      volumes: ['./data:/data'],
    });
  });
});
