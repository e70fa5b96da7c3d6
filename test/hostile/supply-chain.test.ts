import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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

const root = join(import.meta.dirname, '../..');
const locked = Object.entries(lock.packages as Record<string, Locked>).filter(
  ([path]) => path !== '',
);

/* Permissive ones: what is bundled may be passed on with its notice. */
const licences = [
  'MIT',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  '0BSD',
  'BlueOak-1.0.0',
  'MPL-2.0',
];

it('locks every package by its integrity, from the registry alone', () => {
  const loose = locked.filter(
    ([, { integrity, resolved }]) =>
      !/^sha512-/.test(integrity ?? '') ||
      !/^https:\/\/registry\.npmjs\.org\//.test(resolved ?? 'https://registry.npmjs.org/'),
  );
  expect(loose).toEqual([]);
});

it('has packages of permissive licences only; MPL 2.0 only among the tools', () => {
  const odd = locked.filter(([, { license = '', dev }]) => {
    const choices = license.replace(/[()]/g, '').split(' OR ');
    const mayBe = dev === true ? [...licences, 'MPL-2.0'] : licences;
    return !choices.some((choice) => choice.split(' AND ').every((one) => mayBe.includes(one)));
  });
  expect(odd.map(([path, { license }]) => `${path}: ${license}`)).toEqual([]);
});

it('installs two packages with the library, and says why each direct dependency is there', () => {
  expect(Object.keys(packageJson.dependencies)).toEqual(['undici', 'zod']);
  expect(locked.filter(([, { dev }]) => dev !== true).length).toBe(2);
  const decisions = join(root, 'docs/dev/decisions');
  const reasons = readdirSync(decisions)
    .map((name) => readFileSync(join(decisions, name), 'utf8'))
    .join('\n');
  const direct = Object.keys({ ...packageJson.dependencies, ...packageJson.devDependencies });
  const named = (name: string) => reasons.includes(name.replace(/^@[^/]+\//, ''));
  expect(direct.filter((name) => !named(name) && name !== '@types/node')).toEqual([]);
});

it('runs nothing at installation but prepare, in a clone', () => {
  const scripts = Object.keys(packageJson.scripts).filter((name) =>
    /^(pre|post)?(install|pack|publish|prepare)/.test(name),
  );
  expect(scripts).toEqual(['prepare']);
  expect(
    locked.filter(([, { hasInstallScript, dev }]) => hasInstallScript && dev !== true),
  ).toEqual([]);
});

it('has every bundled licence in its notices', () => {
  const notices = readFileSync(join(root, 'dist/THIRD-PARTY-NOTICES.txt'), 'utf8');
  for (const name of ['commander', 'undici', 'zod', 'chalk', 'conf', 'ora', 'csv-parse']) {
    expect(notices).toContain(`${name} `);
  }
});

it('has a threat model that says what is not promised, and is linked', () => {
  const text = readFileSync(join(root, 'SECURITY.md'), 'utf8');
  for (const title of [
    'How to report',
    'Who may attack, and what we promise',
    'What is not promised',
  ]) {
    expect(text).toContain(`## ${title}`);
  }
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain('SECURITY.md');
  expect(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')).toContain('SECURITY.md');
  expect(
    existsSync(join(root, 'test/hostile')) && readdirSync(join(root, 'test/hostile')).length,
  ).toBeGreaterThan(6);
});
