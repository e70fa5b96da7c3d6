import fc from 'fast-check';

/** Whether `npm run test:long` runs the tests. */
const isLong = process.env['TEST_MODE'] === 'long';

/**
 * Returns the runs of a property: `full` in the long tests, otherwise a quarter of that.
 * `fc.assert` without `numRuns` follows the same rule.
 */
export const runs = (full: number): number => (isLong ? full : Math.ceil(full / 4));

/*
 * Each run checks properties with other random values, so that many runs check many values. CI
 * always uses the same values, so that a failure comes from the change under test.
 */
const seed = process.env['CI'] ? { seed: 20_261_121 } : {};
fc.configureGlobal({ ...seed, numRuns: runs(100) });
