import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Ajv } from 'ajv';
import { expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import lock from '../../package-lock.json' with { type: 'json' };

interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
}

const sha512 = (hex = '') => `sha512-${Buffer.from(hex, 'hex').toString('base64')}`;
const root = join(import.meta.dirname, '../..');
const locked = Object.entries(lock.packages as Record<string, Locked>).filter(
  ([path]) => path !== '',
);

const registry = 'https://registry.npmjs.org/';

/* Licenses that allow distribution with a notice. */
const licenses = 'MIT|ISC|BSD-2-Clause|BSD-3-Clause|Apache-2.0|0BSD|BlueOak-1.0.0'.split('|');

it('package-lock.json locks every package by its hash, from the npm registry, with a permissive license', () => {
  const problems = locked.filter(([, { integrity = '', resolved = registry, license, dev }]) => {
    // Only tools have MPL 2.0.
    const allowed = dev === true ? [...licenses, 'MPL-2.0'] : licenses;
    const isPermitted = (license ?? '')
      .replace(/[()]/g, '')
      .split(' OR ')
      .some((choice) => choice.split(' AND ').every((each) => allowed.includes(each)));
    return !integrity.startsWith('sha512-') || !resolved.startsWith(registry) || !isPermitted;
  });
  expect(problems).toEqual([]);
});

it('the package installs one dependency, and docs/dev/decisions explains each direct one', () => {
  expect(Object.keys(packageJson.dependencies)).toEqual(['zod']);
  expect(locked.filter(([, { dev }]) => dev !== true).length).toBe(1);
  const decisions = join(root, 'docs/dev/decisions');
  const reasons = readdirSync(decisions)
    .map((name) => readFileSync(join(decisions, name), 'utf8'))
    .join('\n');
  const direct = Object.keys({ ...packageJson.dependencies, ...packageJson.devDependencies });
  const named = (name: string) => reasons.includes(name.replace(/^@[^/]+\//, ''));
  expect(direct.filter((name) => !named(name) && name !== '@types/node')).toEqual([]);
});

it('package.json has no installation script but prepack, which runs in a clone', () => {
  const scripts = Object.keys(packageJson.scripts).filter((name) =>
    /^(pre|post)?(install|pack|publish|prepare)/.test(name),
  );
  expect(scripts).toEqual(['prepack']);
  expect(
    locked.filter(([, { hasInstallScript, dev }]) => hasInstallScript && dev !== true),
  ).toEqual([]);
});

it('the bill of materials meets the schema of CycloneDX', { tags: ['long'] }, () => {
  const library = createRequire(import.meta.url).resolve(
    '@cyclonedx/cyclonedx-library/package.json',
  );
  const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
  const schema = (name: string) =>
    read(join(dirname(library), `res/schema/${name}.SNAPSHOT.schema.json`));
  const ajv = new Ajv({ strict: false, validateFormats: false });
  for (const name of ['spdx', 'jsf-0.82', 'cryptography-defs'])
    ajv.addSchema(schema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
  const validate = ajv.compile(schema('bom-1.6'));
  const bill = read(join(root, 'dist/sbom.cdx.json'));
  validate(bill);
  expect(validate.errors).toBeNull();
  expect(validate({ ...bill, components: [{ name: 'undici' }] })).toBe(false);
});

it('the bill of materials lists what the bundle contains, as locked, and each has its notice', () => {
  const read = (file: string) => readFileSync(join(root, 'dist', file), 'utf8');
  const { components } = JSON.parse(read('sbom.cdx.json')) as {
    components: { name: string; version: string; hashes: { content: string }[] }[];
  };
  const names = components.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining(['commander', 'undici', 'zod', 'chalk', 'conf', 'ora']),
  );
  const unlocked = components.filter(
    ({ name, version, hashes }) =>
      !locked.some(
        ([path, entry]) =>
          path.endsWith(`node_modules/${name}`) &&
          entry.version === version &&
          entry.integrity === sha512(hashes[0]?.content),
      ),
  );
  expect(unlocked).toEqual([]);
  const titles = components.map(({ name, version }) => `${name} ${version} (`);
  const text = read('THIRD-PARTY-NOTICES.txt');
  const notices = text.split(`\n${'-'.repeat(80)}\n\n`);
  expect(notices.pop()).toContain('UNICODE LICENSE V3');
  expect(text).toContain('Copyright Fedor Indutny');
  expect(text).toContain('The ISC License\n\nCopyright (c) Contributors');
  expect(notices.map((notice) => titles.filter((title) => notice.startsWith(title)))).toEqual(
    titles.map((title) => [title]),
  );
});
