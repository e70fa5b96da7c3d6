/* Compares two snapshots of records in the fields that views show. */

import { isInCurrency, lookupColumns } from '../organizations/columns.ts';
import { organizationTable } from '../organizations/tables.ts';
import {
  comparedFields,
  type FieldName,
  figureAt,
  figureNames,
  industryFactor,
  type Snapshot,
  type Snapshots,
  type Value,
  type YearValues,
} from './snapshot.ts';

/** A field that changed, with its column name in `carbon get --csv`. */
export interface Change {
  readonly field: FieldName;
  /** The year and the region of a figure, null for other fields. */
  readonly year: number | null;
  readonly region: string | null;
  readonly old: Value;
  readonly new: Value;
}

/** An organization that differs. Its JSON is a line of `carbon diff --json`. */
export interface Difference {
  readonly id: string | number | null;
  readonly name: string | null;
  readonly change: 'new' | 'removed' | 'changed';
  /** Whether one of its records is synthetic data of the sandbox. */
  readonly synthetic: boolean;
  /** Empty for new and removed organizations. */
  readonly fields: readonly Change[];
}

export interface SnapshotDiff {
  /** Differences in the order of the newer snapshot, removed organizations last. */
  readonly differences: readonly Difference[];
  readonly old: number;
  readonly new: number;
}

/* What other figures mean, which compares only if both sides have it. */
const meanings: readonly FieldName[] = ['scope_2_method', 'revenue_currency'];
const inCurrency = new Set(organizationTable.columns.filter(isInCurrency).map(({ name }) => name));

/**
 * Compares organizations by id.
 * @param onlySignificant whether only changes count that make a new version of a record
 */
export function compare(older: Snapshots, newer: Snapshots, onlySignificant = false): SnapshotDiff {
  const changesBetween = onlySignificant ? significantChanges : changesOf;
  const differences: Difference[] = [];
  for (const [key, after] of newer) {
    const before = older.get(key);
    const { id, name } = after;
    const synthetic = after.isSynthetic || before?.isSynthetic === true;
    const changes = before === undefined || before === after ? [] : changesBetween(before, after);
    if (before === undefined) differences.push({ id, name, change: 'new', synthetic, fields: [] });
    else if (changes.length > 0)
      differences.push({ id, name, change: 'changed', synthetic, fields: changes });
  }
  for (const [key, { id, name, isSynthetic: synthetic }] of older)
    if (!newer.has(key)) differences.push({ id, name, change: 'removed', synthetic, fields: [] });
  return { differences, old: older.size, new: newer.size };
}

const lookups = Object.values(lookupColumns).map(({ name }) => name);

/* The service converts at the rate of the day, so a smaller change is no news. */
const conversionTolerance = 0.05;

/**
 * Returns the changes that make a new version of a record: all but the status of the research and
 * the dates of retrieval, and revenue and factors only beyond 5%.
 */
export function significantChanges(before: Snapshot, after: Snapshot): Change[] {
  return changesOf(before, after).filter(({ field, old, new: now }) => {
    if (field === 'status' || lookups.includes(field)) return false;
    if (!inCurrency.has(field) || typeof old !== 'number' || typeof now !== 'number') return true;
    return Math.abs(now - old) > conversionTolerance * Math.abs(old);
  });
}

function changesOf(before: Snapshot, after: Snapshot): Change[] {
  const changes = comparedFields.flatMap((field, index): Change[] => {
    const [old, now] = [before.values[index] ?? null, after.values[index] ?? null];
    return old === now ? [] : [{ field, year: null, region: null, old, new: now }];
  });
  return [
    ...changes,
    ...sourceChanges(before, after),
    ...yearChanges(before.years, after.years, figureNames),
    ...yearChanges(before.industry, after.industry, [industryFactor]),
  ];
}

/* Lists the addresses that were removed and those that were added. */
function sourceChanges(before: Snapshot, after: Snapshot): Change[] {
  const only = (urls: readonly string[], others: readonly string[]) =>
    urls.filter((url) => !others.includes(url)).join(' ') || null;
  const removed = only(before.sources, after.sources);
  const added = only(after.sources, before.sources);
  if (removed === null && added === null) return [];
  return [{ field: 'sources', year: null, region: null, old: removed, new: added }];
}

/* A total and a sum of parts both have an unknown method. */
function isOtherMeaning(was: Value, is: Value): boolean {
  const isUnknown = (value: Value) => value === 'total' || value === 'sum';
  return was !== null && is !== null && !(isUnknown(was) && isUnknown(is));
}

/* The first figures of a year and region count. */
function yearChanges(
  before: readonly YearValues[],
  after: readonly YearValues[],
  names: readonly FieldName[],
): Change[] {
  const keyOf = ({ year, region }: YearValues) => `${year} ${region ?? ''}`;
  const byKey = (years: readonly YearValues[]) =>
    new Map(years.toReversed().map((values) => [keyOf(values), values]));
  const [older, newer] = [byKey(before), byKey(after)];
  const all = new Map([...after, ...before].map((values) => [keyOf(values), values.year]));
  const keys = [...all].sort(([, a], [, b]) => b - a).map(([key]) => key);
  return keys.flatMap((key) => figureChanges(older.get(key), newer.get(key), names));
}

/* Returns what changed in the figures of one year and region, of which a side may have none. */
function figureChanges(
  older: YearValues | undefined,
  newer: YearValues | undefined,
  names: readonly FieldName[],
): Change[] {
  const { year = null, region = null, currency = null } = newer ?? older ?? {};
  const isOneCurrency =
    currency !== null && currency === older?.currency && currency === newer?.currency;
  const changes = names.flatMap((field, index): Change[] => {
    if (!isOneCurrency && inCurrency.has(field)) return [];
    const [old, now] = [older, newer].map((each) => (each ? figureAt(each, index) : null)) as [
      Value,
      Value,
    ];
    if (old === now || (meanings.includes(field) && !isOtherMeaning(old, now))) return [];
    return [{ field, year, region, old, new: now }];
  });
  // Where scope 2 is location-based, the change is the same.
  const shown = changes.find(({ field }) => field === 'emissions_scope_2');
  return changes.filter(
    ({ field, old, new: now }) =>
      field !== 'emissions_scope_2_total_location_based' ||
      old !== shown?.old ||
      now !== shown?.new,
  );
}
