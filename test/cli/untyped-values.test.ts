/*
 * What each command shows of values whose types the specification does not give: the value as the
 * service sent it. What no calculation can use is "not readable", never missing.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newFolder, run } from '../support/run.ts';
import { serve } from '../support/server.ts';

type Json = { [member: string]: unknown };

const factors = { scope_1_and_2_emission_factor: 0.015, total_upstream_emission_factor: 0.02 };
const emissions = () => ({
  scope_1: { total: 10 },
  scope_2: { total_market_based: 5 },
  scope_3: { total: 25, purchased_goods_and_services: 20 },
  total: 40,
});
const target = () => ({
  near_term: { has_target: true, target_status: 'set' },
  long_term: { has_target: true, target: '1.5', year: 2040 },
  net_zero: { has_target: true, target_year: 2050 },
});
const year = { year: 2024, region: 'GLOBAL', revenue_currency: 'EUR', revenue: 1000 };

/* Nothing else is missing or worth a finding. */
const others = {
  status: 'synced',
  hq_region: 'DE',
  industry: { name: 'Steel' },
  score: 0.5,
};

/* The value at a path of a year (y), of one with only factors (f), or of a target (t). */
const sent: readonly (readonly [path: string, value: unknown])[] = [
  ['y.year', '2024'],
  ['y.year', 'FY2024'],
  ['y.region', 12],
  ['y.revenue', '1000'],
  ['y.revenue', '1,000'],
  ['y.revenue', { amount: 1000 }],
  ['y.revenue_currency', ['EUR']],
  ['f.scope_1_and_2_emission_factor', '0.015'],
  ['f.scope_1_and_2_emission_factor', 'n/a'],
  ['y.emissions', 123],
  ['y.emissions', '123'],
  ['y.emissions', 'not disclosed'],
  ['y.emissions', [10, 5]],
  ['y.emissions', true],
  ['y.emissions', {}],
  ['y.emissions', null],
  ['y.emissions.total', '4e1'],
  ['y.emissions.total', '40 t'],
  ['y.emissions.scope_1', 10],
  ['y.emissions.scope_1', '10'],
  ['y.emissions.scope_1', 'about 10'],
  ['y.emissions.scope_1.total', '10,5'],
  ['y.emissions.scope_2.total_market_based', '5'],
  ['y.emissions.scope_3.purchased_goods_and_services', '?'],
  ['t.near_term', 'Committed'],
  ['t.near_term', false],
  ['t.near_term', 'in review'],
  ['t.near_term.has_target', 'maybe'],
  ['t.long_term', 'well below 2'],
  ['t.long_term.target', 1.5],
  ['t.net_zero', 'Committed'],
  ['t.net_zero.target_year', '2050'],
];

function recordOf(path: string, value: unknown, id: number): Json {
  const performance: Json = path.startsWith('f')
    ? { ...year, ...factors }
    : { ...year, emissions: emissions() };
  const data: Json = target();
  const names = path.split('.').slice(1);
  let parent = path.startsWith('t') ? data : performance;
  for (const name of names.slice(0, -1)) parent = parent[name] as Json;
  parent[names.at(-1) ?? ''] = value;
  return {
    id,
    name: `Org ${id}`,
    matching_organization: { id, name: `Org ${id}`, hq_region: 'DE' },
    ...others,
    performances: [performance],
    sbti: { data: [data] },
  };
}

