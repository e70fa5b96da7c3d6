/* How scopes 1 and 2 of organizations differ between two snapshots. */
import type { Organization, Performance } from '../../client/api/schema.ts';
import { scope3Categories } from '../../client/api/vocabulary.ts';
import { checkRecordFigures } from '../checks/figure-rules.ts';
import { regionRank } from '../organizations/history.ts';
import {
  type FigureName,
  figureOfYear,
  type Snapshot,
  type Snapshots,
  type YearValues,
} from './snapshot.ts';

/** Scopes 1 and 2 of an organization in one year, as both snapshots have it. */
export interface ScopeChange {
  readonly id: string | number | null;
  readonly name: string | null;
  readonly year: number;
  readonly before: number;
  readonly after: number;
}

/** Scopes 1 and 2 of a year that only the newer snapshot has. */
export interface NewScopes extends Omit<ScopeChange, 'before'> {
  /** Those of the year before, in the newer snapshot; null without any to compare. */
  readonly before: number | null;
}

/**
 * Yields the organizations that have other scopes 1 and 2, the largest change first: of the latest
 * year that both snapshots have, in one region and with one method of scope 2. Years with an error
 * of `carbon check` are left out.
 * @param ids of the organizations to compare
 * @param today `YYYY-MM-DD`
 */
export function* changedScopes(
  older: Snapshots,
  newer: Snapshots,
  ids: ReadonlySet<unknown>,
  today: string,
): Generator<ScopeChange> {
  const found = pairsOf(older, newer, ids).flatMap(([before, after]) => {
    const change = latestChange(before, after);
    return change === undefined ? [] : [{ change, before, after }];
  });
  found.sort((a, b) => sizeOf(b.change) - sizeOf(a.change));
  for (const { change, before, after } of found)
    if (!isWrong(before, [change.year], today) && !isWrong(after, [change.year], today))
      yield change;
}

/**
 * Returns the organizations that have scopes 1 and 2 of a new year, the largest change from the
 * year before first; those without the year before are last. Years with an error of `carbon check`
 * are left out.
 */
export function newScopes(
  older: Snapshots,
  newer: Snapshots,
  ids: ReadonlySet<unknown>,
  today: string,
): readonly NewScopes[] {
  const found = pairsOf(older, newer, ids).flatMap(([before, after]): NewScopes[] => {
    const added = newestOf(before, after);
    if (added === undefined) return [];
    const { year } = added;
    return isWrong(after, [year, year - 1], today) ? [] : [added];
  });
  const size = ({ before, after }: NewScopes) =>
    before === null ? after : sizeOf({ before, after });
  const isCompared = ({ before }: NewScopes) => Number(before !== null);
  return found.sort((a, b) => isCompared(b) - isCompared(a) || size(b) - size(a));
}

function sizeOf({ before, after }: Pick<ScopeChange, 'before' | 'after'>): number {
  return Math.abs(after - before);
}

function pairsOf(older: Snapshots, newer: Snapshots, ids: ReadonlySet<unknown>) {
  return [...newer].flatMap(([key, after]) => {
    const before = ids.has(after.id) ? older.get(key) : undefined;
    return before === undefined ? [] : [[before, after] as const];
  });
}

/* Scopes 1 and 2 of a year, and what else must be equal to compare them. */
function bothOf(values: YearValues) {
  const { year, region, both } = values;
  if (both === undefined) return [];
  const numberOf = (name: FigureName) => Number(figureOfYear(values, name));
  const value = both.isTogether
    ? numberOf('emissions_scope_1_and_2')
    : numberOf('emissions_scope_1') + numberOf('emissions_scope_2');
  return [{ year, region, kind: `${region ?? ''} ${both.isTogether} ${both.field}`, value }];
}

/* The latest year that both snapshots have, of the world if they have it. */
function latestChange(older: Snapshot, newer: Snapshot): ScopeChange | undefined {
  const { id, name } = newer;
  const known = older.years.flatMap(bothOf);
  const pairs = bothByYear(newer).flatMap((after) => {
    const before = known.find(({ year, kind }) => year === after.year && kind === after.kind);
    return before === undefined ? [] : [{ before, after }];
  });
  const [{ before, after } = {}] = pairs;
  if (before === undefined || after === undefined) return undefined;
  if (!(before.value > 0) || before.value === after.value) return undefined;
  return { id, name, year: after.year, before: before.value, after: after.value };
}

/* Those of the latest year of the newer snapshot, if the older one has none of it. */
function newestOf(older: Snapshot, newer: Snapshot): NewScopes | undefined {
  const { id, name } = newer;
  const all = bothByYear(newer);
  const [added] = all;
  const isKnownYear = older.years.flatMap(bothOf).some(({ year }) => year === added?.year);
  if (added === undefined || isKnownYear) return undefined;
  const { year, kind, value: after } = added;
  const before = all.find((each) => each.year === year - 1 && each.kind === kind);
  const isAmount = before !== undefined && before.value > 0;
  return { id, name, year, before: isAmount ? before.value : null, after };
}

/* The latest year first; of each year, that of the world, if there is one. */
function bothByYear({ years, region: hq_region }: Snapshot) {
  const rank = ({ region }: { region: string | null }) => regionRank(region, { hq_region });
  return years.flatMap(bothOf).sort((a, b) => b.year - a.year || rank(a) - rank(b));
}

/* Checks the figures that a snapshot keeps of a record. */
function isWrong({ years, id, name }: Snapshot, ofYears: readonly number[], today: string) {
  const record: Organization = { id, name, performances: years.map(performanceOf) };
  return checkRecordFigures(record, { today }).some(
    ({ severity, year }) => severity === 'error' && year !== null && ofYears.includes(year),
  );
}

function performanceOf(values: YearValues): Performance {
  const { year, region, currency } = values;
  const number = (name: FigureName) => {
    const value = figureOfYear(values, name);
    return typeof value === 'number' ? value : null;
  };
  const method = String(figureOfYear(values, 'scope_2_method'));
  return {
    year,
    region,
    revenue_currency: currency,
    revenue: number('revenue'),
    emission_factor: number('emission_factor'),
    scope_1_and_2_emission_factor: number('scope_1_and_2_emission_factor'),
    total_upstream_emission_factor: number('total_upstream_emission_factor'),
    emissions: {
      scope_1: { total: number('emissions_scope_1') },
      scope_2: {
        total_location_based: number('emissions_scope_2_total_location_based'),
        [method]: number('emissions_scope_2'),
      },
      scope_1_and_2: { total: number('emissions_scope_1_and_2') },
      scope_3: {
        ...Object.fromEntries(
          scope3Categories.map((category) => [category, number(`emissions_scope_3_${category}`)]),
        ),
        total: number('emissions_scope_3'),
      },
      total: number('emissions_total'),
    },
  };
}
