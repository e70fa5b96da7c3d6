import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planGroups } from '../../src/organizations/grouping.ts';
import type { Column, ColumnValue } from '../../src/query/query.ts';

type Row = readonly ColumnValue[];

const columns = (['hq_region', 'scope_1', 'scope_2', 'year'] as const).map(
  (name, index): Column<Row> => ({
    name,
    type: name === 'hq_region' ? 'text' : 'number',
    description: '',
    value: (row) => row[index],
  }),
);
const group = (rows: readonly Row[], sum?: string) =>
  planGroups({ columns, aliases: {} }, 'hq_region', sum, 'rows').group(rows);

describe('planGroups', () => {
  it('groups without regard to case, and orders by the first sum', () => {
    const rows = [
      ['DE', 1, null, 2024],
      ['AT', 50, 3, 2024],
      ['de', 2, 4, 2023],
      [null, null, 1, null],
      ['', undefined, null, 2024],
    ];
    expect(group(rows, 'scope_1,scope_2')).toEqual([
      ['AT', 1, 50, 1, '2024', 3, 1, '2024'],
      ['DE', 2, 3, 2, '2023 to 2024', 4, 1, '2023'],
      [null, 2, null, 0, null, 1, 1, null],
    ]);
    expect(group([['a'], ['b'], ['b']])).toEqual([
      ['b', 2],
      ['a', 1],
    ]);
  });

  it('adds up any order of amounts to the same sum', { tags: ['property'] }, () => {
    const amount = fc.integer({ min: 0, max: 1e12 }).map((tenths) => tenths / 10);
    fc.assert(
      fc.property(fc.array(amount, { minLength: 1 }), (amounts) => {
        const total = (of: readonly number[]) =>
          group(
            of.map((value) => ['x', value]),
            'scope_1',
          )[0]?.[2];
        const exact = amounts.reduce((tenths, value) => tenths + Math.round(value * 10), 0) / 10;
        expect(total(amounts)).toBe(exact);
        expect(total(amounts.toReversed())).toBe(exact);
      }),
    );
  });
});
