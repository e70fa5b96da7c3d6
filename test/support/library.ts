/* The library as users get it: packed by npm, unpacked, and loaded by its name. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inject } from 'vitest';
import { root } from './documents.ts';
import { checkBuild, isSource } from './program.ts';

/** What the library exports. */
export type Library = typeof import('../../src/index.ts');

/**
 * Packs carbon unless another worker already has, and returns a project that has installed it. The
 * libraries that it depends on are those of this checkout.
 */
export function installLibrary(): string {
  checkBuild();
  const shared = join(inject('runFolder'), 'project');
  if (existsSync(shared)) return shared;
  const own = mkdtempSync(join(inject('runFolder'), 'packing-'));
  const words = ['pack', '--ignore-scripts', '--silent', '--pack-destination', own];
  const name = execFileSync('npm', words, { cwd: root, encoding: 'utf8' }).trim();
  const packages = join(own, 'project/node_modules');
  mkdirSync(packages, { recursive: true });
  execFileSync('tar', ['-xzf', join(own, name), '-C', packages]);
  renameSync(join(packages, 'package'), join(packages, 'carbon-data'));
  for (const dependency of ['zod', '@types', 'undici-types'])
    symlinkSync(join(root, 'node_modules', dependency), join(packages, dependency));
  writeFileSync(join(own, 'project/import.mjs'), "export * from 'carbon-data';\n");
  writeFileSync(join(own, 'project/require.cjs'), "module.exports = require('carbon-data');\n");
  try {
    renameSync(join(own, 'project'), shared);
  } catch {
    // Another worker was faster.
  }
  return shared;
}

type Loaded = readonly [form: 'import' | 'require', Library];

/** Loads the library of the package in both module forms. */
export async function loadLibrary(): Promise<readonly [Loaded, Loaded]> {
  if (isSource) {
    const library = await import('../../src/index.ts');
    return [
      ['import', library],
      ['require', library],
    ];
  }
  const project = installLibrary();
  const imported = await import(/* @vite-ignore */ pathToFileURL(join(project, 'import.mjs')).href);
  const required = createRequire(join(project, 'x.cjs'))('./require.cjs');
  return [
    ['import', imported],
    ['require', required],
  ];
}
