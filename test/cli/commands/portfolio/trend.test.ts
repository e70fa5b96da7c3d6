import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newFolder, run } from '../../../support/run.ts';
import { runs } from '../../../support/seed.ts';

/*
 * A footprint and a comparison of the same file show one change without changes of data: two
 * numbers would contradict each other.
 */
const organizations = 8;

const performance = fc.record({
  year: fc.constantFrom(2019, 2023, 2024, 2025),
  region: fc.constantFrom('GLOBAL', 'GLOBAL', 'DE'),
  revenue_currency: fc.constantFrom(...Array<string>(9).fill('EUR'), 'USD'),
  revenue: fc.integer({ min: 100, max: 2_000 }),
  scopes: fc.integer({ min: 1, max: 500 }),
  upstream: fc.integer({ min: 1, max: 500 }),
  has: fc.constantFrom('emissions', 'factors', 'factors', 'both'),
});

const organization = fc.record({
  group: fc.constantFrom(0, 0, 1, 2),
  performances: fc.array(performance, { minLength: 1, maxLength: 4 }),
  average: fc.option(fc.integer({ min: 1, max: 900 }), { freq: 4 }),
  status: fc.constantFrom('synced', 'synced', 'synced', 'errored'),
  isKnown: fc.constantFrom(...Array<boolean>(9).fill(true), false),
  isTwice: fc.constantFrom(false, false, false, true),
});

const row = fc.record({
  of: fc.integer({ min: 1, max: organizations }),
  hasId: fc.constantFrom(true, true, false),
  called: fc.constantFrom(...Array<string>(14).fill(''), ' Europe', 'other'),
  country: fc.constantFrom(...Array<string>(80).fill('DE'), 'FR', ''),
  spend: fc.integer({ min: 1, max: 9_999 }),
  sign: fc.constantFrom(...Array<string>(9).fill(''), '-'),
  currency: fc.constantFrom(...Array<string>(15).fill('EUR'), 'USD'),
  year: fc.constantFrom(2023, 2024, 2024, 2025, 2025),
  hasYear: fc.constantFrom(...Array<boolean>(30).fill(true), false),
  category: fc.constantFrom('Steel', 'IT'),
});

const portfolio = fc.record({
  rows: fc.array(row, { minLength: 4, maxLength: 30 }),
  records: fc.array(organization, { minLength: organizations, maxLength: organizations }),
  year: fc.constantFrom('2025', '2025', '2024', undefined),
  isOfTwo: fc.boolean(),
  options: fc.constantFrom(
    [],
    [],
    ['--boundary', 'scope-1-2'],
    ['--boundary', 'total'],
    ['--max-factor-age', '1'],
    ['--rows', 'Category=Steel'],
    ['--spend-currency', 'EUR', '--map', 'spend_currency='],
  ),
  reading: fc.constantFrom(['--upstream-factor', 'additive'], ['--upstream-factor', 'nested'], []),
});

type Portfolio = typeof portfolio extends fc.Arbitrary<infer Value> ? Value : never;

const nameOf = (id: number, group: number) =>
  group === 0 ? `Firm${id}` : `Nord Group${group} Part${id}`;

function recordsOf({ records }: Portfolio): object[] {
  return records.flatMap(({ group, performances, average, status, isKnown, isTwice }, at) => {
    const id = at + 1;
    if (!isKnown) return [];
    const aliases = records.flatMap((each, other) =>
      each.group === group ? [{ value: nameOf(other + 1, group) }] : [],
    );
    const match = { id: 100 + id, name: nameOf(id, 0) };
    const shared = { id: group, name: `Nord Group${group}`, names: aliases };
    const made = {
      id,
      name: nameOf(id, group),
      hq_region: 'DE',
      status,
      matching_organization: group === 0 ? match : shared,
      performances: performances.map(({ scopes, upstream, has, ...each }) => ({
        ...each,
        ...(has !== 'factors' && {
          emissions: {
            scope_1: { total: scopes },
            scope_2: { total_market_based: 1 },
            scope_3: { purchased_goods_and_services: upstream },
            total: scopes + 1 + upstream,
          },
        }),
        ...(has !== 'emissions' && {
          scope_1_and_2_emission_factor: (scopes + 1) / each.revenue,
          total_upstream_emission_factor: upstream / each.revenue,
        }),
      })),
      ...(average !== null && {
        industry: {
          name: 'Steel',
          performances: [{ year: 2024, revenue_currency: 'EUR', emission_factor: average / 1_000 }],
        },
      }),
    };
    return isTwice ? [made, { ...made, performances: made.performances.slice(1) }] : [made];
  });
}

function write(made: Portfolio): string[] {
  const folder = newFolder();
  const [file, records] = [join(folder, 'purchases.csv'), join(folder, 'records.ndjson')];
  const lines = made.rows.flatMap(({ of, hasId, called, country, spend, sign, ...each }) => {
    if (made.isOfTwo && (each.year === 2023 || !each.hasYear)) return [];
    const own = nameOf(of, made.records[of - 1]?.group ?? 0);
    const name = called === 'other' ? 'Zeppelin' : `${own}${called}`;
    const year = each.hasYear ? each.year : '';
    return `${hasId ? of : ''},${name},${country},${sign}${spend},${each.currency},${year},${each.category}`;
  });
  writeFileSync(
    file,
    ['carbon_id,Supplier,Country,Spend,Currency,Year,Category', ...lines, ''].join('\n'),
  );
  writeFileSync(
    records,
    recordsOf(made)
      .map((each) => `${JSON.stringify(each)}\n`)
      .join(''),
  );
  return [file, '--records', records, ...made.options, ...made.reading];
}

