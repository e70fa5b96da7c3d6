/* Compares footprints with an independent program, which was written from the method page alone. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dateText } from '../../../src/display/terminal/format.ts';
import {
  bridge,
  effectsBetween,
  type Step,
  withoutEffects,
} from '../../../src/portfolio/footprint/bridge.ts';
import { asksOf } from '../../../src/portfolio/footprint/bridge-asks.ts';
import type { BridgeItem } from '../../../src/portfolio/footprint/bridge-cells.ts';
import { dataEffects } from '../../../src/portfolio/footprint/data-effects.ts';
import { readScopes1And2 } from '../../../src/portfolio/footprint/factors/figures.ts';
import { engage } from '../../../src/portfolio/footprint/goal.ts';
import { type ChangeKind, changeKinds } from '../../../src/portfolio/footprint/goal-changes.ts';
import {
  directionOf,
  type GoalDirection,
} from '../../../src/portfolio/footprint/goal-direction.ts';
import { parseGoal } from '../../../src/portfolio/footprint/goal-share.ts';
import type {
  Boundary,
  MissingFigures,
  UpstreamReading,
} from '../../../src/portfolio/footprint/line-item.ts';
import type { GoalResult } from '../../../src/portfolio/footprint/measure-goal.ts';
import { TotalRows } from '../../../src/portfolio/footprint/spend/total-rows.ts';
import { statements } from '../../../src/portfolio/footprint/statements.ts';
import { ownPartText } from '../../../src/portfolio/footprint/views/bridge-certainty.ts';
import { withoutData } from '../../../src/portfolio/footprint/views/bridge-statements.ts';
import { mostChangedBy } from '../../../src/portfolio/footprint/views/bridge-steps.ts';
import type { SupplierCause } from '../../../src/portfolio/footprint/views/bridge-words.ts';
import { goalStatements } from '../../../src/portfolio/footprint/views/goal-statements.ts';
import { changeWords } from '../../../src/portfolio/footprint/views/goal-words.ts';
import { bothScopes, readEmissions } from '../../../src/portfolio/organizations/emissions.ts';
import { UsageError } from '../../../src/runtime/carbon-error.ts';
import { close } from '../../support/close.ts';
import { describeNeeds, python } from '../../support/programs.ts';
import { runs } from '../../support/seed.ts';
import { footprint, own, record as recordWith } from './portfolio.ts';
import { allSpend, inputsOf } from './recount.ts';

const amount = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: 0, max: 10 ** 9 }) },
  { weight: 12, arbitrary: fc.double({ min: 0, max: 10 ** 6, noNaN: true }) },
  { weight: 11, arbitrary: fc.constantFrom(0, null, undefined) },
  { weight: 1, arbitrary: fc.constant(-1) },
);
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const currency = fc.constantFrom('EUR', 'EUR', 'EUR', 'USD', null);
const year = fc.oneof(fc.integer({ min: 2012, max: 2025 }), fc.constantFrom(null, 2023, 2024));
const scope2 = fc.record({
  total_market_based: maybe(amount),
  total_location_based: maybe(amount),
  total: maybe(amount),
});
const emissions = fc.record({
  scope_1: fc.record({ total: maybe(amount), sum: maybe(amount) }),
  scope_2: scope2,
  scope_1_and_2: maybe(scope2),
  scope_3: fc.record({
    purchased_goods_and_services: maybe(amount),
    capital_goods: maybe(amount),
    business_travel: maybe(amount),
    use_of_sold_products: maybe(amount),
    total: maybe(amount),
  }),
  total: maybe(amount),
  sum: maybe(amount),
});

type Drawn = typeof emissions extends fc.Arbitrary<infer Value> ? Value : never;

/* The figures with totals that contain their parts, where they have a total. */
function withTotals(drawn: Drawn | undefined): Drawn | undefined {
  if (drawn === undefined) return undefined;
  const { scope_1: first, scope_2: second, scope_1_and_2: both, scope_3 } = drawn;
  const { total: ofScope3, ...parts } = scope_3;
  const amounts = Object.values(parts).map((each) => each ?? 0);
  const sum = amounts.reduce((all, each) => all + each, 0);
  const two = second.total_market_based ?? second.total_location_based ?? second.total;
  const joint = both?.total_market_based ?? both?.total_location_based ?? both?.total;
  const one = first.total ?? first.sum;
  const whole =
    (two == null ? (joint ?? one ?? 0) : (one ?? 0) + two) + (ofScope3 == null ? 0 : sum);
  const total = Math.max(whole, ...amounts);
  const known = <Value>(value: Value, instead: number) =>
    typeof value === 'number' ? instead : value;
  return {
    ...drawn,
    scope_3: { ...scope_3, total: known(ofScope3, sum) },
    total: known(drawn.total, total),
    sum: known(drawn.sum, total),
  };
}

