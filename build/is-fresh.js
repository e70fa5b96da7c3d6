/*
 * Exits with 0 if dist/ is newer than its sources, otherwise with 1, so that `npm test` builds only
 * after a change.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/**
 * Returns the time of the last change below a path, in milliseconds. The times of directories
 * include removed files.
 *
 * @param {string} path
 * @returns {number}
 */
function changedMs(path) {
  const stats = statSync(path);
  const inside = stats.isDirectory()
    ? readdirSync(path).map((name) => changedMs(join(path, name)))
    : [];
  return Math.max(stats.mtimeMs, ...inside);
}

const settings = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];
const sources = ['src', 'build', ...settings];
const built = ['dist/main.cjs', 'dist/index.js', 'dist/prerendered.json', 'dist/types/index.d.ts'];
const isBuilt = built.every((path) => existsSync(join(root, path)));
// The build sets this time to its start, because a source may change while it runs.
const builtMs = isBuilt ? statSync(join(root, 'dist/prerendered.json')).mtimeMs : 0;
process.exitCode = sources.every((path) => changedMs(join(root, path)) < builtMs) ? 0 : 1;