async function summaryOf(argv: readonly string[]) {
  const { exit, stdout, stderr } = await run(['footprint', ...argv, '--json']);
  const last = stdout.trim().split('\n').at(-1) ?? '';
  return { exit, stderr, summary: last === '' ? undefined : JSON.parse(last).summary };
}

const seen = { numbers: 0, without: 0, several: 0 };

async function check(made: Portfolio): Promise<void> {
  const argv = write(made);
  const year = made.year === undefined ? [] : ['--year', made.year];
  const { exit, summary } = await summaryOf([...argv, ...year]);
  if (exit !== 0 && exit !== 9) return;
  const said = summary.statements.find(({ rule }: { rule: string }) => rule === 'direction');
  if (said === undefined) return;
  const { from, to, change, change_without_data: without, text } = said;
  const words = /add (--compare .*)$/.exec(text)?.[1]?.split(' ') ?? [];
  expect(words.slice(0, 2), text).toEqual(['--compare', String(from)]);
  const compared = await summaryOf([...argv, ...year, ...words]);
  if (without === null) {
    expect(text).toMatch(/^Not to be quoted: /);
    return;
  }
  expect([0, 9], compared.stderr).toContain(compared.exit);
  const [step] = compared.summary.bridge.steps;
  expect([step.before, step.after]).toEqual(
    [summary.previous, ...summary.years]
      .filter((each) => each !== null && [from, to].includes(each.year))
      .map(({ emissions }) => emissions),
  );
  expect(change).toBe(step.together / step.before);
  const known = ['method_and_data', 'coverage', 'currency_change'];
  const data = step.effects.filter(({ effect }: { effect: string }) => known.includes(effect));
  const sum = data.reduce((all: number, each: { emissions: number }) => all + each.emissions, 0);
  expect(without).toBeCloseTo((step.together - sum) / step.before, 9);
  const statements: readonly { readonly rule: string; readonly text: string }[] =
    compared.summary.statements;
  const trend = statements.find(({ rule }) => rule === 'direction')?.text ?? '';
  const shown = /; use it, not the change as calculated \(([^;,)]+)[,)]/.exec(text)?.[1];
  // Without a difference, a comparison has nothing to explain.
  if (step.effects.length === 0) return;
  // Each text begins with the change to use.
  expect(text.split(' ')[0]).toBe(trend.split(/,? /)[0]);
  const causes = statements.find(({ rule }) => rule === 'data')?.text ?? '';
  if (shown !== undefined) expect(causes).toContain(`, so ${shown} as calculated: `);
  else expect(trend).toContain(data.length === 0 ? 'none of it' : 'with or without');
  const title = statements.find(({ rule }) => rule === 'years')?.text ?? '';
  const because = (words: string) => /, mainly because [^;,.()]+/.exec(words)?.[0]?.trimEnd();
  expect(because(text)).toBe(because(title));
  const more: readonly { readonly emissions: number | null }[] = summary.trend.spent_more_with;
  const asked = compared.summary.ask.find(({ why }: { why: string }) => why === 'bought');
  const added = (asked?.suppliers ?? []).map((each: { emissions: number }) => each.emissions);
  if (more.length > 0) expect(more.map(({ emissions }) => emissions)).toEqual(added);
  const [first] = summary.trend.spent_more_with;
  if (first !== undefined)
    expect(statements.map((each) => each.text).join('\n')).toContain(
      `why you spent more with ${first.supplier ?? `ID ${first.id}`}`,
    );
  seen.numbers += 1;
  seen.without += Number(data.length > 0);
  seen.several += Number(made.year === undefined);
}

describe('the trend of a footprint', () => {
  it('is the change of the comparison that it names', { tags: ['property'] }, async () => {
    await fc.assert(fc.asyncProperty(portfolio, check), { numRuns: runs(800) });
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(runs(40));
  });

  it('is no number if the comparison may judge the record of a supplier that moved otherwise', async () => {
    const folder = newFolder();
    const [file, records] = [join(folder, 'purchases.csv'), join(folder, 'records.ndjson')];
    const textIn = async (country: string) => {
      const rows = [`1,Acme,DE,11,EUR,2025`, `1,Acme,${country},10,EUR,2024`];
      writeFileSync(file, ['carbon_id,name,country,spend,currency,Year', ...rows, ''].join('\n'));
      const average = { year: 2024, revenue_currency: 'EUR', emission_factor: 0.5 };
      const industry = { name: 'Steel', performances: [average] };
      const record = { id: 1, name: 'Acme', hq_region: 'DE', status: 'synced', industry };
      writeFileSync(records, JSON.stringify(record));
      const { summary } = await summaryOf([file, '--records', records, '--year', '2025']);
      return summary.statements.find(({ rule }: { rule: string }) => rule === 'direction').text;
    };
    expect(await textIn('DE')).toBe(
      '+10.0% from 2024 to 2025, none of it from data changes (of method, data or coverage), mainly because you spent more (above all with Acme +0.5); for all causes, add --compare 2024',
    );
    expect(await textIn('FR')).toMatch(
      /^Not to be quoted: emissions rose 10\.0% from 2024 to 2025/,
    );
  });
});
