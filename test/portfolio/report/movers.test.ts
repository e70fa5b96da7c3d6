/* Compares what a diff says with a second computation from the records. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRecord } from '../../../src/client/api/read-record.ts';
import { compare } from '../../../src/portfolio/report/diff.ts';
import { moveStatements, movesBetween } from '../../../src/portfolio/report/movers.ts';
import { createTakeSnapshot, type Snapshots } from '../../../src/portfolio/report/snapshot.ts';
import { close } from '../../support/close.ts';
import '../../support/seed.ts';

const takeSnapshot = createTakeSnapshot();

type Kind = 'market' | 'location' | 'joint' | 'scope 1' | 'wrong';

interface Year {
  readonly year: number;
  readonly region: string;
  readonly kind: Kind;
  readonly scope1: number;
  readonly scope2: number;
}

interface Side {
  readonly target: string | null;
  readonly years: readonly Year[];
}

interface Moved {
  readonly id: number;
  readonly before: Side | undefined;
  readonly after: Side | undefined;
}

const amount = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 1, max: 10 ** 6 }));
const year = fc.record({
  year: fc.constantFrom(2025, 2025, 2025, 2025, 2024, 2023),
  region: fc.constantFrom('GLOBAL', 'GLOBAL', 'GLOBAL', 'DE', 'FR'),
  kind: fc.constantFrom<Kind>(
    'market',
    'market',
    'market',
    'location',
    'joint',
    'scope 1',
    'wrong',
  ),
  scope1: amount,
  scope2: amount,
});
const side: fc.Arbitrary<Side> = fc.record({
  target: fc.constantFrom(null, 'set', 'set', 'committed', 'removed', 'none'),
  years: fc.uniqueArray(year, {
    minLength: 1,
    maxLength: 3,
    selector: (each) => `${each.year} ${each.region}`,
  }),
});
const moved = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: side.map((each) => ({ before: each, after: each })) },
      { weight: 6, arbitrary: fc.record({ before: side, after: side }) },
      { weight: 1, arbitrary: side.map((after) => ({ before: undefined, after })) },
      { weight: 1, arbitrary: side.map((before) => ({ before, after: undefined })) },
    ),
    { minLength: 1, maxLength: 9 },
  )
  .map((all) => all.map((each, index): Moved => ({ id: index + 1, ...each })));

const emissionsOf = ({ kind, scope1, scope2 }: Year) => {
  if (kind === 'joint') return { scope_1_and_2: { total: scope1 + scope2 } };
  const scope_1 = { total: kind === 'wrong' ? -1 - scope1 : scope1 };
  if (kind === 'scope 1') return { scope_1 };
  const method = kind === 'location' ? 'total_location_based' : 'total_market_based';
  return { scope_1, scope_2: { [method]: scope2 } };
};

function snapshotOf(all: readonly Moved[], which: 'before' | 'after'): Snapshots {
  return new Map(
    all.flatMap((each) => {
      const own = each[which];
      if (own === undefined) return [];
      const { record } = readRecord({
        id: each.id,
        name: `Company ${each.id}`,
        hq_region: 'DE',
        status: 'synced',
        sbti: own.target && { data: [{ near_term: { target_status: own.target } }] },
        performances: own.years.map((one) => {
          return { year: one.year, region: one.region, emissions: emissionsOf(one) };
        }),
      });
      return [[each.id, takeSnapshot(record)] as const];
    }),
  );
}

function statementsOf(all: readonly Moved[]) {
  const [older, newer] = [snapshotOf(all, 'before'), snapshotOf(all, 'after')];
  return moveStatements(movesBetween(compare(older, newer), older, newer, '2026-11-28'));
}

/* Negative figures have the method of scope 2 that right ones have. */
const methodOf = ({ kind }: Year) => (kind === 'wrong' ? 'market' : kind);
const sumOf = ({ kind, scope1, scope2 }: Year) =>
  kind === 'wrong' ? -1 - scope1 + scope2 : scope1 + scope2;

/* The latest year with both scopes in both: of the world, or Germany, or the first region. */
function latestPair(before: Side, after: Side): { then: Year; now: Year } | undefined {
  const pairs = after.years.flatMap((now) => {
    const then = before.years.find(
      (each) =>
        each.year === now.year && each.region === now.region && methodOf(each) === methodOf(now),
    );
    return then === undefined || now.kind === 'scope 1' ? [] : [{ then, now }];
  });
  const last = pairs.filter(({ now }) => pairs.every((other) => other.now.year <= now.year));
  return (
    last.find(({ now }) => now.region === 'GLOBAL') ??
    last.find(({ now }) => now.region === 'DE') ??
    last[0]
  );
}

