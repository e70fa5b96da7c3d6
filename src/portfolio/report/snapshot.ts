/* Reduces a record to the values that a comparison needs, as there may be 100,000 of them twice. */

import { isObject, type OrganizationId } from '../../client/api/ids.ts';
import type { Organization, Performance, Scope3 } from '../../client/api/schema.ts';
import { type Scope3Category, scope3Categories } from '../../client/api/vocabulary.ts';
import type { KindName } from '../../display/query/kinds.ts';
import { notReadable } from '../../display/terminal/figure.ts';
import {
  bothScopes,
  fieldOf,
  type ReportedEmissions,
  readEmissions,
  unreadableFigure,
} from '../organizations/emissions.ts';
import { isSynthetic, isYear } from '../organizations/history.ts';
import type { RecordColumn } from '../organizations/member-columns.ts';
import { organizationRow, organizationTable, pick } from '../organizations/tables.ts';

/** A value in the older or newer snapshot; null without data. */
export type Value = string | number | boolean | null;

/** The values of an organization that a comparison needs; small, as there is one for each. */
export interface Snapshot {
  readonly id: string | number | null;
  readonly name: string | null;
  /** Country of the headquarters. */
  readonly region: string | null;
  readonly isSynthetic: boolean;
  /* In the order of `comparedFields`. */
  readonly values: readonly Value[];
  readonly sources: readonly string[];
  readonly years: readonly YearValues[];
  /* The factors of the industry. */
  readonly industry: readonly YearValues[];
}

type FigureValue = number | string | null;

/** Figures of a year and region. */
export interface YearValues {
  readonly year: number;
  readonly region: string | null;
  readonly currency: string | null;
  /*
   * In the order of `figures`; of an industry, its factor. NaN where there is no number: of 100,000
   * records, V8 keeps an array of numbers only in half the memory of one with null, and never looks
   * for objects in it.
   */
  readonly numbers: readonly number[];
  readonly texts: Texts;
  /** Which figures are scopes 1 and 2 as every view shows them; undefined without both. */
  readonly both: BothScopes | undefined;
}

/** The figures of scopes 1 and 2: disclosed together, or their sum; only equal ones compare. */
export interface BothScopes {
  readonly isTogether: boolean;
  /** The field of the record, such as `total_market_based`. */
  readonly field: string;
}

export type Snapshots = ReadonlyMap<OrganizationId, Snapshot>;

