import fc from 'fast-check';
import { expect, it } from 'vitest';
import { numberOf } from '../../../src/portfolio/footprint/decimal.ts';
import { parseSelection } from '../../../src/portfolio/organizations/selection.ts';
import { ExactSum, totalOf } from '../../../src/portfolio/organizations/sum.ts';
import { organizationTable } from '../../../src/portfolio/organizations/tables.ts';
import { snapshotOf, summarize } from '../report/inputs.ts';
import '../../support/seed.ts';

/* The exact sum of doubles, each a multiple of 2^-1074. */
function exactSum(values: readonly number[]): number {
  let units = 0n;
  for (const value of values) {
    let [whole, shift] = [value, 0n];
    for (; !Number.isInteger(whole); whole *= 2) shift += 1n;
    units += BigInt(whole) << (1074n - shift);
  }
  return numberOf({ units: units * 5n ** 1074n, scale: 1074 });
}

it('totalOf is the nearest double to the exact sum, in every order', { tags: ['property'] }, () => {
  const double = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e288, max: 1e288 });
  fc.assert(
    fc.property(fc.array(double), (values) => {
      expect(totalOf(values)).toBe(exactSum(values));
      expect(totalOf(values.toReversed())).toBe(exactSum(values));
    }),
    {
      examples: [
        [[1e16, 1, -1e16]],
        [[2 ** 53, 1, 2 ** -60]],
        [[-0]],
        [[]],
        [[1, 2 ** -53, 2 ** -200]],
        [[-1, -(2 ** -53), -(2 ** -200)]],
      ],
    },
  );
});

it.each([
  [Array<number>(10).fill(0.1), 1],
  [[0.1, 0.2], 0.3],
  [[2 ** 53 - 1], 2 ** 53 - 1],
  [[2 ** 53, 2 ** 53], 2 ** 54],
])('the figures %j have the sum %j in report and list --sum', async (figures, sum) => {
  const exact = new ExactSum();
  for (const figure of figures) exact.add(figure);
  expect(exact.written).toBe(sum);
  const records = figures.map((total, index) => ({
    id: index + 1,
    performances: [{ year: 2024, emissions: { scope_1: { total } } }],
  }));
  const { summary } = summarize(await snapshotOf(...records));
  expect(summary.emissions.years[0]?.scope_1).toEqual({ sum, organizations: figures.length });
  const query = { groupBy: 'year', sum: 'scope_1' };
  const { grouping } = await parseSelection(organizationTable, query);
  const groups = grouping?.group(figures.map((figure) => [2024, figure, 2024])) ?? [];
  expect(groups.map((group) => group.values[2])).toEqual([sum]);
});
