import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FactorChoice, isUncovered, type Uncovered } from '../../../src/footprint/ledger.ts';
import { FactorStore } from '../../../src/footprint/records/factor-store.ts';
import { packChoice } from '../../../src/footprint/records/packed-choice.ts';
import { type Factor, uncoveredReasons } from '../../../src/footprint/register-row.ts';
import { factorOf, noInputs } from '../groups.ts';

const figure = fc.option(fc.double({ min: 0, max: 1e100, noNaN: true }));
const factor: fc.Arbitrary<Factor> = fc.record({
  basis: fc.constantFrom('disclosed', 'factor'),
  value: fc.double({ min: 5e-324, max: 1e100, noNaN: true }),
  year: fc.option(fc.integer({ min: 1900, max: 2200 })),
  region: fc.option(fc.string()),
  inputs: fc.record({
    revenue: figure,
    scope_1: figure,
    scope_2: figure,
    scope_2_method: fc.constantFrom('market-based', 'location-based', null),
    scope_1_and_2: figure,
    upstream: figure,
    upstream_categories: fc.option(fc.nat(8)),
    total: figure,
    scope_1_and_2_emission_factor: figure,
    total_upstream_emission_factor: figure,
    emission_factor: figure,
  }),
});
const reason: fc.Arbitrary<Uncovered> = fc.record({
  reason: fc.constantFrom(...uncoveredReasons),
  detail: fc.option(fc.string()),
});
/* An industry average has only one input, its value. */
function averageOf(value: number, region: string | null = null): FactorChoice {
  const inputs = { ...noInputs, emission_factor: value };
  const average = { ...factorOf(value, 'industry'), region, inputs };
  return { additive: average, nested: average };
}

const average = fc
  .double({ min: 5e-324, max: 1e100, noNaN: true })
  .map((value) => averageOf(value));
const result = fc.oneof({ weight: 3, arbitrary: factor }, { weight: 1, arbitrary: reason });
const choice: fc.Arbitrary<FactorChoice> = fc.oneof(
  average,
  result.map((both) => ({ additive: both, nested: both })),
  fc.record({ additive: factor, nested: reason }),
  fc.record({ additive: factor, nested: factor }),
);

/* A stored factor has getters, which no comparison of objects reads. */
function valuesOf(stored: Factor | Uncovered): Factor | Uncovered {
  if (isUncovered(stored)) return stored;
  const { basis, value, year, region, inputs } = stored;
  return { basis, value, year, region, inputs };
}

describe('FactorStore', () => {
  it('returns each of many choices unchanged', () => {
    const many = fc.array(choice, { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(many, fc.nat(2_000), (choices, earlier) => {
        const store = new FactorStore();
        // Fills a block of the store, so that some choices begin the next one.
        const both = factorOf(1);
        for (let count = 0; count < earlier; count += 1) {
          store.keep(packChoice({ additive: both, nested: both }));
        }
        const kept = choices.map((each) => store.keep(packChoice(each)));
        for (const [index, { additive, nested }] of choices.entries()) {
          const stored = kept[index] as FactorChoice;
          expect(stored.additive === stored.nested).toBe(additive === nested);
          expect(valuesOf(stored.additive)).toEqual(additive);
          expect(valuesOf(stored.nested)).toEqual(nested);
        }
      }),
    );
  });

  it('returns one object for equal averages of an industry', () => {
    const store = new FactorStore();
    const first = store.keep(packChoice(averageOf(0.5, 'GLOBAL')));
    expect(store.keep(packChoice(averageOf(0.5, 'GLOBAL')))).toBe(first);
    expect(store.keep(packChoice(averageOf(0.5, 'EU')))).not.toBe(first);
    expect(valuesOf(first.additive)).toEqual(averageOf(0.5, 'GLOBAL').additive);
  });

  it('distinguishes a reason from an average whose region reads like it', () => {
    const store = new FactorStore();
    const uncovered: Uncovered = { reason: 'in_progress', detail: 'status 2023 0.5' };
    store.keep(packChoice(averageOf(0.5, 'in_progress status')));
    const kept = store.keep(packChoice({ additive: uncovered, nested: uncovered }));
    expect(kept).toEqual({ additive: uncovered, nested: uncovered });
  });
});
