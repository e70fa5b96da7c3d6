import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readEntry } from '../../../src/report/summary/digest.ts';
import { TopEmitters } from '../../../src/report/summary/top-emitters.ts';
import { unpackYears } from '../../../src/report/summary/years.ts';
import { runs } from '../../support/seed.ts';

it('keeps those that sorting everything would put first', { tags: ['property'] }, () => {
  const total = fc.option(fc.integer({ min: -3, max: 30 }), { nil: undefined });
  const totals = fc.array(total, { minLength: 900, maxLength: 3_000, size: 'max' });
  fc.assert(
    fc.property(totals, fc.integer({ min: 1, max: 1_500 }), (given, most) => {
      const emitters = new TopEmitters(most);
      for (const [id, amount] of given.entries()) {
        const emissions = amount === undefined ? { scope_1: { total: 9 } } : { total: amount };
        const entry = readEntry({ id, performances: [{ year: 2024, emissions }] });
        emitters.add(entry, unpackYears(entry.years));
      }
      const all = given.map((amount, id) => ({ id, amount: amount ?? Number.NEGATIVE_INFINITY }));
      const sorted = all.sort((a, b) => (a.amount === b.amount ? 0 : b.amount - a.amount));
      const wanted = sorted.slice(0, most).map(({ id }) => id);
      expect(emitters.result().map(({ entry }) => entry.id)).toEqual(wanted);
    }),
    { numRuns: runs(20) },
  );
});
