/* The promise that one label means one population: here, in list, check and diff. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonLines, newFolder, run } from '../support/run.ts';
import { recordOf } from './scene.ts';

interface Company {
  readonly scope_1: number | null;
  readonly scope_2: number | null;
  /** The matched organization, which several companies may share. */
  readonly match: number;
}

/* A negative figure is an error of check; null is not disclosed. */
const figure = fc.option(fc.integer({ min: -1, max: 9 }));
const company = fc.record({
  scope_1: figure,
  scope_2: figure,
  match: fc.integer({ min: 1, max: 6 }),
});
const portfolio = fc.array(company, { minLength: 1, maxLength: 8 });

function write(companies: readonly (Company | null)[]): string {
  const lines = companies.flatMap((each, index) => {
    if (each === null) return [];
    const { scope_1, scope_2, match } = each;
    const emissions = {
      scope_1: { total: scope_1 },
      scope_2: { total_market_based: scope_2 },
    };
    const record = recordOf(index + 1, `Company ${index + 1}`, {
      matching_organization: { id: match, name: `Match ${match}` },
      performances: [{ year: 2024, region: 'GLOBAL', emissions }],
    });
    return `${JSON.stringify({ ...record, retrieved_at: '2026-01-10T08:00:00Z' })}\n`;
  });
  const path = join(newFolder(), 'records.ndjson');
  writeFileSync(path, lines.join(''));
  return path;
}

const summaryOf = (text: string) => jsonLines(text).at(-1)?.summary;

it('scope 1 + 2 of list is of the companies that a report counts, a match once', async () => {
  await fc.assert(
    fc.asyncProperty(portfolio, async (companies) => {
      const path = write(companies);
      const words = ['--group-by', 'year', '--sum', 'scope_1_and_2', '--json'];
      const { stdout } = await run(['list', path, ...words]);
      const groups = jsonLines(stdout);
      const report = JSON.parse((await run(['report', path, '--json'])).stdout);
      const listed = groups.find(({ year }) => year === 2024);
      const both = report.emissions.both_scopes;
      expect([listed?.scope_1_and_2 ?? null, listed?.scope_1_and_2_organizations ?? 0]).toEqual([
        both?.sum ?? null,
        both?.organizations ?? 0,
      ]);
    }),
    { numRuns: 40 },
  );
});

it('the companies of list and check are all records, and errors are the same in both', async () => {
  await fc.assert(
    fc.asyncProperty(portfolio, async (companies) => {
      const path = write(companies);
      const checked = await run(['check', path, '--json']);
      const wrong = new Set(
        jsonLines(checked.stdout)
          .filter(({ severity }) => severity === 'error')
          .map(({ id }) => id),
      );
      const [verdict] = summaryOf(checked.stderr).statements;
      expect(verdict).toMatchObject({ records: companies.length, wrong: wrong.size });
      const { stderr } = await run(['list', path, '--columns', 'id,check', '--csv']);
      const counted = (await run(['list', path, '--json'])).stderr;
      const disclosing = companies.filter(({ scope_1, scope_2 }) => (scope_1 ?? scope_2) !== null);
      expect(summaryOf(counted).statements[0]).toMatchObject({
        base: companies.length,
        of: companies.length,
        disclosing: disclosing.length,
      });
      const left = wrong.size === 1 ? '1 company' : `${wrong.size} companies`;
      if (wrong.size > 0) expect(stderr).toContain(left);
    }),
    { numRuns: 40 },
  );
});

it('the companies that diff says joined, left and changed are those of its rows', async () => {
  const snapshot = fc.array(fc.option(company), { minLength: 8, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(snapshot, snapshot, async (old, now) => {
      fc.pre([old, now].every((each) => each.some((some) => some !== null)));
      const { stdout, stderr } = await run(['diff', write(old), write(now), '--json']);
      const changes = jsonLines(stdout).map(({ change }) => change);
      const count = (wanted: string) => changes.filter((change) => change === wanted).length;
      const summary = summaryOf(stderr);
      const size = (all: readonly unknown[]) => all.filter((each) => each !== null).length;
      expect(summary).toMatchObject({ old: size(old), new: size(now) });
      for (const statement of summary.statements.filter(
        ({ rule }: { rule: string }) => rule === 'movers',
      ))
        expect(statement).toMatchObject({
          joined: count('new'),
          left: count('removed'),
          changed: count('changed'),
        });
    }),
    { numRuns: 40 },
  );
});
