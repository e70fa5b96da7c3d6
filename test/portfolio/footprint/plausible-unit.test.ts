import { describe, expect, it } from 'vitest';
import { notesOf } from '../../../src/portfolio/footprint/views/words.ts';
import { footprint, industry, record } from './portfolio.ts';

/* Emissions per unit of spend, in the unit that is declared. */
const perSpend = (factor: number, unit?: 'kg' | 't', currency = 'EUR') => {
  const average = industry([2024, factor]);
  const performances = average.industry.performances.map((each) => {
    return { ...each, revenue_currency: currency };
  });
  const { summary } = footprint(
    [{ name: 'Record 1', spend: '4', currency }],
    [record(1, [], { industry: { ...average.industry, performances } })],
    { unit },
  );
  const note = notesOf(summary).find((each) => each.startsWith('Implausible'));
  return { note, amounts: summary.implausible_kg_per_spend };
};

describe('a declared unit', () => {
  it.each([
    ['t', 0.01, undefined],
    ['t', 0.0101, '10.1 kg per EUR'],
    ['t', 0.6, '600 kg per EUR'],
    ['kg', 10, undefined],
    ['kg', 10.1, '10.1 kg per EUR'],
    ['kg', 0.6, undefined],
  ] as const)('of %s with %d per euro is in doubt only above 10 kg', (unit, factor, words) => {
    const { note, amounts } = perSpend(factor, unit);
    expect(Object.keys(amounts)).toEqual(words === undefined ? [] : ['EUR']);
    expect(note).toBe(
      words &&
        `Implausible: ${words} of spend, above 10 kg (cement has about 4 kg per USD, US EPA): check --unit ${unit}, and the scale of the amounts`,
    );
  });

  it('is in doubt for no other currency, and not unless it is declared', () => {
    expect(perSpend(0.6, 't', 'JPY')).toEqual({ note: undefined, amounts: {} });
    expect(perSpend(600)).toEqual({ note: undefined, amounts: {} });
    expect(Object.keys(perSpend(0.6, 't', 'USD').amounts)).toEqual(['USD']);
  });
});
