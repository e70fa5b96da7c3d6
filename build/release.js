/*
 * Checks that this commit can be released, and tags it: pushing the tag publishes.
 *
 *     npm run release -- --dry-run    checks everything and tags nothing
 *
 * Every check runs, so that one run names all that is missing. Exit code 1 if any failed.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { releaseNotes } from './release-notes.js';

const root = join(import.meta.dirname, '..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const isDryRun = process.argv.includes('--dry-run');
let failed = 0;

/** @param {string[]} words */
const git = (...words) => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim();

/**
 * Runs one check, and goes on after a failure.
 *
 * @param {string} title
 * @param {() => void} work
 */
function check(title, work) {
  try {
    work();
    process.stdout.write(`ok      ${title}\n`);
  } catch (error) {
    process.stdout.write(`FAILED  ${title}: ${error instanceof Error ? error.message : error}\n`);
    failed += 1;
  }
}

check('the tree is clean', () => {
  const changed = git('status', '--porcelain');
  if (changed !== '') throw new Error(`uncommitted changes:\n${changed}`);
});
check('the changelog describes this version', releaseNotes);
check('no placeholder is left', () => {
  const words = ['grep', '-l', '-I', 'example-org', '--', '.', ':!build', ':!test'];
  // git grep exits with 1 if it finds nothing.
  const { stdout, status } = spawnSync('git', words, { cwd: root, encoding: 'utf8' });
  const files = stdout.trim().replaceAll('\n', ', ');
  if (status !== 1)
    throw new Error(`replace example-org by the owner of the repository in ${files}`);
});
check('the tag is free', () => {
  if (git('tag', '--list', `v${version}`) !== '') throw new Error(`v${version} exists`);
});
check('.ci/run', () => {
  const { status } = spawnSync('bash', ['.ci/run'], { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new Error(`exit code ${status}`);
});

if (failed > 0) process.exitCode = 1;
else if (!isDryRun) {
  git('tag', '--annotate', `v${version}`, '--message', releaseNotes());
  process.stdout.write(`\nTagged v${version}. To publish: git push origin v${version}\n`);
}