/* The latest year with both scopes, if it is new, and the year before. */
function newYear(before: Side, after: Side): { then: Year; now: Year } | undefined {
  const both = after.years.filter(({ kind }) => kind !== 'scope 1');
  const latest = both.filter(({ year }) => both.every((other) => other.year <= year));
  const now = ['GLOBAL', 'DE', latest[0]?.region]
    .map((region) => latest.find((each) => each.region === region))
    .find((each) => each !== undefined);
  if (now === undefined) return undefined;
  if (before.years.some(({ year, kind }) => year === now.year && kind !== 'scope 1'))
    return undefined;
  const then = both.find(
    (each) =>
      each.year === now.year - 1 && each.region === now.region && methodOf(each) === methodOf(now),
  );
  return then === undefined ? undefined : { then, now };
}

/* An error of one region is one of the year. */
const hasError = ({ years }: Side, of: number) =>
  years.some(({ year: each, kind }) => each === of && kind === 'wrong');

const wordOf = ({ target }: Side) => target;
const textOf = ({ years, target }: Side) => {
  const figures = years.map(
    (each) => `${each.year} ${each.region} ${JSON.stringify(emissionsOf(each))}`,
  );
  return JSON.stringify([target, figures.sort()]);
};

/* The figures of a year as the service has them, by field. */
function figuresOf(of: Side, key: string): Readonly<Record<string, number>> {
  const own = of.years.find((each) => `${each.year} ${each.region}` === key);
  if (own === undefined) return {};
  const { scope_1, scope_2, scope_1_and_2 } = emissionsOf(own);
  const method = Object.keys(scope_2 ?? {}).length === 0 ? {} : { scope_2: own.scope2 };
  return {
    ...(scope_1 === undefined ? {} : { scope_1: scope_1.total }),
    ...method,
    ...(own.kind === 'location' ? { location: own.scope2 } : {}),
    ...(scope_1_and_2 === undefined ? {} : { both: scope_1_and_2.total }),
  };
}

/* Says in which ways an organization changed. */
function kindsOf(before: Side, after: Side, newYears = new Set<number>()): ReadonlySet<string> {
  const kinds = new Set<string>();
  if (before.target !== after.target) kinds.add('targets');
  const keys = [...before.years, ...after.years].map((each) => `${each.year} ${each.region}`);
  for (const key of new Set(keys)) {
    const [older, newer] = [figuresOf(before, key), figuresOf(after, key)];
    for (const field of ['scope_1', 'scope_2', 'location', 'both']) {
      const [then, now] = [older[field], newer[field]];
      if (then === now) continue;
      if (then === undefined) {
        kinds.add('new_figures');
        newYears.add(Number(key.slice(0, 4)));
      } else kinds.add(now === undefined ? 'fewer_figures' : 'changed_figures');
    }
    const methods = [before, after].map((each) =>
      each.years.find((own) => `${own.year} ${own.region}` === key && own.kind !== 'joint'),
    );
    const [then, now] = methods.map((own) => own && own.kind !== 'scope 1' && methodOf(own));
    if (then && now && then !== now) kinds.add('changed_figures');
  }
  return kinds;
}

