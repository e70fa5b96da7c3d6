/* Prints the section of this version in CHANGELOG.md: the notes of its release. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = join(import.meta.dirname, '..');

/**
 * Returns the section of this version, without its heading.
 *
 * @returns {string}
 */
export function releaseNotes() {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const [, ...sections] = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split(/^## /m);
  const section = sections.find((text) => text.split(/\s/, 1)[0] === version);
  if (section === undefined) throw new Error(`CHANGELOG.md has no section ${version}`);
  if (sections[0] !== section) throw new Error(`${version} is not the first section`);
  return section.slice(section.indexOf('\n')).trim();
}

if (resolve(process.argv[1] ?? '') === import.meta.filename)
  process.stdout.write(`${releaseNotes()}\n`);