const rate = fc.double({ min: 0, max: 2, noNaN: true });

/* Factors that agree with the figures under one reading, so that most records are evidence. */
const performance = fc
  .record({
    year,
    region: fc.constantFrom('GLOBAL', 'DE', 'US'),
    revenue_currency: currency,
    revenue: fc.oneof(fc.integer({ min: 1, max: 10 ** 9 }), fc.constantFrom(null, 0)),
    emissions: maybe(emissions),
    totals: fc.constantFrom(...Array<'right'>(7).fill('right'), 'random'),
    factors: fc.constantFrom('additive', 'additive', 'nested', 'none', 'zero', 'random'),
    random: fc.tuple(rate, rate),
  })
  .map(({ factors, random, totals, ...drawn }) => {
    const figures = totals === 'right' ? withTotals(drawn.emissions) : drawn.emissions;
    const known = { ...drawn, emissions: figures };
    const { revenue } = known;
    const scope3 = figures?.scope_3;
    const upstream =
      Math.max(0, scope3?.purchased_goods_and_services ?? 0) +
      Math.max(0, scope3?.capital_goods ?? 0) +
      Math.max(0, scope3?.business_travel ?? 0);
    const own = (figures?.scope_1.total ?? 0) + (figures?.scope_2.total_market_based ?? 0);
    if (factors === 'none') return known;
    if (factors === 'zero')
      return { ...known, scope_1_and_2_emission_factor: 0, total_upstream_emission_factor: 0.5 };
    if (factors === 'random' || !revenue) {
      const [scope_1_and_2_emission_factor, total_upstream_emission_factor] = random;
      return { ...known, scope_1_and_2_emission_factor, total_upstream_emission_factor };
    }
    const total = figures?.total ?? figures?.sum;
    return {
      ...known,
      scope_1_and_2_emission_factor: own / revenue,
      total_upstream_emission_factor: (upstream + (factors === 'nested' ? own : 0)) / revenue,
      ...(typeof total === 'number' && total > 0 && { emission_factor: total / revenue }),
    };
  });

const record = fc.record({
  hq_region: fc.constantFrom('DE', 'FR'),
  status: fc.constantFrom('synced', 'synced', 'errored', 'locating'),
  target: fc.constantFrom(null, [], 'set', 'set', 'committed', 'removed', 'none', 'with_target'),
  retrieved_at: fc.constantFrom(undefined, '2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'),
  // The records of a group have one matched organization.
  group: fc.constantFrom(0, 0, 0, 1, 2),
  performances: fc.array(performance, { maxLength: 5 }),
  industry: maybe(
    fc.record({
      performances: fc.array(
        fc.record({
          year,
          revenue_currency: currency,
          emission_factor: fc.double({ min: 0, max: 3, noNaN: true }),
        }),
        { maxLength: 2 },
      ),
    }),
  ),
});

const row = fc.record({
  id: fc.integer({ min: 1, max: 14 }),
  currency: fc.constantFrom('EUR', 'EUR', 'EUR', 'USD'),
  year: fc.constantFrom(2024, 2024, 2023, null),
  category: fc.constantFrom('Steel', 'IT', null),
  called: fc.constantFrom('an alias', 'an alias', 'an alias', 'another word', 'another company'),
  spend: fc
    .tuple(
      fc.constantFrom('', '', '', '', '-'),
      fc.integer({ min: 0, max: 10 ** 8 }),
      fc.integer({ min: 0, max: 4 }),
    )
    .map(([sign, units, places]) => {
      const digits = String(units).padStart(places + 1, '0');
      const split = digits.length - places;
      return `${sign}${digits.slice(0, split)}${places === 0 ? '' : `.${digits.slice(split)}`}`;
    }),
});

