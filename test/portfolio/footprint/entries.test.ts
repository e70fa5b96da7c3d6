import fc from 'fast-check';
import { expect, it } from 'vitest';
import { firstOf } from '../../../src/portfolio/footprint/entries.ts';

it('firstOf returns what a stable sort has first', { tags: ['property'] }, () => {
  const items = fc.array(fc.record({ size: fc.integer({ min: 0, max: 9 }), at: fc.nat() }));
  fc.assert(
    fc.property(items, fc.integer({ min: 1, max: 5 }), (all, count) => {
      const bySize = (a: { size: number }, b: { size: number }) => b.size - a.size;
      expect(firstOf(all, count, bySize)).toEqual(all.toSorted(bySize).slice(0, count));
    }),
  );
});