function recount(all: readonly Moved[]) {
  const joined = all.filter(({ before }) => before === undefined).length;
  const left = all.filter(({ after }) => after === undefined).length;
  const both = all.flatMap(({ id, before, after }) =>
    before && after ? [{ id, before, after }] : [],
  );
  const changed = both.filter(({ before, after }) => textOf(before) !== textOf(after));
  const became = (word: string) =>
    both.filter(({ before, after }) => wordOf(before) !== word && wordOf(after) === word).length;
  const changes = changed.flatMap(({ id, before, after }) => {
    const pair = latestPair(before, after);
    if (pair === undefined) return [];
    const { then, now } = pair;
    const [from, to] = [sumOf(then), sumOf(now)];
    const isWrong = hasError(before, then.year) || hasError(after, now.year);
    if (isWrong || !(from > 0) || from === to) return [];
    return [{ id, name: `Company ${id}`, year: now.year, before: from, after: to }];
  });
  const statuses = both.filter(({ before, after }) => wordOf(before) !== wordOf(after));
  const targets: {
    readonly from: string | null;
    readonly to: string | null;
    companies: number;
    readonly first: string[];
  }[] = [];
  for (const { id, before, after } of statuses) {
    const [from, to] = [wordOf(before), wordOf(after)];
    let known = targets.find((each) => each.from === from && each.to === to);
    if (known === undefined) {
      known = { from, to, companies: 0, first: [] };
      targets.push(known);
    }
    known.companies += 1;
    if (known.first.length < 3) known.first.push(`Company ${id}`);
  }
  targets.sort((a, b) => b.companies - a.companies);
  const size = (each: (typeof changes)[number]) => Math.abs(each.after - each.before);
  const largest = changes.reduce<(typeof changes)[number] | null>(
    (most, each) => (most === null || size(each) > size(most) ? each : most),
    null,
  );
  const newYears = new Set<number>();
  const ways = changed.map(({ before, after }) => kindsOf(before, after, newYears));
  const waysOf = (kind: string) => ways.filter((own) => own.has(kind)).length;
  const added = changed.flatMap(({ id, before, after }) => {
    const pair = newYear(before, after);
    if (pair === undefined) return [];
    const { then, now } = pair;
    const [from, to] = [sumOf(then), sumOf(now)];
    if (hasError(after, now.year) || hasError(after, then.year) || !(from > 0)) return [];
    return [{ id, name: `Company ${id}`, year: now.year, before: from, after: to }];
  });
  const rises = added.filter((each) => each.after > each.before);
  const largestNew = (rises.length > 0 ? rises : added).reduce<(typeof added)[number] | null>(
    (most, each) => (most === null || size(each) > size(most) ? each : most),
    null,
  );
  const numbers = {
    joined,
    left,
    changed: changed.length,
    kinds: {
      targets: waysOf('targets'),
      new_figures: waysOf('new_figures'),
      changed_figures: waysOf('changed_figures'),
      fewer_figures: waysOf('fewer_figures'),
      match: 0,
      other: 0,
    },
    new_years: [...newYears].sort((a, b) => b - a),
    set: became('set'),
    removed: became('removed'),
    targets,
  };
  return { ...numbers, largest, largest_new: largestNew, of: all.length };
}

function percentOf({ before, after }: { readonly before: number; readonly after: number }) {
  const percent = 100 * (after / before - 1);
  const size = Math.abs(percent);
  const digits =
    size < 0.05
      ? '<0.1'
      : size < 999.95
        ? (Math.floor(10 * size + 0.5 + 1e-9) / 10).toFixed(1)
        : Math.floor(size + 0.5).toLocaleString('en-US');
  return `${percent < -1e-10 ? '−' : '+'}${size >= 999_999.95 ? '>1,000,000' : digits}%`;
}

/* The sentences, by their rules. */
function textsOf({
  joined,
  left,
  changed,
  kinds,
  new_years: years,
  set,
  removed,
  targets,
  largest,
  largest_new: most,
  of,
}: ReturnType<typeof recount>): Readonly<Record<string, string>> {
  const companies = (number: number) => (number === 1 ? '1 company' : `${number} companies`);
  const members = [
    joined > 0 && `${companies(joined)} joined`,
    left > 0 && `${joined > 0 ? left : companies(left)} left`,
  ].filter(Boolean);
  const movers = [
    members.length > 0 && `${members.join(', ')} (${of - joined} → ${of - left})`,
    changed > 0 && `${changed} of ${members.length > 0 ? of : companies(of)} changed`,
  ].filter(Boolean);
  const wordOf = (status: string | null) =>
    status === 'set' ? 'validated' : String(status ?? 'unknown');
  const others = targets.filter(({ to }) => !['set', 'removed'].includes(to ?? ''));
  const total = others.reduce((sum, each) => sum + each.companies, 0);
  const listed = others
    .slice(0, 3)
    .map(({ from, to, companies: n }) => `${n} ${wordOf(from)} → ${wordOf(to)}`)
    .join(', ');
  const namesOf = (status: string, number: number) => {
    const names = targets.filter(({ to }) => to === status).flatMap(({ first }) => first);
    const shown = names.slice(0, 3);
    const more = number - shown.length;
    return ` (${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''})`;
  };
  const ofTargets = (
    [
      [set, `now validated${namesOf('set', set)}`],
      [removed, `removed${namesOf('removed', removed)}`],
      [total, `changed otherwise (${listed}${others.length > 3 ? ' …' : ''})`],
    ] as const
  ).filter(([number]) => number > 0);
  const targetTexts = ofTargets.map(
    ([number, text], at) =>
      `${number}${at > 0 ? '' : number === 1 ? ' target' : ' targets'} ${text}`,
  );
  const { new_figures: added, changed_figures: other, fewer_figures: fewer } = kinds;
  const rise =
    most === null
      ? ''
      : ` (largest ${most.after > most.before ? 'rise' : 'fall'} by amount: ${most.name}, ${percentOf(most)}${years.length === 1 ? '' : ` in ${most.year}`})`;
  const ways = (
    [
      [added, `with new figures${years.length === 1 ? ` of ${years[0]}` : ''}${rise}`],
      [other, 'with changed figures'],
      [fewer, 'with fewer figures'],
    ] as const
  ).filter(([number]) => number > 0);
  const wayTexts = ways.map(
    ([number, text], at) => `${at === 0 ? companies(number) : number} ${text}`,
  );
  const isTwice = added + other + fewer > changed;
  return {
    movers: movers.length > 0 ? movers.join(', ') : `None of ${companies(of)} changed`,
    ...(targetTexts.length > 0 && { targets: targetTexts.join(', ') }),
    ...(wayTexts.length > 0 && {
      changes: `${wayTexts.join(', ')}${isTwice ? ' (some in several ways)' : ''}`,
    }),
    ...(largest && {
      largest: `The largest change by amount is ${largest.name}, ${percentOf(largest)} (scope 1 + 2 of ${largest.year})`,
    }),
  };
}

