/*
 * What changed between two snapshots. Compared is what reports tell; revenue and factors are not,
 * because they change with the currency that a snapshot was asked in.
 */

import type { Key } from '../../organizations/key.ts';
import type { Entry } from '../summary/digest.ts';
import { scopeFields, scopeKeys, unpackYears } from '../summary/years.ts';

/** A value before or after; null where nothing is known. */
export type Value = string | number | boolean | null;

/** One field that changed, by the name that `--csv` of `get` gives it. */
export interface Change {
  readonly field: string;
  /** Of emissions, the year; else null. */
  readonly year: number | null;
  readonly old: Value;
  readonly new: Value;
}

/** One organization that differs. Its JSON is a line of `carbon diff --json`. */
export interface Difference {
  readonly id: string | number | null;
  readonly name: string | null;
  readonly change: 'new' | 'gone' | 'changed';
  /** Empty for new and gone organizations. */
  readonly fields: readonly Change[];
}

/** The outcome of comparing two snapshots. */
export interface Comparison {
  /** In the order of the new snapshot, gone organizations last. */
  readonly differences: readonly Difference[];
  readonly old: number;
  readonly new: number;
}

const compared: Readonly<Record<string, (entry: Entry) => Value | undefined>> = {
  name: ({ name }) => name,
  status: ({ status }) => status,
  hq_region: ({ region }) => region,
  industry_name: ({ industry }) => industry,
  score: ({ score }) => score,
  industry_score_percentile: ({ percentile }) => percentile,
  industry_rank: ({ industryRank }) => industryRank,
  region_rank: ({ regionRank }) => regionRank,
  related_environmental_report_status: ({ report }) => report,
  cdp_is_listed: ({ cdp }) => cdp,
  sbti_near_term_target_status: ({ targets }) => targets.nearTerm,
  sbti_long_term_has_target: ({ targets }) => targets.longTerm,
  sbti_net_zero_has_target: ({ targets }) => targets.netZero,
  sbti_net_zero_target_year: ({ targets }) => targets.netZeroYear,
  sbti_business_ambition_1_5_has_target: ({ targets }) => targets.ambition,
  un_initiatives: ({ initiatives }) => initiatives,
  climate_pledge_signed: ({ pledge }) => pledge,
};

/** What is told of organizations, by their keys; those without an id cannot be compared. */
export type Entries = ReadonlyMap<Key, Entry>;

/** Compares organizations by id. */
export function compare(old: Entries, now: Entries): Comparison {
  const differences: Difference[] = [];
  for (const [key, entry] of now) {
    const was = old.get(key);
    if (was === undefined) differences.push({ ...identityOf(entry), change: 'new', fields: [] });
    else {
      const fields = changesOf(was, entry);
      if (fields.length > 0) differences.push({ ...identityOf(entry), change: 'changed', fields });
    }
  }
  for (const [key, entry] of old) {
    if (!now.has(key)) differences.push({ ...identityOf(entry), change: 'gone', fields: [] });
  }
  return { differences, old: old.size, new: now.size };
}

function identityOf({ id, name }: Entry): Pick<Difference, 'id' | 'name'> {
  return { id: id ?? null, name: name ?? null };
}

function changesOf(old: Entry, now: Entry): Change[] {
  const fields = Object.entries(compared).flatMap(([field, of]): Change[] => {
    const change = { field, year: null, old: of(old) ?? null, new: of(now) ?? null };
    return change.old === change.new ? [] : [change];
  });
  return [...fields, ...emissionChanges(old, now)];
}

function emissionChanges(old: Entry, now: Entry): Change[] {
  if (isSame(old.years, now.years)) return [];
  const [before, after] = [old, now].map(
    ({ years }) => new Map(unpackYears(years).map(({ year, figures }) => [year, figures])),
  );
  const years = [...new Set([...(after?.keys() ?? []), ...(before?.keys() ?? [])])].sort(
    (a, b) => b - a,
  );
  return years.flatMap((year) =>
    scopeKeys.flatMap((key): Change[] => {
      const was = before?.get(year)?.[key]?.value ?? null;
      const is = after?.get(year)?.[key]?.value ?? null;
      return was === is
        ? []
        : [{ field: `emissions_${scopeFields[key]}`, year, old: was, new: is }];
    }),
  );
}

function isSame(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((value, at) => Object.is(value, b[at]));
}
