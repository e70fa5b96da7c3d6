/* What moved between two snapshots: who joined or left, targets, and the largest change. */
import type { Organization, Performance } from '../../client/api/schema.ts';
import { scope3Categories } from '../../client/api/vocabulary.ts';
import { changeText } from '../../display/terminal/figure.ts';
import { count } from '../../display/terminal/format.ts';
import { checkRecordFigures } from '../checks/figure-rules.ts';
import { regionRank } from '../organizations/history.ts';
import { companies, type Statement } from '../organizations/statements.ts';
import {
  type FigureName,
  figureOfYear,
  type Snapshot,
  type SnapshotDiff,
  type Snapshots,
  type YearValues,
} from './diff.ts';

/** Scopes 1 and 2 of an organization in the latest year of each snapshot that has both. */
export interface LargestChange {
  readonly id: string | number | null;
  readonly name: string | null;
  readonly before: number;
  readonly after: number;
  /** The years of both amounts. */
  readonly from: number;
  readonly to: number;
}

export interface Moves {
  readonly joined: number;
  readonly left: number;
  /** Organizations that changed. */
  readonly changed: number;
  readonly set: number;
  readonly removed: number;
  readonly largest: LargestChange | null;
  /** Organizations of either snapshot. */
  readonly of: number;
}

const target = 'sbti_near_term_target_status';

/**
 * Counts what moved. The largest change is that of the largest amount in one region and with one
 * method of scope 2; years with an error of `carbon check` are left out.
 * @param today `YYYY-MM-DD`
 */
export function movesBetween(
  { differences }: SnapshotDiff,
  older: Snapshots,
  newer: Snapshots,
  today: string,
): Moves {
  const number = (change: string) => differences.filter((each) => each.change === change).length;
  const became = (status: string) =>
    differences.filter(({ fields }) =>
      fields.some(({ field, new: now }) => field === target && now === status),
    ).length;
  const changed = new Set(
    differences.filter((each) => each.change === 'changed').map(({ id }) => id),
  );
  const candidates = [...newer].flatMap(([key, after]) => {
    const before = changed.has(after.id) ? older.get(key) : undefined;
    if (before === undefined) return [];
    const change = latestChange(before, after);
    return change === undefined ? [] : [{ change, before, after }];
  });
  const size = ({ change: { before, after } }: (typeof candidates)[number]) =>
    Math.abs(after - before);
  candidates.sort((a, b) => size(b) - size(a));
  const largest = candidates.find(
    ({ change, before, after }) =>
      !isWrong(before, change.from, today) && !isWrong(after, change.to, today),
  );
  return {
    joined: number('new'),
    left: number('removed'),
    changed: changed.size,
    set: became('set'),
    removed: became('removed'),
    largest: largest?.change ?? null,
    of: newer.size + number('removed'),
  };
}

/** States what moved. */
export function moveStatements(moves: Moves): readonly (Statement & Moves)[] {
  const { joined, left, set, removed, largest, changed, of } = moves;
  const list = (parts: readonly (string | false)[]) => parts.filter(Boolean).join(', ');
  const groups = [
    list([
      joined > 0 && `${companies(joined)} joined`,
      left > 0 && `${joined > 0 ? count.format(left) : companies(left)} left`,
    ]),
    list([
      set > 0 && `${count.format(set)} set a target`,
      removed > 0 && `${count.format(removed)} removed ${removed === 1 ? 'its' : 'theirs'}`,
    ]),
    largest === null
      ? ''
      : `the largest change by amount is ${nameOf(largest)}, ${changeText(largest.after / largest.before - 1)}`,
  ].filter(Boolean);
  const rest =
    changed === 0
      ? `None of ${companies(of)} changed`
      : `${count.format(changed)} of ${companies(of)} changed`;
  const sentence = groups.join('; ') || rest;
  const text = sentence.charAt(0).toUpperCase() + sentence.slice(1);
  return [{ rule: 'movers', text, base: of, ...moves }];
}

function nameOf({ name, id }: LargestChange): string {
  return name ?? String(id ?? 'no name');
}

/* Scopes 1 and 2 of a year, and what else must be equal to compare them. */
function bothOf(values: YearValues) {
  const [year, region] = values;
  const scope1 = figureOfYear(values, 'emissions_scope_1');
  const scope2 = figureOfYear(values, 'emissions_scope_2');
  const isSum = typeof scope1 === 'number' && typeof scope2 === 'number';
  const value = isSum ? scope1 + scope2 : figureOfYear(values, 'emissions_scope_1_and_2');
  const kind = `${region ?? ''} ${isSum ? figureOfYear(values, 'scope_2_method') : 'both'}`;
  return typeof value === 'number' ? [{ year, region, kind, value }] : [];
}

function latestChange(older: Snapshot, newer: Snapshot): LargestChange | undefined {
  const { id, name } = newer;
  const after = latestOf(newer);
  if (after === undefined) return undefined;
  const before = latestOf(older, after.kind);
  if (before === undefined || !(before.value > 0) || before.value === after.value) return undefined;
  return { id, name, before: before.value, after: after.value, from: before.year, to: after.year };
}

function latestOf({ years, region }: Snapshot, kind?: string) {
  const all = years.flatMap(bothOf).filter((each) => kind === undefined || each.kind === kind);
  const last = Math.max(...all.map(({ year }) => year));
  const rank = (each: { region: string | null }) => regionRank(each.region, { hq_region: region });
  const [first] = all.filter(({ year }) => year === last).sort((a, b) => rank(a) - rank(b));
  return first;
}

/* Checks the figures that a snapshot keeps of a record. */
function isWrong({ years, id, name }: Snapshot, year: number, today: string): boolean {
  const record: Organization = { id, name, performances: years.map(performanceOf) };
  return checkRecordFigures(record, { today }).some(
    (finding) => finding.severity === 'error' && finding.year === year,
  );
}

function performanceOf(values: YearValues): Performance {
  const [year, region, currency] = values;
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