const portfolio = fc
  .record({
    boundary: fc.constantFrom<Boundary>('cradle-to-gate', 'cradle-to-gate', 'scope-1-2', 'total'),
    upstream_factor: fc.constantFrom<UpstreamReading | null>('additive', 'nested', null),
    rows: fc.array(row, { minLength: 1, maxLength: 40 }),
    records: fc
      .array(record, { minLength: 8, maxLength: 12 })
      .map((records) => records.map((each, index) => ({ id: index + 1, ...each }))),
  })
  .map(({ rows, records, ...options }) => {
    const nameOf = (id: number) => {
      const group = records[id - 1]?.group ?? 0;
      return group === 0 ? `Firm${id}` : `Nord Group${group} Part${id}`;
    };
    return {
      ...options,
      rows: rows.map(({ called, ...each }) => {
        const own = nameOf(each.id);
        const others = { 'another word': `${own} Europe`, 'another company': 'Zeppelin' };
        return { ...each, name: called === 'an alias' ? own : others[called] };
      }),
      records: records.map(({ group, target, ...each }) => {
        const members = records
          .filter((other) => other.group === group)
          .map(({ id }) => nameOf(id));
        const match = { id: 100 + each.id, name: nameOf(each.id), names: [] as string[] };
        return {
          ...each,
          sbti: target === null ? null : { data: [target].flat() },
          matching_organization:
            group === 0 ? match : { id: group, name: `Nord Group${group}`, names: members },
        };
      }),
    };
  });

/* The records as the service sends them. */
function recordOf({ matching_organization: match, sbti, ...each }: Portfolio['records'][number]) {
  const targets = sbti?.data.map((status) => ({
    near_term: status === 'with_target' ? { has_target: true } : { target_status: status },
  }));
  return {
    ...each,
    sbti: targets && { data: targets },
    matching_organization: { ...match, names: match.names.map((value) => ({ value })) },
  };
}

type Portfolio = typeof portfolio extends fc.Arbitrary<infer Value> ? Value : never;

function calculate({ rows, records, boundary, upstream_factor }: Portfolio) {
  try {
    const { items, entries, summary } = footprint(
      rows.map(({ currency: code, year: of, category, ...each }) => ({
        ...each,
        currency: code,
        year: of ?? undefined,
        category: category ?? undefined,
      })),
      records.map(recordOf),
      { boundary, upstreamFactor: upstream_factor ?? undefined },
    );
    return {
      items: items.map((item, at) => ({
        needs: needsOf(entries[at]?.factor?.lack?.figures ?? entries[at]?.uncovered?.figures),
        id: item.id,
        name: item.supplier,
        currency: item.currency,
        year: item.spend_year,
        category: item.category,
        spend: item.spend,
        basis: item.basis,
        factor: item.factor,
        factor_year: item.factor_year,
        emissions: item.emissions,
        uncovered: item.uncovered,
        excluded: item.excluded,
        share: item.share,
        target: item.sbti_near_term,
      })),
      summary: {
        years: Object.fromEntries(
          summary.years.map(({ year: of, emissions: total }) => [
            of === null ? 'None' : String(of),
            total,
          ]),
        ),
        targets: Object.fromEntries(
          summary.sbti_coverage.targets.map((each) => [
            each.status,
            [each.suppliers, each.by_emissions, each.by_spend],
          ]),
        ),
        statements: statements(summary),
        line_items: summary.line_items,
        covered_line_items: summary.covered_line_items,
        by_basis: summary.emissions_by_basis,
        on_averages: {
          suppliers: summary.on_averages.suppliers,
          largest: summary.on_averages.largest.map((each) => [each.emissions, each.share]),
        },
        supplier_data_share: [summary.supplier_data_share.from, summary.supplier_data_share.to],
        spend: Object.fromEntries(
          Object.entries(summary.spend).map(([code, { total, covered }]) => [
            code,
            [total, covered],
          ]),
        ),
      },
    };
  } catch (error) {
    if (error instanceof UsageError) return { exit: 2 };
    throw error;
  }
}

