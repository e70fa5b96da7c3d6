/*
 * Prepares a release in release/: the package, executables, checksums, the bill of materials, the
 * notes, and the manifests of package managers.
 *
 *     npm run release -- --dry-run          checks everything and publishes nothing
 *     npm run release -- --dry-run --skip-ci  without .ci/run
 *     npm run release                       the same, then tags; pushing the tag publishes
 *
 * Every check runs, so that one run names all that is missing. Exit code 1 if any failed.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildExecutable } from './executable.js';
import { mcpBundle, writeManifests } from './manifests.js';
import { writeMcpBundle } from './mcp-bundle.js';
import { releaseNotes } from './release-notes.js';

const root = join(import.meta.dirname, '..');
const out = join(root, 'release');
/** @type {{ name: string, version: string }} */
const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const { values: options } = parseArgs({
  options: { 'dry-run': { type: 'boolean' }, 'skip-ci': { type: 'boolean' } },
});
const scratch = mkdtempSync(join(tmpdir(), 'carbon-release-'));
/** @type {string[]} */
const problems = [];

/** @param {string} line */
const print = (line) => process.stdout.write(`${line}\n`);

/**
 * Runs one step, and goes on after a failure.
 *
 * @param {string} title
 * @param {() => string | undefined | Promise<string | undefined>} work returns what to print
 *   behind the title
 */
async function step(title, work) {
  try {
    const result = await work();
    print(`ok      ${title}${result ? `: ${result}` : ''}`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    print(`FAILED  ${title}: ${reason}`);
    problems.push(`${title}: ${reason}`);
  }
}

/**
 * @param {string} program
 * @param {readonly string[]} words
 * @param {import('node:child_process').ExecFileSyncOptions} [settings]
 */
function run(program, words, settings = {}) {
  const given = { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 2 ** 28, ...settings };
  return execFileSync(program, words, /** @type {any} */ (given))
    .toString()
    .trim();
}

/** @param {string} file */
const sha256 = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');

/** @param {number} bytes */
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

/** Returns the path of the packed package. */
function pack() {
  const packed = ['first', 'second'].map((directory) => {
    const folder = join(scratch, directory);
    mkdirSync(folder);
    run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder]);
    const [file = ''] = readdirSync(folder);
    return join(folder, file);
  });
  const [first = '', second = ''] = packed;
  if (sha256(first) !== sha256(second)) throw new Error('two packages of one build differ');
  const file = join(out, `${name}-${version}.tgz`);
  copyFileSync(first, file);
  return file;
}

/**
 * Installs the package as another user and runs the commands that a new user tries first.
 *
 * @param {string} file
 */
function install(file) {
  chmodSync(scratch, 0o755);
  const home = join(scratch, 'home');
  mkdirSync(home, { mode: 0o777 });
  chmodSync(home, 0o777);
  const own = join(home, 'carbon.tgz');
  copyFileSync(file, own);
  // Another user must not need anything of the builder. Without root, a new home must do.
  const isRoot = process.getuid?.() === 0;
  const user = isRoot ? { uid: 65534, gid: 65534 } : {};
  const settings = {
    cwd: home,
    env: {
      ...process.env,
      HOME: home,
      PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
      npm_config_cache: join(home, 'cache'),
      npm_config_update_notifier: 'false',
    },
    ...user,
  };
  const prefix = join(home, 'prefix');
  run('npm', ['install', '--global', '--ignore-scripts', '--prefix', prefix, own], settings);
  const carbon = join(prefix, 'bin/carbon');
  writeFileSync(join(home, 'suppliers.csv'), 'name,country\nAcme,DE\n');
  chmodSync(join(home, 'suppliers.csv'), 0o666);
  for (const line of [
    '--version',
    '--help',
    'register --sandbox --name Globex --hq-region US',
    'get 1 --sandbox --json',
    'batch suppliers.csv --sandbox --no-progress',
    'whoami --sandbox',
  ])
    run(carbon, line.split(' '), settings);
  if (run(carbon, ['--version'], settings) !== version) throw new Error('another version');
  return `6 commands as ${isRoot ? 'another user' : 'this user with a new home'}`;
}