describe('statements of a diff', () => {
  it('have the numbers and words of a second computation', () => {
    let largest = 0;
    for (const [index, all] of fc.sample(moved, 400).entries()) {
      const expected = recount(all);
      const statement = { rule: 'movers', base: all.length, ...expected };
      const found = statementsOf(all);
      const texts = Object.fromEntries(found.map(({ rule, text }) => [rule, text]));
      expect(texts, `portfolio ${index}`).toEqual(textsOf(expected));
      const first = [{ ...found.at(-1), text: undefined }];
      expect(close(first, [statement]), `portfolio ${index}`).toEqual([statement]);
      if (expected.largest !== null) largest += 1;
    }
    expect(largest).toBeGreaterThan(50);
  });

  it('count changes of every kind, and tell the day of the older snapshot', () => {
    const side = (id: number, year: number, scope1: number, more: object) => {
      const performances = [{ year, emissions: { scope_1: { total: scope1 } } }];
      const { record } = readRecord({ id, name: `Company ${id}`, performances, ...more });
      return [id, takeSnapshot(record)] as const;
    };
    const match = (id: number) => ({ matching_organization: { id, name: 'Match' } });
    const older = new Map([
      side(1, 2024, 5, match(1_000_001)),
      side(2, 2025, 5, { hq_region: 'DE' }),
      side(3, 2024, 5, {}),
    ]);
    const newer = new Map([
      side(1, 2025, 5, match(1_000_002)),
      side(2, 2025, 5, { hq_region: 'FR' }),
      side(3, 2024, 7, { hq_region: 'FR' }),
    ]);
    const moves = movesBetween(compare(older, newer, true), older, newer, '2026-11-28');
    expect(moves.kinds).toEqual({
      targets: 0,
      new_figures: 1,
      changed_figures: 1,
      fewer_figures: 1,
      match: 1,
      other: 1,
    });
    expect(moveStatements(moves, '2026-10-01').map(({ text }) => text)).toEqual([
      '1 company with new figures of 2025, 1 with changed figures, 1 with fewer figures, 1 with another match, 1 with changes in other fields (some in several ways)',
      '3 of 3 companies changed since 1 Oct 2026',
    ]);
    const none = movesBetween(compare(older, older, true), older, older, '2026-11-28');
    expect(moveStatements(none, '2026-10-01')[0]?.text).toBe(
      'None of 3 companies changed since 1 Oct 2026',
    );
  });

  it('use the figure for both scopes that a list shows, not the sum of both', () => {
    const snapshots = (scope1: number, both: number, method?: string) => {
      const emissions = {
        scope_1: { total: scope1 },
        scope_2: { [method ?? 'total']: 60 },
        scope_1_and_2: { total: both },
      };
      const { record } = readRecord({ id: 1, performances: [{ year: 2025, emissions }] });
      return new Map([[1, takeSnapshot(record)]]);
    };
    const largest = (older: Snapshots, newer: Snapshots) =>
      movesBetween(compare(older, newer), older, newer, '2026-11-28').largest;
    expect(largest(snapshots(40, 100), snapshots(56, 100))).toBeNull();
    expect(largest(snapshots(40, 100), snapshots(40, 110))).toMatchObject({
      before: 100,
      after: 110,
    });
    // A method precedes a figure without one, and is another figure.
    const market = snapshots(40, 100, 'total_market_based');
    expect(largest(market, snapshots(50, 100, 'total_market_based'))).toMatchObject({ after: 110 });
    expect(largest(market, snapshots(40, 110))).toBeNull();
  });
});
