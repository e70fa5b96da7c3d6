/*
 * Generates docs/reference/ from the program, and lists the manual pages in package.json, because
 * npm installs only those. With --man, it generates these pages, before npm packs them.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runnerImport } from 'vite';

const root = join(import.meta.dirname, '..');
const { module } = await runnerImport(join(root, 'build/docs/pages.ts'), {
  root,
  configFile: false,
});

const isMan = process.argv.includes('--man');
const directory = isMan ? 'man' : 'docs/reference';
for (const [path, text] of Object.entries(module.pages)) {
  if (!path.startsWith(directory)) continue;
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

// Only this option renews the names, which differ between versions of Node.
if (process.argv.includes('--countries')) {
  const write = (/** @type {string} */ path, /** @type {object} */ names, indent = 0) =>
    writeFileSync(join(root, path), `${JSON.stringify(names, undefined, indent)}\n`);
  write('src/client/registration/country-words.json', module.collectCountryWords());
  write('src/display/terminal/region-names.json', module.collectRegionNames(), 2);
}

// A newer package.json would make the build stale while npm packs it.
if (!isMan) {
  const manifest = join(root, 'package.json');
  const man = Object.keys(module.pages).filter((path) => path.startsWith('man/'));
  const listed = { ...JSON.parse(readFileSync(manifest, 'utf8')), man: man.sort() };
  writeFileSync(manifest, `${JSON.stringify(listed, undefined, 2)}\n`);
}
