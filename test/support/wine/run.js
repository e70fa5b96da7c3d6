// @ts-check
/*
 * Runs Node for Windows under Wine as if it were a Node of this system: `node run.js DIRECTORY
 * ARGUMENTS`, where install.js prepared the directory.
 *
 * Node for Windows cannot use the pipes of Wine as standard streams, so they are files. This
 * program copies the output as it grows. SIGINT arrives as Ctrl-C. Any other signal ends the
 * process at once, as TerminateProcess does.
 */
import { spawn } from 'node:child_process';
import {
  closeSync,
  fstatSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const pollMs = 20;
const [directory = '', ...argv] = process.argv.slice(2);
const { wine, env: wineEnv } = JSON.parse(readFileSync(join(directory, 'settings.json'), 'utf8'));

const temporary = mkdtempSync(join(directory, 'run-'));
process.on('exit', () => rmSync(temporary, { recursive: true, force: true }));
const streams = [
  { from: openSync(join(temporary, 'stdout'), 'w+'), to: process.stdout, position: 0 },
  { from: openSync(join(temporary, 'stderr'), 'w+'), to: process.stderr, position: 0 },
];
for (const { to } of streams) to.on('error', () => undefined);

const child = spawn(
  // The process must not outlive this one: nothing else knows it.
  'setpriv',
  ['--pdeathsig', 'KILL', wine, join(directory, 'node.exe'), ...argv],
  {
    env: {
      ...process.env,
      ...wineEnv,
      NODE_OPTIONS: `--require ${join(import.meta.dirname, 'preload.cjs')} ${process.env['NODE_OPTIONS'] ?? ''}`,
      CARBON_WINE_ENVIRONMENT: environmentFile(),
    },
    stdio: [inputFile(), ...streams.map(({ from }) => from)],
  },
);
const timer = setInterval(copyOutput, pollMs);
process.on('SIGINT', () => child.kill('SIGINT'));
child.on('error', (error) => {
  throw error;
});
child.on('close', (code, signal) => {
  clearInterval(timer);
  copyOutput();
  for (const { from } of streams) closeSync(from);
  if (signal) process.kill(process.pid, signal);
  else process.exitCode = code ?? 1;
});

function copyOutput() {
  for (const stream of streams) {
    const length = fstatSync(stream.from).size - stream.position;
    if (length <= 0) continue;
    const bytes = Buffer.alloc(length);
    const read = readSync(stream.from, bytes, 0, length, stream.position);
    stream.position += read;
    stream.to.write(bytes.subarray(0, read));
  }
}

/* Standard input as a file; a terminal and the null device stay. */
function inputFile() {
  const stat = (() => {
    try {
      return fstatSync(0);
    } catch {
      return undefined;
    }
  })();
  if (stat === undefined) return 'ignore';
  if (!stat.isFIFO() && !stat.isSocket()) return 0;
  const path = join(temporary, 'stdin');
  writeFileSync(path, readFileSync(0));
  return openSync(path, 'r');
}

/*
 * Wine replaces some variables by those of its prefix, so preload.cjs sets them again. The home
 * directory of a test is the profile directory of its user.
 */
function environmentFile() {
  const { HOME, TMPDIR, APPDATA, LOCALAPPDATA, USERPROFILE } = process.env;
  const windows = (/** @type {string} */ path) => `Z:${path.replaceAll('/', '\\')}`;
  const profile = USERPROFILE ?? (HOME && windows(HOME));
  const variables = {
    USERPROFILE: profile,
    APPDATA: APPDATA ?? (profile && `${profile}\\AppData\\Roaming`),
    LOCALAPPDATA: LOCALAPPDATA ?? (profile && `${profile}\\AppData\\Local`),
    TEMP: windows(TMPDIR ?? tmpdir()),
    TMP: windows(TMPDIR ?? tmpdir()),
  };
  const path = join(temporary, 'environment.json');
  writeFileSync(path, JSON.stringify(variables));
  return path;
}