export const comparedFields = [
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
const columns = pick(organizationTable.columns, comparedFields.join(' '));

/* A score and a percentile are those of the JSON: a score from 0 to 1, even one out of range. */
const readField: Readonly<Partial<Record<KindName, RecordColumn['value']>>> = {
  score: ({ record }) => record.score,
  percentile: ({ record }) => record.industry_score_percentile,
};
const valueReaders = columns.map(({ kind, value }) => readField[kind] ?? value);

export const industryFactor = 'industry_emission_factor';

/** A field that a comparison reads. */
export type FieldName =
  | (typeof comparedFields)[number]
  | FigureName
  | 'sources'
  | typeof industryFactor;

type ReadFigure = (
  performance: Performance,
  reported: ReportedEmissions,
  scope3: Scope3 | undefined,
) => FigureValue;

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
    (_year, _shown, scope3) => readable(scope3?.[category]),
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
export const figureNames = Object.keys(figures) as FigureName[];
const readers: readonly ReadFigure[] = Object.values(figures);

/* What a year has besides emissions. */
const otherFigures: readonly FieldName[] = [
  'scope_2_method',
  'revenue_currency',
  'revenue',
  'emission_factor',
  'scope_1_and_2_emission_factor',
  'total_upstream_emission_factor',
];
const emissions = new Set<FieldName>(figureNames.filter((name) => !otherFigures.includes(name)));

/** Tells whether the values of a field are emissions, whose unit matters. */
export function isOfEmissions(field: FieldName): boolean {
  return emissions.has(field);
}

/** Returns a figure of a year of a snapshot. */
export function figureOfYear(values: YearValues, name: FigureName): FigureValue {
  return figureAt(values, figureNames.indexOf(name));
}

export function figureAt({ numbers, texts }: YearValues, index: number): FigureValue {
  const number = numbers[index] ?? Number.NaN;
  return Number.isNaN(number) ? (texts.byIndex.get(index) ?? null) : number;
}

/** Returns the kind of a field that is a column of organizations or years; undefined for others. */
export function kindOfField(field: FieldName): KindName | undefined {
  return columns.find(({ name }) => name === field)?.kind;
}

/**
 * Returns what people read in place of a value of a field that holds codes.
 * @param isShort whether it is the short word, next to the name of the field
 */
export function wordOfField(field: FieldName, value: string, isShort = false): string {
  const column = organizationTable.columns.find(({ name }) => name === field);
  const short = isShort && column?.kind === 'text' ? column.alsoCalled?.[value] : undefined;
  return short ?? column?.inWords?.wordOf?.(value) ?? value;
}

/**
 * Reads the values of a record that a comparison needs.
 * @param known an earlier snapshot of the same comparison, which is returned if it has the same
 * values
 */
export type TakeSnapshot = (record: Organization, known?: Snapshot) => Snapshot;

/** Returns what takes the snapshots of one comparison, which share equal texts. */
export function createTakeSnapshot(): TakeSnapshot {
  // A server compares again and again: texts of records must not remain.
  const noTexts: Texts = { byIndex: new Map(), more: [] };
  return (record, known) => takeSnapshot(record, known, noTexts);
}

function takeSnapshot(record: Organization, known: Snapshot | undefined, noTexts: Texts): Snapshot {
  const row = organizationRow(record, {});
  const snapshot = {
    id: record.id ?? null,
    name: record.name ?? null,
    region: record.hq_region ?? null,
    isSynthetic: isSynthetic(record),
    values: valueReaders.map((read) => read(row) ?? null),
    sources: exactly((record.sources ?? []).flatMap(({ url }) => url ?? [])),
    years: exactly((record.performances ?? []).flatMap((each) => yearValues(each, noTexts))),
    industry: exactly(industryYears(record, noTexts)),
  };
  return known && isSame(snapshot, known) ? known : snapshot;
}

/*
 * Returns a copy with space for no more items. V8 reserves space for 17 in an array that grows,
 * which takes an eighth of the memory of 100,000 snapshots.
 */
function exactly<Item>(items: readonly Item[]): readonly Item[] {
  return items.slice();
}

function isSame(a: Snapshot, b: Snapshot): boolean {
  return (
    a.id === b.id &&
    a.name === b.name &&
    a.region === b.region &&
    a.isSynthetic === b.isSynthetic &&
    areSame(a.values, b.values) &&
    areSame(a.sources, b.sources) &&
    areSame(a.years, b.years, isSameYear) &&
    areSame(a.industry, b.industry, isSameYear)
  );
}

function isSameYear(a: YearValues, b: YearValues): boolean {
  return (
    a.year === b.year &&
    a.region === b.region &&
    a.currency === b.currency &&
    a.both === b.both &&
    a.texts === b.texts &&
    areSameNumbers(a.numbers, b.numbers)
  );
}

/* Not `areSame`: code for arrays of both kinds converts those of numbers only to the other kind. */
function areSameNumbers(a: readonly number[], b: readonly number[]): boolean {
  let index = 0;
  while (index < a.length && Object.is(a[index], b[index])) index += 1;
  return index === a.length && index === b.length;
}

function areSame<Item>(
  a: readonly Item[],
  b: readonly Item[],
  areEqual: (a: Item, b: Item) => boolean = (one, other) => one === other,
): boolean {
  return a.length === b.length && a.every((item, index) => areEqual(item, b[index] as Item));
}

function yearValues(performance: Performance, noTexts: Texts): YearValues[] {
  const { year, region, revenue_currency: currency, emissions } = performance;
  if (!isYear(year)) return [];
  const shown = readEmissions(emissions);
  const scope3 = emissions?.scope_3 ?? undefined;
  // An array that is filled with a double, not one that is mapped, has numbers only for V8.
  const numbers = Array<number>(readers.length).fill(Number.NaN);
  let texts = noTexts;
  for (let index = 0; index < readers.length; index += 1) {
    const value = readers[index]?.(performance, shown, scope3) ?? null;
    if (typeof value === 'number') numbers[index] = value;
    else if (value !== null) texts = withText(texts, index, value);
  }
  return [
    {
      year,
      region: region || null,
      currency: currency || null,
      numbers,
      texts,
      both: bothOf(shown),
    },
  ];
}

/* Those of a year that are no numbers, by their place in `figures`. */
interface Texts {
  readonly byIndex: ReadonlyMap<number, string>;
  /* Those with one more text, by its place, then by the text. */
  readonly more: Map<string, Texts>[];
}

/* Equal texts are one object: a currency and a method of scope 2, seldom more. */
function withText({ byIndex, more }: Texts, index: number, text: string): Texts {
  const known = more[index]?.get(text);
  if (known !== undefined) return known;
  const texts = { byIndex: new Map(byIndex).set(index, text), more: [] };
  more[index] = (more[index] ?? new Map()).set(text, texts);
  return texts;
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
function industryYears({ industry, performances }: Organization, noTexts: Texts): YearValues[] {
  const ofRecord = performances?.find((each) => each.revenue_currency)?.revenue_currency;
  return (industry?.performances ?? []).flatMap((item) => industryValues(item, ofRecord, noTexts));
}

function industryValues(
  item: unknown,
  ofRecord: string | null | undefined,
  noTexts: Texts,
): YearValues[] {
  if (!isObject(item)) return [];
  const { year, region, revenue_currency, emission_factor: factor } = item;
  const currency = revenue_currency ?? item['currency'] ?? ofRecord;
  if (typeof year !== 'number' || !isYear(year) || typeof factor !== 'number') return [];
  const [where, unit] = [region, currency].map((text) => (typeof text === 'string' ? text : null));
  return [
    {
      year,
      region: where || null,
      currency: unit || null,
      numbers: [factor],
      texts: noTexts,
      both: undefined,
    },
  ];
}
