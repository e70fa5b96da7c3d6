/*
 * Writes SHA256SUMS for the files of a release: node build/checksums.js <directory>
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'));

/** The names of all executables. */
export const executables = [
  'darwin-arm64',
  'darwin-x64',
  'linux-arm64',
  'linux-x64',
  'win32-x64.exe',
].map((target) => `carbon-${version}-${target}`);

/**
 * Writes the checksums next to the files, which include every executable.
 *
 * @param {string} directory
 */
export function writeChecksums(directory) {
  const files = readdirSync(directory).filter((file) => file.startsWith('carbon-'));
  const missing = executables.filter((file) => !files.includes(file));
  if (missing.length > 0) throw new Error(`missing: ${missing.join(', ')}`);
  const lines = files.sort().map((file) => {
    const digest = createHash('sha256').update(readFileSync(join(directory, file)));
    return `${digest.digest('hex')}  ${file}\n`;
  });
  writeFileSync(join(directory, 'SHA256SUMS'), lines.join(''));
}

const [, script = '', directory] = process.argv;
if (resolve(script) === import.meta.filename) {
  if (directory === undefined) throw new Error('usage: node build/checksums.js <directory>');
  writeChecksums(directory);
}
