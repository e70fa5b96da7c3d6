/*
 * Compares two snapshots in the fields that reports show. It ignores revenue and factors, because
 * they depend on the requested currency.
 */

import type { OrganizationId } from '../../api/ids.ts';
import type { Entry } from '../summary/digest.ts';
import { scopeFields, scopeKeys, unpackYears } from '../summary/years.ts';

/** A value in the older or newer snapshot; null without data. */
export type Value = string | number | boolean | null;

/** A field that changed, with its column name in `carbon get --csv`. */
export interface Change {
  readonly field: string;
  /** The year of emissions, null for other fields. */
  readonly year: number | null;
  readonly old: Value;
  readonly new: Value;
}

/** An organization that differs. Its JSON is a line of `carbon diff --json`. */
export interface Difference {
  readonly id: string | number | null;
  readonly name: string | null;
  readonly change: 'new' | 'gone' | 'changed';
  /** Empty for new and gone organizations. */
  readonly fields: readonly Change[];
}

/** The result of comparing two snapshots. */
export interface Comparison {
  /** Differences in the order of the newer snapshot, gone organizations last. */
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

/** The entries of a snapshot by their ids; the comparison needs an id. */
export type Entries = ReadonlyMap<OrganizationId, Entry>;

/** Compares organizations by id. */
export function compare(older: Entries, newer: Entries): Comparison {
  const differences: Difference[] = [];
  for (const [key, entry] of newer) {
    const before = older.get(key);
    const fields = before === undefined ? [] : changesOf(before, entry);
    if (before !== undefined && fields.length === 0) continue;
    const change = before === undefined ? 'new' : 'changed';
    differences.push({ ...identityOf(entry), change, fields });
  }
  for (const [key, entry] of older)
    if (!newer.has(key)) differences.push({ ...identityOf(entry), change: 'gone', fields: [] });
  return { differences, old: older.size, new: newer.size };
}

function identityOf({ id, name }: Entry): Pick<Difference, 'id' | 'name'> {
  return { id: id ?? null, name: name ?? null };
}

function changesOf(older: Entry, newer: Entry): Change[] {
  const fields = Object.entries(compared).flatMap(([field, read]): Change[] => {
    const change = { field, year: null, old: read(older) ?? null, new: read(newer) ?? null };
    return change.old === change.new ? [] : [change];
  });
  return [...fields, ...emissionChanges(older, newer)];
}

function emissionChanges(older: Entry, newer: Entry): Change[] {
  if (isSame(older.years, newer.years)) return [];
  const [before, after] = [older, newer].map(
    ({ years }) => new Map(unpackYears(years).map(({ year, figures }) => [year, figures])),
  );
  const years = [...new Set([...(after?.keys() ?? []), ...(before?.keys() ?? [])])].sort(
    (a, b) => b - a,
  );
  return years.flatMap((year) =>
    scopeKeys.flatMap((key): Change[] => {
      const oldValue = before?.get(year)?.[key]?.value ?? null;
      const newValue = after?.get(year)?.[key]?.value ?? null;
      return oldValue === newValue
        ? []
        : [{ field: `emissions_${scopeFields[key]}`, year, old: oldValue, new: newValue }];
    }),
  );
}

function isSame(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((value, index) => Object.is(value, b[index]));
}
