/*
 * Checks that this commit can be released, and tags it: pushing the tag publishes. Prints which
 * steps of docs/dev/releasing.md are missing.
 *
 *     npm run release -- --dry-run    checks everything and tags nothing
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { parse } from 'yaml';
import { releaseNotes, withInstall } from './release-files.js';

const root = join(import.meta.dirname, '..');
const { name, version, repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const [, owner = '', project = ''] = /github\.com\/(.+?)\/(.+?)\.git$/.exec(repository.url) ?? [];
const isDryRun = process.argv.includes('--dry-run');
const scratch = mkdtempSync(join(tmpdir(), 'carbon-release-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
let failed = 0;

/**
 * @param {string} program
 * @param {string[]} words
 */
const output = (program, ...words) =>
  execFileSync(program, words, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();

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

/**
 * Runs a script in bash and prints its output only if it fails.
 *
 * @param {string} script
 * @param {string} cwd
 * @param {Record<string, string>} [env]
 */
function bash(script, cwd, env) {
  const given = { cwd, env: { ...process.env, ...env }, encoding: /** @type {const} */ ('utf8') };
  const { status, stdout, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', script], {
    ...given,
    maxBuffer: 2 ** 28,
  });
  if (status === 0) return;
  throw new Error(`exit code ${status}\n${`${stdout}\n${stderr}`.slice(-5000)}`);
}

/**
 * Runs the commands of the release workflow in a clone, as far as they need neither GitHub nor the
 * right to publish, on Linux. .ci/run already contains the tests.
 */
function runWorkflow() {
  const clone = join(scratch, 'clone');
  output('git', 'clone', '--quiet', root, clone);
  const { jobs } = parse(readFileSync(join(clone, '.github/workflows/release.yml'), 'utf8'));
  const target = `linux-${process.arch}`;
  const node = `node-${target}`;
  check('Node 26', () => bash(`npm install --no-save --prefix ${scratch} ${node}@26`, scratch));

  const ran = new Set(['npm run check', 'npm test']);
  for (const job of ['package', 'executable', 'checksums', 'publish']) {
    const path = [join(scratch, 'node_modules', node, 'bin'), process.env['PATH']].join(delimiter);
    const env = {
      ...(job === 'executable' ? { PATH: path } : {}),
      npm_config_prefer_offline: 'true',
      GITHUB_REF_NAME: `v${version}`,
      RUNNER_OS: 'Linux',
      RUNNER_TEMP: scratch,
      FILE: `release/carbon-v${version}-${target}`,
    };
    for (const { run, if: condition } of jobs[job].steps) {
      if (run === undefined || ran.has(run)) continue;
      if (condition !== undefined && condition !== "runner.os == 'Linux'") continue;
      ran.add(run);
      const line = job === 'publish' ? `${run} --dry-run` : run;
      check(line.trim().replaceAll('\n', '\n          '), () => bash(line, clone, env));
    }
  }
}

check('the tree is clean', () => {
  const changed = output('git', 'status', '--porcelain');
  if (changed !== '') throw new Error(`uncommitted changes:\n${changed}`);
});
check('the changelog describes this version', releaseNotes);
check('the tag is free', () => {
  if (output('git', 'tag', '--list', `v${version}`) !== '') throw new Error(`v${version} exists`);
});
// What the owner does once, before the first release: the steps of docs/dev/releasing.md.
check('1. Name and repository', () => {
  const words = ['grep', '-l', '-I', 'example-org', '--', '.', ':!build', ':!test'];
  // git grep exits with 1 if it finds nothing.
  const { stdout, status } = spawnSync('git', words, { cwd: root, encoding: 'utf8' });
  const files = stdout.trim().replaceAll('\n', ', ');
  if (status !== 1)
    throw new Error(`replace example-org by the owner of the repository in ${files}`);
});
check('2. GitHub', () => {
  const remote = new RegExp(`github\\.com[:/]${owner}/${project}(\\.git)?\\s`);
  if (!remote.test(output('git', 'remote', '-v')))
    throw new Error(`no remote of this clone is github.com/${owner}/${project}`);
  const { status } = spawnSync('gh', ['api', `repos/${owner}/${project}/environments/npm`]);
  if (status !== 0) throw new Error('there is no environment npm, or `gh` cannot read it');
});
check('3. First publish by hand', () => {
  const { stdout } = spawnSync('npm', ['view', name, 'repository.url'], { encoding: 'utf8' });
  if (stdout === '') throw new Error(`npm has no package ${name}, or cannot be reached`);
  if (!stdout.includes(`/${owner}/${project}`))
    throw new Error(`${name} belongs to ${stdout.trim()}`);
});
check('4. Trusted publisher', () => {
  const { stdout } = spawnSync('npm', ['trust', 'list', name], { encoding: 'utf8' });
  if (!stdout.includes('release.yml'))
    throw new Error('npm has none, or `npm trust list` is not allowed to read it: run `npm login`');
});
check('.ci/run', () => {
  const { status } = spawnSync('bash', ['.ci/run'], { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new Error(`exit code ${status}`);
});
runWorkflow();

if (failed > 0) {
  process.stdout.write(`\n${failed} checks failed. Nothing was tagged.\n`);
  process.exitCode = 1;
} else if (!isDryRun) {
  const readme = join(root, 'README.md');
  const before = readFileSync(readme, 'utf8');
  const after = withInstall(before, 'published');
  if (after !== before) {
    writeFileSync(readme, after);
    output('git', 'commit', '--message', 'docs: install the published package', 'README.md');
  }
  output('git', 'tag', '--annotate', `v${version}`, '--message', releaseNotes());
  process.stdout.write(`\nTagged v${version}. To publish: git push origin main v${version}\n`);
}
