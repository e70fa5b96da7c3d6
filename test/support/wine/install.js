// @ts-check
/*
 * Makes Node for Windows run under Wine: `node install.js DIRECTORY NODE_EXE`.
 *
 * Creates a Wine prefix and the program DIRECTORY/node, which runs NODE_EXE like any other Node.
 * Prints the path of the program; CARBON_TEST_WINDOWS names it for the tests.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/* Debian's package wine64 has no program of this name in PATH. */
const wine = existsSync('/usr/lib/wine/wine64') ? '/usr/lib/wine/wine64' : 'wine64';
const [directory = '', executable = ''] = process.argv.slice(2).map((path) => resolve(path));

mkdirSync(directory, { recursive: true });
const prefix = join(directory, 'prefix');
const env = {
  ...process.env,
  WINEPREFIX: prefix,
  WINEDEBUG: '-all',
  // Without them, Wine asks to install Mono and Gecko, and starts a debugger for a crash.
  WINEDLLOVERRIDES: 'mscoree,mshtml=;winedbg.exe=d',
};

must([wine, 'wineboot', '--init']);
// Wine presents itself as Windows 7, on which Node does not start.
must([wine, 'reg', 'add', 'HKCU\\Software\\Wine', '/v', 'Version', '/d', 'win10', '/f']);
// The server then waits for the next process instead of ending after three seconds.
spawnSync('/usr/lib/wine/wineserver', ['--persistent'], { env, stdio: 'ignore' });
hideVirtualAlloc2(executable, join(directory, 'node.exe'));
const { WINEPREFIX, WINEDEBUG, WINEDLLOVERRIDES } = env;
const settings = { wine, directory, env: { WINEPREFIX, WINEDEBUG, WINEDLLOVERRIDES } };
writeFileSync(join(directory, 'settings.json'), JSON.stringify(settings));
const program = join(directory, 'node');
writeFileSync(
  program,
  `#!/bin/sh\nexec '${process.execPath}' '${join(import.meta.dirname, 'run.js')}' '${directory}' "$@"\n`,
  { mode: 0o755 },
);
process.stdout.write(`${program}\n`);

/**
 * Copies Node without the name of a function that Wine 8 exports but does not fully support. V8 of
 * Node 24 uses older functions if it does not find this one.
 *
 * @param {string} source
 * @param {string} target
 */
function hideVirtualAlloc2(source, target) {
  const bytes = readFileSync(source);
  const name = 'VirtualAlloc2\0';
  for (let at = bytes.indexOf(name); at >= 0; at = bytes.indexOf(name, at + 1))
    bytes.write('VirtualAlloc_', at, 'latin1');
  writeFileSync(target, bytes, { mode: 0o755 });
}

/** @param {string[]} words */
function must([program = '', ...args]) {
  const { error, status, stderr } = spawnSync(program, args, { env, encoding: 'utf8' });
  if (error || status !== 0) throw new Error(`${program} ${args.join(' ')}: ${error ?? stderr}`);
}
