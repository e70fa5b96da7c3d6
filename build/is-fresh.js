/*
 * Exits with 0 when dist/ is newer than everything it is made of, so that `npm ci && npm test`
 * builds once: npm ci has built already.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/**
 * Returns when something below a path changed last. The time of a directory tells of files that
 * were removed.
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

const sources = [
  'src',
  'build',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
];
const built = ['dist/main.cjs', 'dist/index.js', 'dist/answers.json', 'dist/types/index.d.ts'];
const isBuilt = built.every((path) => existsSync(join(root, path)));
// The build sets this time to its own start: a file may change while it runs.
const builtMs = isBuilt ? statSync(join(root, 'dist/answers.json')).mtimeMs : 0;
process.exitCode = sources.every((path) => changedMs(join(root, path)) < builtMs) ? 0 : 1;