function needsOf(figures: MissingFigures | undefined) {
  if (figures === undefined) return null;
  const { year: of, scopes1And2, upstream, revenue } = figures;
  return [of, scopes1And2, upstream, revenue];
}

/* Rows of a file, many of which have the sum of some of the rows above. */
const amounts = fc
  .array(
    fc.record({
      currency: fc.constantFrom('EUR', 'EUR', 'USD'),
      number: fc.integer({ min: -20, max: 500 }),
      places: fc.constantFrom(0, 0, 1),
      sumOf: fc.constantFrom(0, 0, 0, 1, 2, 3, 'all', 'currency'),
      is_bare: fc.constantFrom(true, true, false),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((given) => {
    const rows: { amount: string; currency: string; is_bare: boolean }[] = [];
    for (const { currency: code, number, places, sumOf, is_bare } of given) {
      const same = rows.filter((each) => sumOf !== 'currency' || each.currency === code);
      const some = typeof sumOf === 'number' ? same.slice(same.length - sumOf) : same;
      const total = some.reduce((sum, { amount: text }) => sum + Number(text), 0);
      const value = sumOf === 0 ? number / 10 ** places : total;
      const isBare = sumOf === 0 ? false : is_bare;
      rows.push({ amount: value.toFixed(places), currency: code, is_bare: isBare });
    }
    return { amounts: rows };
  });

function totalsOf(
  rows: (typeof amounts extends fc.Arbitrary<infer Value> ? Value : never)['amounts'],
) {
  const totals = new TotalRows();
  return rows.flatMap(({ amount: text, currency: code, is_bare }, line) => {
    const scale = text.split('.')[1]?.length ?? 0;
    const spend = { units: BigInt(text.replace('.', '')), scale };
    const row = { line, isBare: is_bare, hasLabel: false, spend, currency: code };
    return totals.isTotal(row) ? [line] : [];
  });
}

describe('scope 2', () => {
  it('is the same figure in a factor and in every view', { tags: ['property'] }, () => {
    fc.assert(
      fc.property(scope2, (figures) => {
        fc.pre(Object.values(figures).every((value) => typeof value !== 'number' || value >= 0));
        const all = { scope_1: { total: 1 }, scope_2: figures };
        const { scope2: shown } = readEmissions(all);
        expect(readScopes1And2(all)?.scope2).toBe(shown?.value);
        expect(readScopes1And2(all)?.both).toBe(bothScopes(readEmissions(all))?.value);
      }),
    );
  });
});

/* Runs the program once for all values. */
function recompute(values: readonly object[]) {
  const output = execFileSync(python, ['-B', join(import.meta.dirname, 'reference.py')], {
    input: values.map((each) => JSON.stringify(each)).join('\n'),
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  return output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/* Numbers with the digits that two ways of adding up have in common. */
function rounded(value: object): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, each) =>
      typeof each === 'number' ? Number(each.toPrecision(11)) : each,
    ),
  );
}

const today = '2026-01-01';

/*
 * Suppliers with a factor and a status, or without a record; and since when, and with which status
 * and organization then.
 */
const engaged = fc.record({
  goal: fc.integer({ min: 1, max: 100 }),
  suppliers: fc
    .array(
      fc.record({
        spend: fc.integer({ min: 1, max: 10 ** 6 }),
        factor: fc.option(fc.integer({ min: 1, max: 400 }).map((units) => units / 8)),
        status: fc.constantFrom('set', 'committed', 'removed', 'none'),
        is_average: fc.boolean(),
        is_matched: fc.constantFrom(true, true, true, false),
        ends: fc.constantFrom(null, 2027, 2028),
        currency: fc.constantFrom('EUR', 'EUR', 'EUR', 'USD'),
        first: fc.constantFrom('2025-12-01', '2025-12-01', '2025-12-02', '2025-12-03', today),
        status_then: fc.constantFrom('set', 'set', 'committed', 'none'),
        is_other: fc.constantFrom(false, false, false, true),
      }),
      { minLength: 1, maxLength: 12 },
    )
    .map((all) => all.map((each, index) => ({ id: index + 1, ...each }))),
});

type Engaged = typeof engaged extends fc.Arbitrary<infer V> ? V : never;

async function sharesOf({ goal, suppliers }: Engaged) {
  const rows = suppliers.map(({ id, spend, currency: code }) => {
    return { id, spend: String(spend), currency: code };
  });
  const recordsOf = (all: typeof suppliers) =>
    all.flatMap(({ id, factor, status, is_average, is_matched, ends, is_other, ...each }) => {
      if (factor === null) return [];
      const { currency: revenue_currency } = each;
      const figures = own(2024, [factor * 500, 0, factor * 500], { revenue_currency });
      const average = { year: 2024, emission_factor: factor, revenue_currency };
      const target = { near_term: { has_target: status !== 'none', target_status: status } };
      const detail = ends === null ? {} : { target_detail: `42% by FY${ends} from 2019` };
      const more = {
        sbti: { data: [{ ...target, ...detail }] },
        matching_organization: is_matched ? { id: is_other ? 1_000 + id : id } : null,
      };
      return is_average
        ? [recordWith(id, [], { ...more, industry: { performances: [average] } })]
        : [recordWith(id, [figures], more)];
    });
  const records = recordsOf(suppliers.map((each) => ({ ...each, is_other: false })));
  const { entries, groupsWith } = footprint(rows, records, { upstreamFactor: 'additive' });
  const wanted = parseGoal(`${goal} by 2028`);
  const engagement = engage(entries, wanted, { today });
  const { ask, ifLapsed, ...found } = engagement;
  const { share, known_share, share_on_averages, if_unknown_set } = found;
  const known = suppliers.filter(({ factor }) => factor !== null);
  const history = {
    firstDays: new Map(known.map(({ id, first }) => [id, first])),
    groupsAt: async (day: string) => {
      const then = known.filter(({ first }) => first <= day);
      return groupsWith(recordsOf(then.map((each) => ({ ...each, status: each.status_then }))));
    },
  };
  const direction =
    known.length === 0 ? null : await directionOf(engagement, history, { today, asOf: null });
  const shown: GoalResult = { engagement, since: undefined, today, year: 2024 };
  return {
    share,
    unknown: if_unknown_set,
    lapsed: ifLapsed && [ifLapsed.share, ifLapsed.without, ifLapsed.after.at(-1) ?? null],
    also: ifLapsed?.ask.map(({ supplier, shareAfter }) => [supplier.id, shareAfter]) ?? [],
    known: known_share,
    averages: share_on_averages,
    ask: ask.map(({ supplier }) => supplier.id),
    direction: direction && movedIn({ ...shown, direction }, direction),
  };
}

/* The direction as numbers, and as the statement says it. */
function movedIn(result: GoalResult, direction: GoalDirection) {
  const text = goalStatements(result).find(({ rule }) => rule === 'since')?.text ?? '';
  if (!('day' in direction)) throw new Error(text);
  const { day, isFirst } = direction;
  const when = { day, is_first: isFirst };
  if ('lack' in direction) {
    expect(text).toContain('Run carbon sync again on a later day');
    return when;
  }
  const { shareThen, newly_set, lost, other_organization, not_known } = direction.changes;
  const parts = { newly_set, lost, other_organization, not_known };
  const { share } = result.engagement;
  expect(text).toContain(dateText(day));
  expect(text.includes('the first day of your records')).toBe(isFirst);
  if (share !== null && shareThen !== null) checkMove(text, { share, shareThen, ...parts });
  return { ...when, share_then: shareThen, ...parts };
}

/* Each number of the statement is that of a second computation, and its parts add up. */
function checkMove(
  text: string,
  { share, shareThen, ...parts }: Readonly<Record<'share' | 'shareThen' | ChangeKind, number>>,
) {
  const numbersIn = (words: string) =>
    [...words.replaceAll('−', '-').matchAll(/[-+]?\d+\.\d/g)].map(Number);
  const [, words = ''] = text.split(' when it was ');
  const [then = Number.NaN] = numbersIn(words);
  expect(Math.abs(then - 100 * shareThen), text).toBeLessThan(0.1 + 1e-9);
  const expected = Object.values(parts).filter((part) => part !== 0);
  if (expected.length === 0) {
    expect(text).toMatch(/^No (?:target changed|change) since .*, too\.$/);
    return;
  }
  const [before = '', list = ''] = text.split(' percentage points since ');
  const moved = numbersIn(before).at(-1) ?? Number.NaN;
  expect(Math.abs(moved - 100 * (share - shareThen)), text).toBeLessThan(0.2);
  const [, parted = ''] = list.split(' (');
  const several = parted.split('; ');
  // The only part has no number of its own.
  const sizeOf = (each: string) => (several.length === 1 ? moved : numbersIn(each)[0]);
  const said = new Map(several.map((each) => [each, sizeOf(each)]));
  for (const kind of changeKinds) {
    const [, shown = 0] = [...said].find(([words]) => words.includes(changeWords[kind])) ?? [];
    expect(Math.abs(shown - 100 * parts[kind]), text).toBeLessThan(0.2);
  }
  const sum = [...said.values()].reduce<number>((all, each) => all + (each ?? 0), 0);
  expect(sum).toBeCloseTo(moved, 9);
  if (moved !== 0) expect(parted).not.toMatch(/ 0\.0/);
}

const cell = fc.record({
  spend: fc.integer({ min: 1, max: 10 ** 6 }),
  factor: fc.option(fc.double({ min: 1e-3, max: 1e3, noNaN: true }), { freq: 5 }),
  basis: fc.constantFrom('own', 'own', 'own', 'industry'),
  method: fc.constantFrom('market-based', 'market-based', 'location-based'),
  revenue: fc.integer({ min: 1, max: 10 ** 9 }),
  // Spend with the same supplier that has no emissions.
  rest: fc.oneof({ weight: 20, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 10 ** 6 })),
});
const side = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 9 }), cell), { maxLength: 18, size: 'max' })
  .map((all) => [...new Map(all)].map(([id, each]) => ({ id, ...each })));
