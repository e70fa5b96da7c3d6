/*
 * What a release tells package managers and the registry of MCP servers. The schemas hold what
 * theirs require and limit; other members are errors.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { executables, manifests, mcpBundle, writeManifests } from '../../build/manifests.js';
import packageJson from '../../package.json' with { type: 'json' };
import { readText } from '../support/documents.ts';
import { newFolder } from '../support/run.ts';

const { version } = packageJson;
const files = [...executables, mcpBundle];
const digests = Object.fromEntries(files.map((file, index) => [file, `${index + 1}`.repeat(64)]));
const written = manifests(digests);
const text = (path: string) => written[path] ?? '';
const urlOf = (file: string) =>
  `${packageJson.homepage.replace('#readme', '')}/releases/download/v${version}/${file}`;

const url = z.url({ protocol: /^https$/ });
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

describe('the manifest of Scoop', () => {
  it('meets the schema', () => {
    const scoop = z.strictObject({
      version: z.string().regex(/^[\w.+-]+$/),
      description: z.string(),
      homepage: url,
      license: z.literal('MIT'),
      architecture: z.strictObject({ '64bit': z.strictObject({ url, hash: sha256 }) }),
      bin: z.string(),
    });
    const manifest = scoop.parse(JSON.parse(text('scoop/carbon.json')));
    const file = `carbon-${version}-win32-x64.exe`;
    expect(manifest.architecture['64bit']).toEqual({
      url: `${urlOf(file)}#/carbon.exe`,
      hash: digests[file],
    });
  });
});

describe('the manifests of winget', () => {
  const id = z.string().regex(/^[^.\s\\/:*?"<>|]{1,32}(\.[^.\s\\/:*?"<>|]{1,32}){1,7}$/);
  const locale = z.string().regex(/^[a-z]{2}-[A-Z]{2}$/);
  const schemas = {
    version: { DefaultLocale: locale },
    installer: {
      InstallerType: z.literal('portable'),
      Commands: z.array(z.string().min(1).max(40)).max(16),
      Installers: z
        .array(
          z.strictObject({
            Architecture: z.enum(['x86', 'x64', 'arm', 'arm64', 'neutral']),
            InstallerUrl: url.max(2048),
            InstallerSha256: z.string().regex(/^[A-F0-9]{64}$/),
          }),
        )
        .min(1),
    },
    defaultLocale: {
      PackageLocale: locale,
      Publisher: z.string().min(2).max(256),
      PublisherUrl: url,
      PackageName: z.string().min(2).max(256),
      PackageUrl: url,
      License: z.string().min(3).max(512),
      ShortDescription: z.string().min(3).max(256),
    },
  };
  const paths = Object.keys(written).filter((path) => path.startsWith('winget/'));

  it.each(paths)('%s meets the schema that it names', (path) => {
    const [, type = '', schemaVersion] =
      /winget-manifest\.(\w+)\.([\d.]+)\.schema\.json\n/.exec(text(path)) ?? [];
    expect(Object.keys(schemas)).toContain(type);
    const schema = z.strictObject({
      PackageIdentifier: id,
      PackageVersion: z.literal(version),
      ManifestType: z.literal(type),
      ManifestVersion: z.literal(schemaVersion),
      ...schemas[type as keyof typeof schemas],
    });
    expect(schema.safeParse(parse(text(path))).error).toBeUndefined();
  });

  it('are the three files of a package, named by its identifier', () => {
    const { PackageIdentifier: name, DefaultLocale: language } = parse(text(paths[0] ?? ''));
    expect(paths).toEqual(
      ['', '.installer', `.locale.${language}`].map((suffix) => `winget/${name}${suffix}.yaml`),
    );
  });
});

describe('the formula of Homebrew', () => {
  const formula = text('homebrew/carbon.rb');

  it('has a description that brew audit accepts', () => {
    const [, description = ''] = /^ {2}desc "(.*)"$/m.exec(formula) ?? [];
    expect(description.length).toBeGreaterThan(0);
    expect(description.length).toBeLessThanOrEqual(80);
    expect(description).not.toMatch(/^(an?|the|carbon)\b|\.$|[\\"#]/i);
  });

  it('has one download with its own digest for each processor of macOS and Linux', () => {
    const sources = [...formula.matchAll(/url "(.*)"\n +sha256 "(.*)"/g)].map(
      ([, ...pair]) => pair,
    );
    const expected = executables.filter((file) => !file.endsWith('.exe'));
    expect(expected).toHaveLength(4);
    expect(sources).toEqual(expected.map((file) => [urlOf(file), digests[file]]));
  });

  it('closes every block', () => {
    const opened = formula.match(/^ *(class|def) |\bdo$/gm) ?? [];
    expect(formula.match(/^ *end$/gm)).toHaveLength(opened.length);
  });

  const hasRuby = spawnSync('ruby', ['--version']).status === 0;
  it.skipIf(!hasRuby)('is valid Ruby (skipped without ruby)', () => {
    const { status, stderr } = spawnSync('ruby', ['-c'], { input: formula, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  });
});

describe('server.json', () => {
  const transport = z.strictObject({ type: z.literal('stdio') });
  const input = {
    description: z.string().optional(),
    format: z.enum(['string', 'number', 'boolean', 'filepath']).optional(),
    isRequired: z.boolean().optional(),
    isSecret: z.boolean().optional(),
    value: z.string().optional(),
  };
  const schema = z.strictObject({
    $schema: z.literal(
      'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    ),
    name: z
      .string()
      .max(200)
      .regex(/^io\.github\.[a-zA-Z0-9-]+\/[a-zA-Z0-9._-]+$/),
    title: z.string().min(1).max(100),
    description: z.string().min(1).max(100),
    version: z.string().max(255),
    websiteUrl: url,
    repository: z.strictObject({ url, source: z.literal('github') }),
    packages: z.tuple([
      z.strictObject({
        registryType: z.literal('npm'),
        registryBaseUrl: z.literal('https://registry.npmjs.org'),
        identifier: z.literal(packageJson.name),
        version: z.literal(version),
        runtimeHint: z.literal('npx'),
        transport,
        packageArguments: z.array(
          z.discriminatedUnion('type', [
            z.strictObject({ type: z.literal('positional'), ...input, value: z.string() }),
            z.strictObject({ type: z.literal('named'), name: z.string(), ...input }),
          ]),
        ),
        environmentVariables: z.array(z.strictObject({ name: z.string(), ...input })),
      }),
      z.strictObject({
        registryType: z.literal('mcpb'),
        // The registry accepts only an address that contains mcp.
        identifier: url.regex(/mcp/),
        fileSha256: sha256,
        transport,
      }),
    ]),
  });
  const entry = schema.parse(JSON.parse(text('server.json')));

  it('has the name by which npm proves who owns the package', () => {
    expect(entry.name).toBe(packageJson.mcpName);
    expect(entry.repository.url).toContain(`/${entry.name.split(/[./]/)[2]}/`);
  });

  it('names settings and options that carbon has, and keeps the key secret', () => {
    const [npm, bundle] = entry.packages;
    const settings = readText('docs/reference/environment.md');
    for (const { name } of npm.environmentVariables) expect(settings).toContain(`\`${name}\``);
    const secrets = npm.environmentVariables.filter(({ isSecret }) => isSecret);
    expect(secrets.map(({ name }) => name)).toEqual(['CARBON_API_KEY']);
    expect(npm.packageArguments).toMatchObject([{ value: 'mcp' }, { name: '--root' }]);
    expect(bundle.identifier).toBe(urlOf(mcpBundle));
    expect(bundle.fileSha256).toBe(digests[mcpBundle]);
  });
});

describe('the files of a release', () => {
  it('have checksums, and a missing file ends the release', () => {
    const folder = newFolder();
    const [missing = '', ...others] = files;
    for (const file of others) writeFileSync(join(folder, file), file);
    mkdirSync(join(folder, 'other'));
    expect(() => writeManifests(folder, { isComplete: true })).toThrow(`missing: ${missing}`);
    writeFileSync(join(folder, missing), missing);
    expect(writeManifests(folder, { isComplete: true })).toContain('SHA256SUMS');
    const sums = readFileSync(join(folder, 'SHA256SUMS'), 'utf8');
    expect(sums).toBe(
      [...files]
        .sort()
        .map((file) => `${createHash('sha256').update(file).digest('hex')}  ${file}\n`)
        .join(''),
    );
    expect(readFileSync(join(folder, 'server.json'), 'utf8')).not.toContain('0'.repeat(64));
  });

  it('without a digest are rejected by package managers', () => {
    expect(manifests({})['scoop/carbon.json']).toContain(`"${'0'.repeat(64)}"`);
  });
});
