/* The promise that a figure which carbon check calls an error is in no sum of list, and named. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonLines, newFolder, run } from '../support/run.ts';
import { recordOf } from './scene.ts';

const year = fc.record({
  year: fc.constantFrom(2023, 2024),
  region: fc.constant('GLOBAL'),
  emissions: fc.record({
    scope_1: fc.record({
      total: fc.integer({ min: -2, max: 9 }),
      mobile_combustion: fc.integer({ min: 0, max: 9 }),
    }),
  }),
});
const portfolio = fc.array(fc.uniqueArray(year, { selector: (each) => each.year, maxLength: 2 }), {
  minLength: 1,
  maxLength: 12,
});

it('a sum of list is that of the years without an error of check, and names the others', async () => {
  await fc.assert(
    fc.asyncProperty(portfolio, async (all) => {
      const records = all.map((performances, index) =>
        recordOf(index + 1, `Company ${index + 1}`, { performances }),
      );
      const path = join(newFolder(), 'records.ndjson');
      writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
      const errors = jsonLines((await run(['check', path, '--json'])).stdout).filter(
        ({ severity }) => severity === 'error',
      );
      const isWrong = (id: number, wanted: number) =>
        errors.some((each) => each.id === id && each.year === wanted);
      const rows = all.flatMap((performances, index) =>
        performances.map((each) => ({ id: index + 1, ...each })),
      );
      const wrong = new Set(rows.filter((row) => isWrong(row.id, row.year)).map(({ id }) => id));
      const words = ['--years', '--group-by', 'year', '--sum', 'scope_1', '--json'];
      const { stdout, stderr } = await run(['list', path, ...words]);
      for (const group of jsonLines(stdout)) {
        const right = rows.filter((row) => row.year === group.year && !isWrong(row.id, row.year));
        const sum = right.reduce((total, row) => total + row.emissions.scope_1.total, 0);
        expect(group.scope_1).toBe(right.length === 0 ? null : sum);
        expect(group.scope_1_rows).toBe(right.length);
      }
      const { statements } = jsonLines(stderr).at(-1)?.summary ?? {};
      const named = statements.find(({ rule }: { rule: string }) => rule === 'errors');
      expect(named?.left_out ?? 0).toBe(wrong.size);
      for (const id of [...wrong].slice(0, 3)) expect(named.text).toContain(`Company ${id}`);
    }),
    { numRuns: 40 },
  );
});