const compared = fc.record({
  step: fc.constantFrom<Step>('years', 'restated'),
  before: side,
  after: side,
});

type Compared = typeof compared extends fc.Arbitrary<infer V> ? V : never;

function effectsOf({ step, before, after }: Compared) {
  return bridge(step, itemsOf(before), itemsOf(after));
}

function trendFrom({ before, after }: Compared) {
  return withoutEffects(effectsBetween(itemsOf(before), itemsOf(after)));
}

function itemsOf(all: Compared['before']) {
  return all.flatMap(({ rest, ...each }) => [
    itemOf(each),
    ...(rest > 0 ? [itemOf({ ...each, spend: rest, factor: null })] : []),
  ]) as unknown as BridgeItem[];
}

function itemOf({
  id,
  spend,
  factor,
  basis,
  method,
  revenue,
}: Omit<Compared['before'][number], 'rest'>) {
  return {
    id,
    supplier: `Supplier ${id}`,
    hq_region: null,
    matched_id: id,
    currency: 'EUR',
    spend,
    spend_year: null,
    basis: factor === null ? null : basis,
    factor,
    factor_year: null,
    factor_region: null,
    upstream_factor: null,
    inputs: { revenue, scope_2_method: method, upstream_categories: null },
    emissions: factor === null ? null : spend * factor,
    uncovered: factor === null ? 'no_record' : null,
    excluded: null,
    synthetic: false,
    group: null,
  };
}

