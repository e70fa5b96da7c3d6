import fc from 'fast-check';

/** Whether `npm run test:long` runs the tests. */
const isLong = process.env['TEST_MODE'] === 'long';

/**
 * Returns the runs of a property: `full` in the long tests, otherwise an eighth of that.
 * `fc.assert` without `numRuns` follows the same rule.
 */
export const runs = (full: number): number => (isLong ? full : Math.ceil(full / 8));

/*
 * Properties check the same values in every run, so that a failure comes from the change under
 * test. Only the nightly workflow sets another seed, and prints it. To repeat its run:
 * CARBON_TEST_SEED=SEED npx vitest run --mode=long --tags-filter=property
 *
 * Add a value that failed to the `examples` of the property.
 */
fc.configureGlobal({
  seed: Number(process.env['CARBON_TEST_SEED'] ?? 20_261_121),
  numRuns: runs(100),
});

/**
 * Any character but a surrogate, as `unit` of a string. `binary` of fast-check has the same
 * characters, but a table of all of them.
 */
export const anyCharacter: fc.Arbitrary<string> = fc.nat(0x10_f7ff).map(
  (index) => String.fromCodePoint(index < 0xd800 ? index : index + 0x800),
  (text) => {
    const code = /^.$/su.exec(String(text))?.[0].codePointAt(0);
    if (code === undefined) throw new Error('not one character');
    return code < 0xd800 ? code : code - 0x800;
  },
);
