import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comparableId, isSameId } from '../../../src/client/api/ids.ts';
import { runs } from '../../support/seed.ts';

describe('comparableId', () => {
  it('is equal exactly when the texts of two ids are equal without leading zeros', {
    tags: ['property'],
  }, () => {
    const hostile = [
      '1 ',
      ...'__proto__ NaN Infinity 1e3 1e+21 01 -0 0x1 1.5 9007199254740993'.split(' '),
    ];
    const id = fc.oneof(
      fc.constantFrom<string | number>(
        -0,
        0,
        1,
        1.5,
        1e3,
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
          new Map([[comparableId(a), 1]]).has(comparableId(other));
        const text = (one: string | number) => String(one).replace(/^0+(?=\d)/, '');
        const isSame = text(a) === text(b);
        const isNumber = /^\d/.test(String(a));
        expect([isFound(b), isSameId(a, b)]).toEqual([isSame, isSame]);
        expect([isFound(String(a)), isFound(`00${a}`)]).toEqual([true, isNumber]);
      }),
      { numRuns: runs(2_000) },
    );
  });
});
