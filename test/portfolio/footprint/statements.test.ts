/* Compares what a footprint says with a second computation from the spend and the factors. */
import { describe, expect, it } from 'vitest';
import { statements } from '../../../src/portfolio/footprint/statements.ts';
import { close } from '../../support/close.ts';
import { footprint } from './portfolio.ts';
import { allSpend, inputsOf, type MadeSpend, recount, recountAverages } from './recount.ts';

function summaryOf(made: MadeSpend) {
  const { purchases, records } = inputsOf(made);
  const { boundary, unit } = made;
  const method = { boundary, unit, upstreamFactor: 'additive' } as const;
  return footprint(purchases, records, method).summary;
}

const statementsOf = (made: MadeSpend) => statements(summaryOf(made));

const all = allSpend();
const order = ['count', 'total', 'origin', 'concentration', 'direction', 'sensitivity', 'errors'];

describe('statements of a footprint', () => {
  it('have the numbers and words of a second computation', () => {
    const seen = new Map<string, number>();
    for (const [index, made] of all.entries()) {
      const found = statementsOf(made);
      const expected = recount(made);
      expect(close(found, expected), `spend ${index}`).toEqual(expected);
      for (const { rule } of found) seen.set(rule, (seen.get(rule) ?? 0) + 1);
    }
    for (const rule of order) expect(seen.get(rule), rule).toBeGreaterThan(5);
  });

  it('are followed by the suppliers to ask that a second computation finds', () => {
    let number = 0;
    for (const [index, made] of all.entries()) {
      const { suppliers, largest } = summaryOf(made).on_averages;
      const shown = largest.map(({ emissions, share }) => ({ emissions, share }));
      const expected = recountAverages(made);
      const found = { suppliers, largest: shown };
      expect(close(found, expected), `spend ${index}`).toEqual(expected);
      number += suppliers;
    }
    expect(number).toBeGreaterThan(50);
  });

  it('have at least half of their whole as base, and the order of the table', () => {
    for (const [index, made] of all.entries()) {
      const found = statementsOf(made);
      const rules = found.map(({ rule }) => rule);
      expect(rules, `spend ${index}`).toEqual(order.filter((rule) => rules.includes(rule)));
      for (const { base, of, text } of found) {
        expect([2 * base >= of, base <= of], text).toEqual([true, true]);
        expect(text).not.toMatch(/NaN|Infinity|undefined|\b1 suppliers/);
      }
    }
  });
});