/** Builds an executable for this system, and runs it where there is no Node. */
function executable() {
  const node = join(scratch, 'node');
  run('npm', ['install', '--silent', '--no-save', '--prefix', node, 'node@26']);
  const file = join(out, `carbon-${version}-${process.platform}-${process.arch}`);
  buildExecutable(join(node, 'node_modules/node/bin/node'), file);
  const empty = join(scratch, 'empty');
  mkdirSync(empty);
  const settings = { cwd: empty, env: { HOME: empty } };
  if (run(file, ['--version'], settings) !== version) throw new Error('another version');
  run(file, ['register', '--sandbox', '--name', 'Globex', '--hq-region', 'US'], settings);
  return megabytes(statSync(file).size);
}

rmSync(out, { recursive: true, force: true });
mkdirSync(out);
try {
  await step('the tree is clean', () => {
    const changed = run('git', ['status', '--porcelain']);
    if (changed !== '') throw new Error(`uncommitted changes:\n${changed}`);
    return run('git', ['rev-parse', '--short', 'HEAD']);
  });
  await step('the changelog describes this version', () => {
    writeFileSync(join(out, 'notes.md'), `${releaseNotes()}\n`);
    return version;
  });
  await step('no placeholder is left', () => {
    const words = ['grep', '-l', '-I', 'example-org', '--', '.', ':!build', ':!test'];
    // git grep exits with 1 if it finds nothing.
    const { stdout, status } = spawnSync('git', words, { cwd: root, encoding: 'utf8' });
    if (status === 1) return;
    const files = stdout.trim().replaceAll('\n', ', ');
    throw new Error(`replace example-org by the owner of the repository in ${files}`);
  });
  await step('the tag is free', () => {
    if (run('git', ['tag', '--list', `v${version}`]) !== '') throw new Error(`v${version} exists`);
    return `v${version}`;
  });
  if (!options['skip-ci'])
    await step('.ci/run', () => {
      const { status, stdout } = spawnSync('bash', ['.ci/run'], {
        cwd: root,
        encoding: 'utf8',
        maxBuffer: 2 ** 28,
      });
      const [last = ''] = stdout.trim().split('\n').slice(-1);
      if (status !== 0) throw new Error(last);
      return last;
    });
  run('npm', ['run', '--silent', 'build:stale']);
  let file = '';
  await step('two packages of this build are equal', () => {
    file = pack();
    return `${sha256(file).slice(0, 12)}…, ${megabytes(statSync(file).size)}`;
  });
  await step('the package installs and runs', () => install(file));
  await step('the executable runs without Node', executable);
  await step('bill of materials', () => {
    copyFileSync(join(root, 'dist/sbom.cdx.json'), join(out, `carbon-${version}.cdx.json`));
    const { components } = JSON.parse(readFileSync(join(root, 'dist/sbom.cdx.json'), 'utf8'));
    return `${components.length} packages`;
  });
  await step('bundle for MCP clients', async () => {
    await writeMcpBundle(join(out, mcpBundle));
    return megabytes(statSync(join(out, mcpBundle)).size);
  });
  await step('checksums and manifests', () =>
    writeManifests(out, { isComplete: false }).join(', '),
  );
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

if (problems.length > 0) {
  print(`\nNot ready to release:\n${problems.map((problem) => `- ${problem}`).join('\n')}`);
  process.exitCode = 1;
} else if (options['dry-run']) {
  print(`\nReady: release/ has what v${version} publishes. Nothing was published.`);
} else {
  run('git', ['tag', '--annotate', `v${version}`, '--file', join(out, 'notes.md')]);
  print(`\nTagged v${version}. To publish: git push origin v${version}`);
}
