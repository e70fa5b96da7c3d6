/*
 * The program under test. Everything that runs a command line runs dist/, as users do, because the
 * bundler and the chunks have faults of their own. CARBON_TEST_SOURCE=1 runs src/ instead, for
 * debugging.
 */
import { createRequire } from 'node:module';
import { inject } from 'vitest';

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
