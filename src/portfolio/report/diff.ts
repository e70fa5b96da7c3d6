/* Compares two snapshots of records in the fields that views show. */

import { isObject, type OrganizationId } from '../../client/api/ids.ts';
import type { Organization, Performance } from '../../client/api/schema.ts';
import { type Scope3Category, scope3Categories } from '../../client/api/vocabulary.ts';
import type { KindName } from '../../display/query/kinds.ts';
import { notReadable } from '../../display/terminal/figure.ts';
import { isInCurrency, lookupColumns } from '../organizations/columns.ts';
import {
  bothScopes,
  fieldOf,
  type ReportedEmissions,
  readEmissions,
  unreadableFigure,
} from '../organizations/emissions.ts';
import { isSynthetic, isYear } from '../organizations/history.ts';
import { organizationRow, organizationTable, pick } from '../organizations/tables.ts';

/** A value in the older or newer snapshot; null without data. */
export type Value = string | number | boolean | null;

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

/** The values of an organization that a comparison needs; small, as there is one for each. */
export interface Snapshot {
  readonly id: string | number | null;
  readonly name: string | null;
  /** Country of the headquarters. */
  readonly region: string | null;
  readonly isSynthetic: boolean;
  /* In the order of `fields`. */
  readonly values: readonly Value[];
  readonly sources: readonly string[];
  readonly years: readonly YearValues[];
  /* The factors of the industry. */
  readonly industry: readonly YearValues[];
}

type FigureValue = number | string | null;

/** Figures of a year and region, in the order of `figures`, or the factor of an industry. */
export type YearValues = readonly [
  year: number,
  region: string | null,
  currency: string | null,
  figures: readonly FigureValue[],
  /** Which figures are scopes 1 and 2 as every view shows them; undefined without both. */
  both?: BothScopes | undefined,
];

/** The figures of scopes 1 and 2: disclosed together, or their sum; only equal ones compare. */
export interface BothScopes {
  readonly isTogether: boolean;
  /** The field of the record, such as `total_market_based`. */
  readonly field: string;
}

export type Snapshots = ReadonlyMap<OrganizationId, Snapshot>;

const fields = [
  'name',
  'status',
  'hq_region',
  'industry_name',
  'score',
  'industry_score_percentile',
  'industry_rank',
  'region_rank',
  'matching_organization_id',
  'matching_organization_name',
  'related_environmental_report_status',
  'cdp_is_listed',
  'cdp_last_retrieved_at',
  'sbti_near_term_target_status',
  'sbti_long_term_has_target',
  'sbti_net_zero_has_target',
  'sbti_net_zero_target_year',
  'sbti_business_ambition_1_5_has_target',
  'sbti_target_detail',
  'sbti_created_at',
  'sbti_last_retrieved_at',
  'un_initiatives',
  'un_last_retrieved_at',
  'climate_pledge_signed',
  'climate_pledge_signed_at',
] as const;
const columns = pick(organizationTable.columns, fields.join(' '));

/* A score and a percentile are those of the JSON: a score from 0 to 1, even one out of range. */
const readField: Readonly<Partial<Record<KindName, (record: Organization) => Value | undefined>>> =
  {
    score: ({ score }) => score,
    percentile: ({ industry_score_percentile: percentile }) => percentile,
  };

const industryFactor = 'industry_emission_factor';

/** A field that a comparison reads. */
export type FieldName = (typeof fields)[number] | FigureName | 'sources' | typeof industryFactor;
/* What other figures mean, which compares only if both sides have it. */
const meanings: readonly FieldName[] = ['scope_2_method', 'revenue_currency'];
const inCurrency = new Set(organizationTable.columns.filter(isInCurrency).map(({ name }) => name));

type ReadFigure = (performance: Performance, reported: ReportedEmissions) => FigureValue;

/* Reads the figure of a scope, otherwise what stands in its place and cannot be read. */
const reported =
  (
    key: keyof ReportedEmissions,
    scope?: 'scope_1' | 'scope_2' | 'scope_1_and_2' | 'scope_3',
  ): ReadFigure =>
  ({ emissions }, shown) =>
    shown[key]?.value ??
    readable(unreadableFigure(scope === undefined ? emissions : emissions?.[scope]));

const categories = Object.fromEntries(
  scope3Categories.map((category): [string, ReadFigure] => [
    `emissions_scope_3_${category}`,
    ({ emissions }) => readable(emissions?.scope_3?.[category]),
  ]),
) as Record<`emissions_scope_3_${Scope3Category}`, ReadFigure>;

/* How each figure of a year is read; a year with several changes lists them in this order. */
const figures = {
  emissions_scope_1: reported('scope1', 'scope_1'),
  emissions_scope_2: reported('scope2', 'scope_2'),
  emissions_scope_2_total_location_based: ({ emissions }) =>
    readable(emissions?.scope_2?.total_location_based),
  scope_2_method: (_, { scope2 }) => (scope2 ? fieldOf(scope2) : null),
  emissions_scope_1_and_2: reported('scope1And2', 'scope_1_and_2'),
  emissions_scope_3: reported('scope3', 'scope_3'),
  emissions_total: reported('total'),
  revenue_currency: ({ revenue_currency: currency }) => currency || null,
  revenue: ({ revenue }) => readable(revenue),
  emission_factor: (year) => readable(year.emission_factor),
  scope_1_and_2_emission_factor: (year) => readable(year.scope_1_and_2_emission_factor),
  total_upstream_emission_factor: (year) => readable(year.total_upstream_emission_factor),
  ...categories,
} satisfies Readonly<Record<string, ReadFigure>>;