/* The lines of `get`, the columns of `list` and `sync -o` that show a path, the longest first. */
const shown: readonly (readonly [path: string, get: RegExp, list: string, sync: string])[] = [
  ['y.year', /^emissions .* total: /, 'year', 'carbon_year'],
  ['y.region', / region: /, 'region', ''],
  ['y.revenue', /^performance/, 'revenue', ''],
  ['y.revenue_currency', /^performance/, 'revenue_currency', ''],
  ['f', /^performance/, 'scope_1_and_2_emission_factor', ''],
  ['y.emissions.scope_1', / scope 1: /, 'scope_1', 'carbon_scope_1'],
  ['y.emissions.scope_2', / scope 2: /, 'scope_2', 'carbon_scope_2'],
  [
    'y.emissions.scope_3',
    / scope 3: /,
    'emissions_scope_3_purchased_goods_and_services',
    'carbon_scope_3',
  ],
  ['y.emissions', /^emissions .* total: /, 'total', 'carbon_total'],
  ['t.near_term', / near term: /, 'sbti_near_term_target_status', 'carbon_sbti_near_term'],
  ['t.long_term', / long term: /, 'sbti_long_term_target', ''],
  ['t.net_zero', / net zero: /, 'sbti_net_zero_target_year', ''],
];

const cellsOf = (csv: string): Record<string, string> => {
  const [head = [], cells = []] = csv
    .split('\r\n')
    .map((line) =>
      [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, cell = '']) => cell),
    );
  return Object.fromEntries(head.map((name, index) => [name, cells[index] ?? '']));
};

