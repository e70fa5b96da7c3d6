/*
 * Generates docs/reference/ from the program, and lists the manual pages in package.json, because
 * npm installs only those. With --man, it generates these pages, before npm packs them.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runnerImport } from 'vite';

const root = join(import.meta.dirname, '..');
const { module } = await runnerImport(join(root, 'build/docs/pages.ts'), {
  root,
  configFile: false,
});

const isMan = process.argv.includes('--man');
const directory = isMan ? 'man' : 'docs/reference';
/**
 * Writes a file that has changed: a new time of package.json makes the build stale.
 *
 * @param {string} path
 * @param {string} text
 */
function update(path, text) {
  const file = join(root, path);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

for (const [path, text] of Object.entries(module.pages))
  if (path.startsWith(directory)) update(path, text);

// Only this option renews the names, which differ between versions of Node.
if (process.argv.includes('--countries')) {
  const write = (/** @type {string} */ path, /** @type {object} */ names, indent = 0) =>
    update(path, `${JSON.stringify(names, undefined, indent)}\n`);
  write('src/client/registration/country-words.json', module.collectCountryWords());
  write('src/display/terminal/region-names.json', module.collectRegionNames(), 2);
}

// A newer package.json would make the build stale while npm packs it.
if (!isMan) {
  const man = Object.keys(module.pages).filter((path) => path.startsWith('man/'));
  const listed = {
    ...JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')),
    man: man.sort(),
  };
  update('package.json', `${JSON.stringify(listed, undefined, 2)}\n`);
}