export type FigureName = keyof typeof figures;
const figureNames = Object.keys(figures) as FigureName[];
const readers: readonly ReadFigure[] = Object.values(figures);

/** Returns a figure of a year of a snapshot. */
export function figureOfYear([, , , values]: YearValues, name: FigureName): FigureValue {
  return values[figureNames.indexOf(name)] ?? null;
}

/** Returns the kind of a field that is a column of organizations or years; undefined for others. */
export function kindOfField(field: FieldName): KindName | undefined {
  return columns.find(({ name }) => name === field)?.kind;
}

/**
 * Reads the values of a record that a comparison needs.
 * @param known an earlier snapshot, which is returned if it has the same values
 */
export function takeSnapshot(record: Organization, known?: Snapshot): Snapshot {
  const row = organizationRow(record, {});
  const snapshot = {
    id: record.id ?? null,
    name: record.name ?? null,
    region: record.hq_region ?? null,
    isSynthetic: isSynthetic(record),
    values: columns.map(
      ({ kind, value }) => (readField[kind] ? readField[kind](record) : value(row)) ?? null,
    ),
    sources: (record.sources ?? []).flatMap(({ url }) => url ?? []),
    years: (record.performances ?? []).flatMap(yearValues),
    industry: industryYears(record),
  };
  return known && isSame(Object.values(snapshot), Object.values(known)) ? known : snapshot;
}

function isSame(a: unknown, b: unknown): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return a === b;
  return a.length === b.length && a.every((item, index) => isSame(item, b[index]));
}

function yearValues(performance: Performance): YearValues[] {
  const { year, region, revenue_currency: currency, emissions } = performance;
  if (!isYear(year)) return [];
  const shown = readEmissions(emissions);
  const values = readers.map((read) => read(performance, shown));
  return [[year, region || null, currency || null, values, bothOf(shown)]];
}

/* One object for each kind: a snapshot has millions of years. */
const kindsOfBoth = new Map<string, BothScopes>();

function bothOf(shown: ReportedEmissions): BothScopes | undefined {
  const both = bothScopes(shown);
  if (both === undefined) return undefined;
  const kind = { isTogether: both === shown.scope1And2, field: fieldOf(both) };
  const name = `${kind.isTogether} ${kind.field}`;
  const known = kindsOfBoth.get(name) ?? kind;
  kindsOfBoth.set(name, known);
  return known;
}

function readable(amount: FigureValue | undefined): FigureValue {
  return typeof amount === 'string' ? notReadable(amount) : (amount ?? null);
}

/*
 * The specification does not describe these items, so each is checked. One without a currency is in
 * that of the record.
 */
function industryYears({ industry, performances }: Organization): YearValues[] {
  const ofRecord = performances?.find((each) => each.revenue_currency)?.revenue_currency;
  return (industry?.performances ?? []).flatMap((item) => industryValues(item, ofRecord));
}

function industryValues(item: unknown, ofRecord: string | null | undefined): YearValues[] {
  if (!isObject(item)) return [];
  const { year, region, revenue_currency, emission_factor: factor } = item;
  const currency = revenue_currency ?? item['currency'] ?? ofRecord;
  if (typeof year !== 'number' || !isYear(year) || typeof factor !== 'number') return [];
  const [where, unit] = [region, currency].map((text) => (typeof text === 'string' ? text : null));
  return [[year, where || null, unit || null, [factor]]];
}

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
  const changes = fields.flatMap((field, index): Change[] => {
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
  const keyOf = ([year, region]: YearValues) => `${year} ${region ?? ''}`;
  const byKey = (years: readonly YearValues[]) =>
    new Map(years.toReversed().map((values) => [keyOf(values), values]));
  const [older, newer] = [byKey(before), byKey(after)];
  const all = new Map([...after, ...before].map((values) => [keyOf(values), values[0]]));
  const keys = [...all].sort(([, a], [, b]) => b - a).map(([key]) => key);
  return keys.flatMap((key) => figureChanges(older.get(key), newer.get(key), names));
}

/* Returns what changed in the figures of one year and region, of which a side may have none. */
function figureChanges(
  older: YearValues | undefined,
  newer: YearValues | undefined,
  names: readonly FieldName[],
): Change[] {
  const [year = null, region = null, currency = null] = newer ?? older ?? [];
  const isOneCurrency = currency !== null && currency === older?.[2] && currency === newer?.[2];
  const changes = names.flatMap((field, index): Change[] => {
    if (!isOneCurrency && inCurrency.has(field)) return [];
    const [old, now] = [older?.[3][index] ?? null, newer?.[3][index] ?? null];
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
