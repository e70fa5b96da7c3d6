import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, it } from 'vitest';
import { browserPath } from './browser.js';
import { isWine } from './executable.ts';

/** Debian's Python, to which Debian's packages belong. */
export const python = '/usr/bin/python3';

/** The options of `unshare` for a process with process IDs of its own. */
export const ownPids = ['--user', '--map-root-user', '--pid', '--fork'];

const isOnPath = (...names: readonly string[]) =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .some((folder) => names.some((name) => existsSync(join(folder, name))));

/* What is no part of a system with Node, git and bash, and whether it is installed. */
const programs = {
  Chromium: () => browserPath !== undefined,
  curl: () => isOnPath('curl'),
  fish: () => isOnPath('fish'),
  groff: () => isOnPath('groff'),
  LibreOffice: () => isOnPath('soffice'),
  man: () => isOnPath('man'),
  openpyxl: () => existsSync('/usr/lib/python3/dist-packages/openpyxl'),
  promtool: () => isOnPath('promtool'),
  python3: () => existsSync(python),
  // The one of util-linux has other options than that of macOS, and Wine does not recognize its
  // terminal.
  script: () => process.platform === 'linux' && !isWine && isOnPath('script'),
  'systemd-analyze': () => isOnPath('systemd-analyze'),
  unshare: () => spawnSync('unshare', [...ownPids, 'true']).status === 0,
  zsh: () => isOnPath('zsh'),
};

type Program = keyof typeof programs;

/*
 * `npm test` runs none of these tests, so that it has the same result on every machine. `.ci/run`
 * installs the programs, runs `npm run test:programs` and counts the titles of the skipped tests.
 */
const needs = (program: Program, title: string) =>
  [`${title} (needs ${program})`, { tags: 'programs' }] as const;

/** Declares a test that runs a program which may not be installed. */
export function itNeeds(program: Program, title: string, test: () => unknown): void {
  it.skipIf(!programs[program]())(...needs(program, title), async () => void (await test()));
}

/** Declares tests that run a program which may not be installed. */
export function describeNeeds(program: Program, title: string, tests: () => void): void {
  describe.skipIf(!programs[program]())(...needs(program, title), tests);
}
