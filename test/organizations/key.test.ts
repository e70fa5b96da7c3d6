import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyOf } from '../../src/organizations/key.ts';
import { runs } from '../support/seed.ts';

describe('keyOf', () => {
  it('is equal exactly when the texts of two ids are equal without leading zeros', {
    tags: ['property'],
  }, () => {
    const hostile = [
      '__proto__',
      'NaN',
      'Infinity',
      '1e3',
      '1e+21',
      '01',
      '1 ',
      '-0',
      '0x1',
      '1.5',
      '9007199254740993',
    ];
    const id = fc.oneof(
      fc.constantFrom<string | number>(
        -0,
        0,
        1,
        1.5,
        1_000,
        1e-7,
        -1,
        Number.MAX_SAFE_INTEGER,
        ...hostile,
      ),
      fc.nat().map(String),
      fc.string({ minLength: 1 }),
    );
    fc.assert(
      fc.property(id, id, (a, b) => {
        const isFound = (other: string | number) =>
          new Map([[keyOf({ id: a }), 1]]).has(keyOf({ id: other }));
        const text = (key: string | number) => String(key).replace(/^0+(?=\d)/, '');
        expect([isFound(b), isFound(String(a)), isFound(`00${a}`)]).toEqual([
          text(a) === text(b),
          true,
          /^\d/.test(String(a)),
        ]);
      }),
      { numRuns: runs(2_000) },
    );
  });

  it.each([undefined, null, ''])('is undefined for the id %j', (id) => {
    expect(keyOf({ id })).toBeUndefined();
  });
});
