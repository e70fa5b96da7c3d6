import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EntryGroup, type GroupNeed } from '../../../src/footprint/records/entry-group.ts';
import { addDecimals, formatDecimal, zero } from '../../../src/footprint/spend/decimal.ts';
import { factorOf, supplierOf } from '../groups.ts';

const factor = factorOf(1);
const need: GroupNeed = {
  supplier: supplierOf(1),
  currency: 'EUR',
  year: 2023,
  factors: { additive: factor, nested: factor },
};
const decimal = fc.record({
  units: fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
  scale: fc.nat(6),
});

function groupOf(spends: readonly { units: bigint; scale: number }[], firstLine = 2): EntryGroup {
  const [first, ...others] = spends;
  const group = new EntryGroup(need, 'Steel', first, [firstLine], 1);
  for (const [index, spend] of others.entries()) group.add(spend, firstLine + 1 + index);
  return group;
}

describe('EntryGroup', () => {
  it('adds up amounts exactly, whatever their size and order', () => {
    const amounts = fc.array(decimal, { minLength: 1, maxLength: 30 });
    const shuffled = amounts.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
    );
    fc.assert(
      fc.property(shuffled, fc.nat(), ([all, others], position) => {
        const sum = formatDecimal(all.reduce(addDecimals, zero));
        const group = groupOf(others);
        expect(group.spend).toBe(sum);
        const cut = 1 + (position % all.length);
        const part = groupOf(all.slice(0, cut));
        if (cut < all.length) part.absorb(groupOf(all.slice(cut), 100));
        expect(part.spend).toBe(sum);
        expect(part.lineCount).toBe(all.length);
        group.complete();
        expect([group.spend, group.hasSpend, group.amount]).toEqual([sum, true, undefined]);
      }),
    );
  });

  it('keeps the first 20 lines, and counts all', () => {
    const one = { units: 1n, scale: 0 };
    const group = groupOf(Array.from({ length: 25 }, () => one));
    expect(group.lines).toEqual(Array.from({ length: 20 }, (_, index) => index + 2));
    expect(group.lineCount).toBe(25);
  });

  it('shows the first lines of both groups after it absorbs another one', () => {
    const one = { units: 1n, scale: 0 };
    const group = groupOf([one, one], 50);
    group.absorb(groupOf([one, one], 3));
    expect(group.lines).toEqual([3, 4, 50, 51]);
  });

  it('has no sum if its lines have no spend', () => {
    const group = new EntryGroup(need, null, undefined, [2], 1);
    group.add(undefined, 3);
    group.complete();
    expect([group.spend, group.hasSpend, group.lines, group.lineCount]).toEqual([
      ...[null, false, [2, 3], 2],
    ]);
  });

  it('shows what it has in common with other groups of the same need', () => {
    const { supplier, currency, year, factors } = groupOf([{ units: 1n, scale: 0 }]);
    expect({ supplier, currency, year, factors }).toEqual(need);
  });
});
