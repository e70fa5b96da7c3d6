/* The promise that one label means one population: here, in report and footprint. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { jsonLines, newFolder, run } from '../support/run.ts';

const both = (year: number, scope1: number, scope2: number) => ({
  year,
  revenue: 1_000,
  revenue_currency: 'EUR',
  emissions: { scope_1: { total: scope1 }, scope_2: { total_market_based: scope2 } },
});
const record = (id: number, name: string, performances: readonly object[], match = id) => ({
  id,
  name,
  status: 'synced',
  matching_organization: {
    id: match,
    name: match === id ? name : 'Nord',
    names: [{ value: name }],
  },
  performances,
});

function filesOf(records: readonly object[], rows: readonly string[] = []) {
  const folder = newFolder();
  const [path, spend] = [join(folder, 'records.ndjson'), join(folder, 'spend.csv')];
  writeFileSync(path, records.map((each) => `${JSON.stringify(each)}\n`).join(''));
  writeFileSync(spend, `id,name,spend,currency,year\n${rows.join('\n')}\n`);
  return { path, spend, page: join(folder, 'page.html') };
}

describe('scope 1 + 2 of a report', () => {
  /* Two companies disclose both scopes in both years, one both in 2023 only, one scope 1 only. */
  const { scope_1 } = both(2024, 7_777, 0).emissions;
  const records = [
    record(1, 'Acme', [both(2024, 100, 50), both(2023, 80, 20)]),
    record(2, 'Globex', [both(2024, 60, 40), both(2023, 60, 40)]),
    record(3, 'Initech', [both(2023, 5_000, 500)]),
    record(4, 'Hooli', [{ year: 2024, emissions: { scope_1 } }]),
  ];

  it('is of the companies that disclose both, in every member of the JSON', async () => {
    const { path } = filesOf(records);
    const document = JSON.parse((await run(['report', path, '--json'])).stdout);
    const { both_scopes: population, years, changes } = document.emissions;
    expect(population).toMatchObject({ year: 2024, organizations: 2, sum: 250 });
    expect(population.like_for_like).toEqual({
      organizations: 2,
      rose: 1,
      fell: 0,
      years: [
        { year: 2023, sum: 200 },
        { year: 2024, sum: 250 },
      ],
    });
    expect(years[0].scope_1_and_2).toEqual({ sum: 250, organizations: 2 });
    expect(changes[0]).toMatchObject({ like_for_like: 0.25, organizations: 2 });
    const emitters = document.largest_emitters as { name: string; share: number }[];
    expect(emitters.map(({ name, share }) => [name, share])).toEqual([
      ['Acme', 0.6],
      ['Globex', 0.4],
    ]);
    for (const { rule, base } of document.statements)
      if (['trend', 'concentration'].includes(rule)) expect([rule, base]).toEqual([rule, 2]);
    expect(document.statements[0].text).toBe(
      'Scope 1 and 2 rose 25.0% since 2023 (the 2 companies that disclose both scopes in 2023 and 2024: 1 rose, 1 unchanged)',
    );
  });

  it('is the same in a terminal, a pipe and a page', async () => {
    const { path, page } = filesOf(records);
    const pipe = (await run(['report', path])).stdout;
    expect(pipe).toMatch(/^emissions 2024 .*scope 1 \+ 2 250 \(2\)/m);
    expect(pipe).toMatch(/^largest emitter 1: Acme, scope 1 \+ 2 150,/m);
    expect(pipe).not.toContain('largest emitter 3');
    const screen = (await run(['report', path], { terminal: 100 })).stdout;
    expect(screen).toContain('Scope 1 and 2 rose 25.0%');
    await run(['report', path, '-o', page]);
    const html = readFileSync(page, 'utf8');
    expect(html).toContain('Scope 1 + 2 of 2024, all 2 companies that disclose both');
    // What all companies disclosed for 2023 is only in the table of the years.
    expect(pipe).toMatch(/^emissions 2023 partial: .*scope 1 \+ 2 5700 \(3\)/m);
    expect(html).not.toMatch(/5,?700|8,?027/);
  });
});

it('one company is one in every view of a report', async () => {
  const { path, page } = filesOf([record(1, 'Acme', [both(2024, 100, 50), both(2023, 80, 20)])]);
  await run(['report', path, '-o', page]);
  const html = readFileSync(page, 'utf8');
  const screen = (await run(['report', path, '--full'], { terminal: 200 })).stdout;
  for (const text of [html, screen]) {
    expect(text).toMatch(/1 (?:company|organization) that discloses both/);
    expect(text).not.toMatch(/\b1 (?:company|organization) that disclose\b/);
  }
});

describe('suppliers of a footprint', () => {
  it('are those whose rows count, a group once, in every number of them', async () => {
    const records = [
      record(1, 'Nord Steel', [both(2024, 100, 50)], 9),
      record(2, 'Nord Rail', [both(2024, 100, 50)], 9),
      record(3, 'Globex', [both(2024, 60, 40)]),
      record(4, 'Hooli', []),
    ];
    const rows = ['1,Nord Steel,1000', '2,Nord Rail,1000', '3,Globex,1000', '4,Hooli,500'];
    // What was returned for more than it cost counts in no total.
    const credit = '5,Initech,-10,EUR,2024';
    const { path, spend } = filesOf(records, [...rows.map((row) => `${row},EUR,2024`), credit]);
    const argv = ['footprint', spend, '--records', path, '--boundary', 'scope-1-2', '--json'];
    const summary = jsonLines((await run(argv)).stdout).at(-1)?.summary;
    expect(summary).toMatchObject({ suppliers: 3, covered_suppliers: 2, emissions: 400 });
    expect(summary.statements[0]).toMatchObject({
      rule: 'total',
      text: 'Your purchases of 2024 caused known emissions of 400. From 2 of 3 suppliers; 86% of the EUR spend has emissions',
      base: 2,
      of: 3,
    });
    for (const { base, of } of summary.statements) expect([base, of]).toEqual([2, 3]);
    const { targets } = summary.sbti_coverage as { targets: { suppliers: number }[] };
    expect(targets.reduce((sum, { suppliers }) => sum + suppliers, 0)).toBe(3);
    expect(summary.largest.map((each: { supplier: string }) => each.supplier)).toEqual([
      'Nord',
      'Globex',
    ]);
  });
});
