/* Compares what a report says with a second computation from the records, and checks its rules. */
import { describe, expect, it } from 'vitest';
import { close } from '../../support/close.ts';
import { snapshotOf, summarize } from './inputs.ts';
import { documentsOf, type Made, portfolios } from './portfolios.ts';
import { leftOutOf, populationOf, recount } from './recount.ts';

async function reportOf(made: readonly Made[]) {
  const { document } = summarize(await snapshotOf(...documentsOf(made)));
  return document;
}

const all = portfolios();
const documents = await Promise.all(all.map(reportOf));
const order = ['count', 'trend', 'concentration', 'targets', 'missing', 'errors'];

describe('statements of a report', () => {
  it('have the numbers and words of a second computation', () => {
    const seen = new Map<string, number>();
    for (const [index, document] of documents.entries()) {
      const made = all[index] ?? [];
      const { statements } = document;
      const expected = recount(made);
      expect(close(statements, expected), `portfolio ${index}`).toEqual(expected);
      for (const { rule } of statements) seen.set(rule, (seen.get(rule) ?? 0) + 1);
    }
    for (const rule of order) expect(seen.get(rule), rule).toBeGreaterThan(5);
  });

  it('have at least half of their whole as base, and the order of the table', () => {
    for (const [index, document] of documents.entries()) {
      const made = all[index] ?? [];
      const { statements } = document;
      const rules = statements.map(({ rule }) => rule);
      expect(rules, `portfolio ${index}`).toEqual(order.filter((rule) => rules.includes(rule)));
      expect(statements.length, `portfolio ${index}`).toBeLessThanOrEqual(5);
      for (const { base, of, text } of statements) {
        expect([2 * base >= of, base <= of, of], text).toEqual([true, true, made.length]);
        expect(text).not.toMatch(
          /NaN|Infinity|undefined|\b1 companies|\b\d+ company\b(?<!\b1 company)/,
        );
      }
    }
  });
});

describe('scope 1 + 2 of a report', () => {
  it('is of one population in every member', () => {
    for (const [index, document] of documents.entries()) {
      const made = all[index] ?? [];
      const { emissions, largest_emitters: largest } = document;
      const { both_scopes: both } = emissions;
      const population = populationOf(made);
      expect(both?.year, `portfolio ${index}`).toBe(population?.year);
      if (both === null || population === undefined) continue;
      const sums = emissions.years.find(({ year }) => year === both.year)?.scope_1_and_2;
      expect([both.sum, both.organizations], `portfolio ${index}`).toEqual([
        sums?.sum,
        sums?.organizations,
      ]);
      const { years = [], values: runs = [] } = population.compared ?? {};
      const compared = years.map((year, at) => {
        return { year, sum: runs.reduce((sum, run) => sum + (run[at] ?? Number.NaN), 0) };
      });
      const [risen, fallen] = runs.reduce(
        ([up, down], run) => {
          const [before = 0, after = 0] = run
            .slice(-2)
            .map((value) => Number(value.toPrecision(12)));
          return [up + Number(after > before), down + Number(after < before)];
        },
        [0, 0] as readonly [number, number],
      );
      const moves = { rose: risen, fell: fallen };
      const expected =
        years.length === 0 ? null : { organizations: runs.length, ...moves, years: compared };
      expect(close(both.like_for_like, expected), `portfolio ${index}`).toEqual(expected);
      const values = population.members.map(({ value }) => value).sort((a, b) => b - a);
      const ids = population.members.map(({ made: { record } }) => record.id);
      expect(
        largest.map((each) => each.scope_1_and_2),
        `portfolio ${index}`,
      ).toEqual(values.slice(0, 10));
      for (const { id, share } of largest) {
        expect(ids, `portfolio ${index}`).toContain(id);
        expect(share === null || share <= 1).toBe(true);
      }
      expect(both.targets.reduce((sum, { organizations }) => sum + organizations, 0)).toBe(
        values.length,
      );
    }
  });

  it('has no figure of a record with an error, which is named', () => {
    for (const [index, document] of documents.entries()) {
      const made = all[index] ?? [];
      const { left_out: left, largest_emitters: largest } = document;
      const wrong = leftOutOf(made);
      const named = left.records.map(({ id, name }) => [id, name]);
      const expected = wrong.map(({ record: { id, name } }) => [id, name]);
      expect(named, `portfolio ${index}`).toEqual(expected);
      for (const { id, year } of largest)
        for (const { record, wrongYears, isOther } of wrong)
          expect(record.id === id && (isOther || wrongYears.includes(year))).toBe(false);
    }
  });
});