/* What the emissions of suppliers with own figures change their part by; undefined if unsaid. */
function growthIn(step: ReturnType<typeof effectsOf>): number | undefined {
  const text = ownPartText(step) ?? '';
  const [, sign, percent] =
    / own figures of both years, (?:its|their) own emissions (add|take off) <?([\d.,]+)%/.exec(
      text,
    ) ?? [];
  if (percent === undefined) return undefined;
  const size = Number(percent.replaceAll(',', '')) / 100;
  return sign === 'take off' ? -size : size;
}

describeNeeds('python3', 'an independent recomputation', () => {
  it('gives every column and headline of random portfolios', { tags: ['property'] }, () => {
    const portfolios = fc.sample(portfolio, { numRuns: runs(200) });
    const expected = recompute(portfolios);
    const calculated = portfolios.map((each) =>
      JSON.parse(JSON.stringify(calculate(JSON.parse(JSON.stringify(each))))),
    );
    expect(expected.filter(({ exit }) => exit === undefined).length).toBeGreaterThan(runs(50));
    for (const [index, { summary, ...each }] of expected.entries()) {
      const { summary: found, ...others } = calculated[index];
      const said = found && close(found.statements, summary.statements);
      const all = { ...others, ...(found && { summary: { ...found, statements: said } }) };
      const wanted = { ...each, ...(summary && { summary }) };
      expect(all, JSON.stringify(portfolios[index])).toEqual(wanted);
    }
  });

  it('gives what footprints say', () => {
    const all = allSpend();
    const expected = recompute(
      all.map((made) => {
        const { purchases, records } = inputsOf(made);
        return {
          boundary: made.boundary,
          upstream_factor: 'additive',
          rows: purchases.map(({ year: of = null, category = null, ...row }) => {
            return { ...row, year: of, category };
          }),
          records,
        };
      }),
    );
    const rules = new Map<string, number>();
    for (const [index, made] of all.entries()) {
      const { purchases, records } = inputsOf(made);
      const method = { boundary: made.boundary, upstreamFactor: 'additive' } as const;
      const found = statements(footprint(purchases, records, method).summary);
      const wanted = expected[index].summary.statements;
      expect(close(found, wanted), `spend ${index}`).toEqual(wanted);
      for (const { rule } of found) rules.set(rule, (rules.get(rule) ?? 0) + 1);
    }
    expect(Math.min(...rules.values())).toBeGreaterThan(5);
    expect(rules.size).toBe(7);
  });

  it('recognizes the totals of random files', { tags: ['property'] }, () => {
    const files = fc.sample(amounts, { numRuns: runs(2_000) });
    const expected = recompute(files);
    expect(expected.filter(({ length }) => length > 1).length).toBeGreaterThan(runs(200));
    for (const [index, each] of expected.entries())
      expect(totalsOf(files[index]?.amounts ?? []), JSON.stringify(files[index])).toEqual(each);
  });

  it('gives the shares of goals, their direction, and whom to ask', {
    tags: ['property'],
  }, async () => {
    const goals = fc.sample(engaged, { numRuns: runs(1_000) });
    const expected = recompute(goals);
    expect(expected.filter(({ ask }) => ask.length > 0).length).toBeGreaterThan(runs(50));
    expect(expected.filter(({ also }) => also.length > 0).length).toBeGreaterThan(runs(50));
    const mixed = expected.filter(({ share, averages }) => averages > 0 && averages < share);
    expect(mixed.length).toBeGreaterThan(runs(50));
    const days = expected.flatMap(({ direction }) => direction ?? []);
    for (const kind of changeKinds)
      expect(days.filter(({ [kind]: part }) => part).length, kind).toBeGreaterThan(runs(50));
    expect(days.filter((each) => !each.is_first && 'lost' in each).length).toBeGreaterThan(
      runs(50),
    );
    expect(days.filter((each) => !('lost' in each)).length).toBeGreaterThan(runs(50));
    for (const [index, each] of expected.entries()) {
      const found = await sharesOf(goals[index] as Engaged);
      expect(rounded(found), JSON.stringify(goals[index])).toEqual(rounded(each));
    }
  });

  it('gives every effect of a comparison, and whom to ask why', { tags: ['property'] }, () => {
    const all = fc.sample(compared, { numRuns: runs(600) });
    const expected = recompute(all);
    for (const why of ['bought', 'rose'])
      expect(
        expected.filter(({ asks }) => asks.some(([each]: [string]) => each === why)).length,
      ).toBeGreaterThan(runs(50));
    const areCovered = ({ before, after }: Compared) =>
      [...before, ...after].every(({ rest }) => rest === 0);
    expect(all.filter((each) => !areCovered(each)).length).toBeGreaterThan(runs(50));
    const grown: number[] = [];
    let partial = 0;
    for (const [index, answer] of expected.entries()) {
      const { effects: each, asks, without_data: without, own_growth: growth } = answer;
      const step = effectsOf(all[index] as Compared);
      const { effects, before, after } = step;
      const found = Object.fromEntries(effects.map((some) => [some.effect, some.emissions]));
      for (const name of new Set([...Object.keys(each), ...Object.keys(found)])) {
        const difference = Math.abs((found[name] ?? 0) - (each[name] ?? 0));
        // Effects that cancel can be much larger than both totals: revenue of 4 after 800 million.
        const gross = effects.map(({ emissions }) => Math.abs(emissions));
        const larger = Math.max(before, after, ...gross);
        expect(difference, `${name} of ${JSON.stringify(all[index])}`).toBeLessThanOrEqual(
          1e-9 * larger,
        );
      }
      const gross = effects.reduce((sum, { emissions }) => sum + Math.abs(emissions), 0);
      const larger = Math.max(before, after, gross);
      const real = withoutData(step)?.emissions ?? step.together;
      const isShown = step.step === 'years' && before > 0;
      // A difference that is not shown is at most one of rounding.
      if (isShown) expect(Math.abs(real - without)).toBeLessThanOrEqual(1e-3 * larger);
      if (step.step === 'years')
        expect(Math.abs(trendFrom(all[index] as Compared) - without)).toBeLessThanOrEqual(
          1e-9 * larger,
        );
      // Who changed most without data changes, and in the data alone.
      for (const [at, wanted] of answer.changes.entries()) {
        const isOf = (cause: SupplierCause) =>
          dataEffects.some((effect) => effect === cause) === (at === 1);
        const most = mostChangedBy(step, isOf, wanted.length);
        for (const [rank, size] of wanted.entries())
          expect(
            Math.abs(Math.abs(most[rank]?.change ?? 0) - size),
            JSON.stringify(all[index]),
          ).toBeLessThanOrEqual(1e-9 * larger);
      }
      const [then, now] = answer.bought;
      expect(step.bought_before['EUR'] ?? 0, JSON.stringify(all[index])).toBeCloseTo(then, 6);
      expect(step.bought_after['EUR'] ?? 0, JSON.stringify(all[index])).toBeCloseTo(now, 6);
      if (then !== step.spend_before['EUR'] && then > 0 && now > 0) partial += 1;
      const said = growthIn(step);
      if (said !== undefined && Math.abs(growth) < 1e6) {
        grown.push(growth);
        expect(Math.abs(said - growth), `${said}, ${growth}`).toBeLessThan(1.1e-3);
      }
      const asked = asksOf(step).flatMap(({ why, suppliers, share }) => {
        const sum = suppliers.reduce((all, { emissions }) => all + (emissions ?? 0), 0);
        const isCause = why === 'bought' || why === 'rose';
        return isCause ? [{ why, ids: suppliers.map(({ id }) => id), sum, share }] : [];
      });
      const message = JSON.stringify(all[index]);
      expect(
        asked.map(({ why, ids }) => [why, ids]),
        message,
      ).toEqual(asks.map(([why, ids]: [string, number[]]) => [why, ids]));
      for (const [at, [, , sum, share]] of asks.entries()) {
        expect(Math.abs((asked[at]?.sum ?? 0) - sum), message).toBeLessThanOrEqual(1e-9 * larger);
        if (share !== null) expect(asked[at]?.share, message).toBeCloseTo(share, 6);
      }
    }
    expect(grown.length).toBeGreaterThan(runs(50));
    expect(partial).toBeGreaterThan(runs(50));
  });
});
