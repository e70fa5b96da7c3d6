import { type ChildProcess, spawn } from 'node:child_process';
import { realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { checkBuild } from './program.ts';
import { newFolder } from './run.ts';

/* The program that `test/support/wine/install.js` made. */
const wine = process.env['CARBON_TEST_WINE'];

/** Whether Node for Windows runs the executable under Wine. */
export const isWine = Boolean(wine);

/** Whether the executable runs on Windows or under Wine. */
export const isWindows = isWine || process.platform === 'win32';

/**
 * Path of the Node that runs the executable: CARBON_TEST_WINE, CARBON_TEST_NODE or the one that
 * runs the tests.
 */
export const node = wine || process.env['CARBON_TEST_NODE'] || process.execPath;

/** Path of carbon's executable. */
export const carbon = fileURLToPath(new URL('../../bin/carbon.cjs', import.meta.url));

/** CARBON_TEST_EXECUTABLE: path of an executable that contains Node (`build/executable.js`). */
export const single = process.env['CARBON_TEST_EXECUTABLE'];

/** The words that start carbon: the single executable, or Node and the built program. */
export const carbonProgram = single === undefined ? ([node, carbon] as const) : ([single] as const);

/** The same words for a shell. */
export const carbonCommand = carbonProgram.map((word) => `"${word}"`).join(' ');

/** Returns NODE_OPTIONS that load a file of this directory first. */
export const preload = (file: string) =>
  `--require ${JSON.stringify(fileURLToPath(new URL(file, import.meta.url)))}`;

/** Returns whether other users may run the executable: they may read every directory above it. */
export function isOpenToOthers(): boolean {
  return carbonProgram.every((file) => {
    const folders: string[] = [];
    for (let path = realpathSync(file); path !== dirname(path); path = dirname(path))
      folders.push(path);
    return folders.every((path) => (statSync(path).mode & 0o005) === 0o005);
  });
}

/** A running executable and its output so far. */
export interface Running {
  readonly child: ChildProcess;
  readonly output: { stdout: string; stderr: string };
  /** Resolves as soon as the output of a stream matches. */
  seen(stream: 'stdout' | 'stderr', pattern: RegExp): Promise<void>;
  readonly ended: Promise<{
    exit: number | null;
    signal: NodeJS.Signals | null;
    stdout: string;
    stderr: string;
  }>;
}

/** Starts the built executable with no environment variables but these and HOME. */
export function start(argv: readonly string[], options?: StartOptions): Running {
  checkBuild();
  const [file, ...first] = carbonProgram;
  return startProgram(file, [...first, ...argv], options);
}

/** Describes the surroundings of a process. */
export interface StartOptions {
  readonly env?: Record<string, string>;
  readonly stdin?: string | undefined;
  readonly cwd?: string;
  readonly uid?: number | undefined;
}

/** Starts the Node that runs the executable, as `start` does. */
export function startNode(argv: readonly string[], options?: StartOptions): Running {
  return startProgram(node, argv, options);
}

function startProgram(
  file: string,
  argv: readonly string[],
  { env = {}, stdin = '', cwd, uid }: StartOptions = {},
): Running {
  const home = env['HOME'] ?? newFolder();
  const child = spawn(file, argv, {
    env: { HOME: home, ...env },
    cwd: cwd ?? home,
    ...(uid === undefined ? {} : { uid }),
  });
  const output = { stdout: '', stderr: '' };
  const watchers = new Set<() => void>();
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      output[stream] += text;
      for (const watcher of watchers) watcher();
    });
  }
  child.stdin.on('error', () => undefined).end(stdin);
  onTestFinished(() => void child.kill('SIGKILL'));
  return {
    child,
    output,
    seen: (stream, pattern) =>
      new Promise((resolve) => {
        const check = () => {
          if (!pattern.test(output[stream])) return;
          watchers.delete(check);
          resolve();
        };
        watchers.add(check);
        check();
      }),
    ended: new Promise((resolve) => {
      child.on('close', (exit, signal) => resolve({ exit, signal, ...output }));
    }),
  };
}

/** Runs the built executable to its end. */
export function execute(...args: Parameters<typeof start>): Running['ended'] {
  return start(...args).ended;
}

/** Runs a command line of bash to its end, with the PATH of the tests. */
export function shell(command: string, { env, ...options }: StartOptions = {}): Running['ended'] {
  const more = { PATH: process.env['PATH'] ?? '', ...env };
  return startProgram('bash', ['--norc', '-c', command], { ...options, env: more }).ended;
}
