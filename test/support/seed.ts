import fc from 'fast-check';

/** Whether the tests run in full, as `npm run test:long` runs them. */
const isLong = process.env['TEST_MODE'] === 'long';

/**
 * Returns how often a property runs: `full` times in the long tests, otherwise a quarter of that.
 * `fc.assert` without `numRuns` follows the same rule.
 */
export const runs = (full: number): number => (isLong ? full : Math.ceil(full / 4));

/*
 * Properties look at other values in each run, so that in time they see many. In CI they look at
 * the same ones every time: a failure there comes from the change.
 */
const seed = process.env['CI'] ? { seed: 20_261_121 } : {};
fc.configureGlobal({ ...seed, numRuns: runs(100) });