describe('a value whose type the specification does not give', () => {
  it('is shown as the service sent it, and is never missing', async () => {
    const folder = newFolder();
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const rows: string[] = [];
    for (const [index, [path, value]] of sent.entries()) {
      const id = index + 1;
      const record = recordOf(path, value, id);
      const [, line, column, cell] =
        shown.find(([start]) => `${path}.`.startsWith(`${start}.`)) ?? [];
      const { env } = await serve({ json: record });
      const get = await run(['get', String(id)], { env });
      const list = file(`${id}.csv`, `name,spend,currency,year\nOrg ${id},100,EUR,2024\n`);
      const out = join(folder, `${id}-out.csv`);
      await run(['sync', list, '-o', out], { env });
      const synced = cellsOf(readFileSync(out, 'utf8'));
      const report = await run(['report', list]);
      const options = ['--csv', '--upstream-factor', 'additive'];
      const calculated = await run(['footprint', list, ...options]);
      const footprint = cellsOf(calculated.stdout);
      const refused = calculated.stdout === '' ? calculated.stderr.match(/but .*/)?.[0] : '';
      const listed = await run(['list', list, '--csv', '--columns', column ?? '']);
      const said = report.stdout
        .split('\n')
        .filter((each) => /^(?:SBTi|gaps|carbon check)/.test(each));
      const calculation = ['emissions', 'basis', 'uncovered', 'uncovered_detail', 'warning'];
      const all = {
        get:
          get.stdout
            .split('\n')
            .filter((each) => line?.test(each))
            .join() + get.stderr,
        list: Object.values(cellsOf(listed.stdout))[0],
        'sync -o': [cell && synced[cell], synced['carbon_checks']].filter(Boolean).join(' · '),
        report: said.join(' · '),
        footprint: [...calculation.map((name) => footprint[name]), refused]
          .filter(Boolean)
          .join(' · '),
      };
      rows.push(`${path} ${JSON.stringify(value)}`);
      for (const [name, text] of Object.entries(all)) rows.push(`  ${name.padEnd(11)}${text}`);
    }
    expect(rows.join('\n')).toMatchInlineSnapshot(`
      "y.year "2024"
        get        emissions 2024 total: 40
        list       2024
        sync -o    2024
        report     SBTi near term: set 1
        footprint  3.5000000000000004 · own
      y.year "FY2024"
        get        emissions FY2024 total: 40
        list       not readable: FY2024
        sync -o    not readable: FY2024 · not_readable
        report     SBTi near term: set 1 · gaps: emissions not readable 1 · carbon check of figures: warnings 1
        footprint  3.5000000000000004 · own · "not_readable: year is ""FY2024"", which is not a number"
      y.region 12
        get        emissions 2024 region: 12
        list       12
        sync -o    
        report     SBTi near term: set 1
        footprint  3.5000000000000004 · own
      y.revenue "1000"
        get        performance 2024: revenue 1000, currency EUR, region GLOBAL
        list       1000
        sync -o    
        report     SBTi near term: set 1
        footprint  3.5000000000000004 · own
      y.revenue "1,000"
        get        performance 2024: revenue not readable: 1,000, currency EUR, region GLOBAL
        list       "not readable: 1,000"
        sync -o    not_readable
        report     SBTi near term: set 1 · carbon check of figures: warnings 1
        footprint  not_readable · "revenue is 1,000" · "not_readable: revenue is ""1,000"", which is not a number"
      y.revenue {"amount":1000}
        get        performance 2024: revenue not readable: {"amount":1000}, currency EUR, region GLOBAL
        list       "not readable: {""amount"":1000}"
        sync -o    not_readable
        report     SBTi near term: set 1 · carbon check of figures: warnings 1
        footprint  not_readable · "revenue is {""amount"":1000}" · "not_readable: revenue is ""{\\""amount\\"":1000}"", which is not a number"
      y.revenue_currency ["EUR"]
        get        performance 2024: revenue 1000, currency ["EUR"], region GLOBAL
        list       "[""EUR""]"
        sync -o    
        report     SBTi near term: set 1
        footprint  but no records in this currency
      f.scope_1_and_2_emission_factor "0.015"
        get        performance 2024: revenue 1000, scope 1 and 2 emission factor 0.015, total upstream emission factor 0.02, currency EUR, region GLOBAL
        list       0.015
        sync -o    
        report     SBTi near term: set 1 · gaps: no emissions 1
        footprint  3.5000000000000004 · service
      f.scope_1_and_2_emission_factor "n/a"
        get        performance 2024: revenue 1000, scope 1 and 2 emission factor not readable: n/a, total upstream emission factor 0.02, currency EUR, region GLOBAL
        list       not readable: n/a
        sync -o    not_readable
        report     SBTi near term: set 1 · gaps: emissions not readable 1 · carbon check of figures: warnings 1
        footprint  not_readable · scope_1_and_2_emission_factor is n/a · "not_readable: scope_1_and_2_emission_factor is ""n/a"", which is not a number"
      y.emissions 123
        get        emissions 2024 total: 123
        list       123
        sync -o    123
        report     SBTi near term: set 1
        footprint  no_factor · the record has no factor for the boundary cradle-to-gate
      y.emissions "123"
        get        emissions 2024 total: 123
        list       123
        sync -o    123
        report     SBTi near term: set 1
        footprint  no_factor · the record has no factor for the boundary cradle-to-gate
      y.emissions "not disclosed"
        get        emissions 2024 total: not readable: not disclosed
        list       not readable: not disclosed
        sync -o    not readable: not disclosed · not_readable
        report     SBTi near term: set 1 · gaps: emissions not readable 1 · carbon check of figures: warnings 1
        footprint  not_readable · emissions.total is not disclosed · "not_readable: emissions.total is ""not disclosed"", which is not a number"
      y.emissions [10,5]
        get        emissions 2024 total: not readable: [10,5]
        list       "not readable: [10,5]"
        sync -o    "not readable: [10,5]" · not_readable
        report     SBTi near term: set 1 · gaps: emissions not readable 1 · carbon check of figures: warnings 1
        footprint  not_readable · "emissions.total is [10,5]" · "not_readable: emissions.total is ""[10,5]"", which is not a number"
      y.emissions true
        get        emissions 2024 total: not readable: true
        list       not readable: true
        sync -o    not readable: true · not_readable
        report     SBTi near term: set 1 · gaps: emissions not readable 1 · carbon check of figures: warnings 1
        footprint  not_readable · emissions.total is true · "not_readable: emissions.total is ""true"", which is not a number"
      y.emissions {}
        get        
        list       
        sync -o    
        report     SBTi near term: set 1 · gaps: no emissions 1
        footprint  no_factor · the record has no factor for the boundary cradle-to-gate
      y.emissions null
        get        
        list       
        sync -o    
        report     SBTi near term: set 1 · gaps: no emissions 1
        footprint  no_factor · the record has no factor for the boundary cradle-to-gate
      y.emissions.total "4e1"
        get        emissions 2024 total: 40
        list       40
        sync -o    40
        report     SBTi near term: set 1
        footprint  3.5000000000000004 · own
      y.emissions.total "40 t"
        get        emissions 2024 total: not readable: 40 t
        list       not readable: 40 t
        sync -o    not readable: 40 t · not_readable
        report     SBTi near term: set 1 · carbon check of figures: warnings 1
        footprint  3.5000000000000004 · own · "not_readable: emissions.total is ""40 t"", which is not a number"
      y.emissions.scope_1 10
        get        emissions 2024 scope 1: 10
        list       10
        sync -o    10
        report     SBTi near term: set 1
        footprint  3.5000000000000004 · own
      y.emissions.scope_1 "10"
        get        emissions 2024 scope 1: 10
        list       10
        sync -o    10
        report     SBTi near term: set 1
        footprint  3.5000000000000004 · own
      y.emissions.scope_1 "about 10"
        get        emissions 2024 scope 1: not readable: about 10
        list       not readable: about 10
        sync -o    not readable: about 10 · not_readable
        report     SBTi near term: set 1 · carbon check of figures: warnings 1
        footprint  not_readable · emissions.scope_1.total is about 10 · "not_readable: emissions.scope_1.total is ""about 10"", which is not a number"
      y.emissions.scope_1.total "10,5"
        get        emissions 2024 scope 1: not readable: 10,5
        list       "not readable: 10,5"
        sync -o    "not readable: 10,5" · not_readable
        report     SBTi near term: set 1 · carbon check of figures: warnings 1
        footprint  not_readable · "emissions.scope_1.total is 10,5" · "not_readable: emissions.scope_1.total is ""10,5"", which is not a number"
      y.emissions.scope_2.total_market_based "5"
        get        emissions 2024 scope 2: no data, market-based 5
        list       5
        sync -o    5
        report     SBTi near term: set 1
        footprint  3.5000000000000004 · own
      y.emissions.scope_3.purchased_goods_and_services "?"
        get        emissions 2024 scope 3: 25, purchased goods and services not readable: ?
        list       not readable: ?
        sync -o    25 · not_readable
        report     SBTi near term: set 1 · carbon check of figures: warnings 1
        footprint  not_readable · emissions.scope_3.purchased_goods_and_services is ? · "not_readable: emissions.scope_3.purchased_goods_and_services is ""?"", which is not a number"
      t.near_term "Committed"
        get        SBTi near term: status Committed
        list       committed
        sync -o    committed
        report     SBTi near term: committed 1
        footprint  3.5000000000000004 · own
      t.near_term false
        get        SBTi near term: no target, status none
        list       none
        sync -o    none
        report     SBTi near term: none 1
        footprint  3.5000000000000004 · own
      t.near_term "in review"
        get        SBTi near term: status in review
        list       in review
        sync -o    in review
        report     SBTi near term: in review 1
        footprint  3.5000000000000004 · own
      t.near_term.has_target "maybe"
        get        SBTi near term: maybe, status set
        list       set
        sync -o    set
        report     SBTi near term: set 1
        footprint  3.5000000000000004 · own
      t.long_term "well below 2"
        get        SBTi long term: target well below 2
        list       well below 2
        sync -o    
        report     SBTi near term: set 1
        footprint  3.5000000000000004 · own
      t.long_term.target 1.5
        get        SBTi long term: has a target, target 1.5, year 2040
        list       1.5
        sync -o    
        report     SBTi near term: set 1
        footprint  3.5000000000000004 · own
      t.net_zero "Committed"
        get        SBTi net zero: year Committed
        list       Committed
        sync -o    
        report     SBTi near term: set 1
        footprint  3.5000000000000004 · own
      t.net_zero.target_year "2050"
        get        SBTi net zero: has a target, year 2050
        list       2050
        sync -o    
        report     SBTi near term: set 1
        footprint  3.5000000000000004 · own"
    `);
  });
});
