/*
 * The program under test. Everything that runs a command line runs dist/, as users do, because the
 * bundler and the chunks have faults of their own. CARBON_TEST_SOURCE=1 runs src/ instead, for
 * debugging.
 */
import { createRequire } from 'node:module';
import { inject } from 'vitest';
import type { Context } from '../../src/runtime/context.ts';

/** Whether the tests run src/. */
export const isSource = Boolean(process.env['CARBON_TEST_SOURCE']);

type Program = typeof import('../../src/main.ts');

const source = isSource ? await import('../../src/main.ts') : undefined;
const require = createRequire(import.meta.url);

/** Throws if dist/ is missing or older than its sources: a test would run yesterday's program. */
export function checkBuild(): void {
  if (inject('isBuilt')) return;
  throw new Error('dist/ is older than src/: run `npm run build`, or set CARBON_TEST_SOURCE=1');
}

/** Returns the built program: the chunks that `bin/carbon.cjs` loads. */
export function loadProgram(): Program {
  if (source !== undefined) return source;
  checkBuild();
  return require('../../dist/main.cjs');
}

/** Returns the reason with which the program stops, as `bin/carbon.cjs` creates it for a signal. */
export function stopped(by: NodeJS.Signals): Error {
  const { Stopped } = loadProgram();
  return new Stopped(by);
}

/**
 * Returns what the program reads of a process, with another environment and other streams. The
 * version avoids a setting of Node 20 for short runs, which would slow down all others.
 */
export function processWith(
  env: NodeJS.ProcessEnv,
  isTTY: boolean,
  others: object = {},
): NodeJS.Process {
  const stdout = { isTTY, getColorDepth: () => 1 };
  const { pid, platform } = process;
  const versions = { node: '26.0.0' };
  const known = { env, pid, platform, versions, stdout, stderr: stdout };
  return { ...known, ...others } as unknown as NodeJS.Process;
}

/** Opens a transport as the program does, for a client of the library on a virtual clock. */
export const openBuiltTransport: Context['openTransport'] = (options) => {
  const { signal } = new AbortController();
  return loadProgram().realContext(processWith({}, false), signal).openTransport(options);
};
