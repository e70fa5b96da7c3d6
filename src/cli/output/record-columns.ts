import { isObject } from '../../api/ids.ts';
import { type Organization, type Performance, ranks, type SbtiTarget } from '../../api/schema.ts';
import {
  basisOf,
  fieldOf,
  figureName,
  hasReportedFigure,
  type ReportedEmissions,
  readEmissions,
  scopes,
} from '../../organizations/emissions.ts';
import { isSynthetic } from '../../organizations/history.ts';
import type { ColumnType, QueryColumn } from '../../query/condition.ts';
import type { CsvValue } from '../../table/output-cell.ts';

/**
 * A row of a table: a record with one of its performances, its latest SBTi target, and in the table
 * of sources one source.
 */
export interface RecordRow {
  readonly record: Organization;
  readonly performance: Performance;
  readonly target: SbtiTarget;
  readonly source?: NonNullable<Organization['sources']>[number];
}

/** A column of records in every table, for `--columns`, `--sort`, `--where` and `--group-by`. */
export interface RecordColumn extends QueryColumn<RecordRow> {
  /** The path of the member in the JSON record, joined by `_`, unless carbon derives the value. */
  readonly name: string;
  /** One line for the documentation. */
  readonly description: string;
  value(row: RecordRow): CsvValue;
  /** The mark of a number that is no disclosed total, for terminals. */
  readonly mark?: (row: RecordRow) => string;
}

type Value = RecordColumn['value'];

const ofType =
  (type: ColumnType) =>
  (name: string, description: string, value: Value): RecordColumn => ({
    name,
    description,
    type,
    value,
  });

/** Defines a column of text, including ids. */
export const text = ofType('text');

/** Defines a column of dates in ISO 8601. */
export const date = ofType('date');

/** Defines a column of true and false. */
export const flag = ofType('boolean');

/** Defines a column of numbers. */
export const number = (
  name: string,
  description: string,
  value: Value,
  range?: RecordColumn['range'],
): RecordColumn => ({ ...ofType('number')(name, description, value), ...(range && { range }) });

const lowestFirst = ranks.filter((rank) => rank !== 'unknown').toReversed();

/** Converts a score of the service, 0 to 1, to 0 to 100 without the digits that doubles add. */
export function scoreOf(score: number | null | undefined): number | undefined {
  return typeof score === 'number' ? Number((score * 100).toPrecision(15)) : undefined;
}

/** Defines a column of ranks; `unknown` counts as missing when rows are sorted. */
export const rank = (name: string, description: string, value: Value): RecordColumn => ({
  ...ofType('rank')(name, description, value),
  ranks: lowestFirst,
});

/** Joins the items of a list by `; `. */
export function joined(
  items: readonly (string | null | undefined)[] | null | undefined,
): string | undefined {
  return items?.filter(Boolean).join('; ');
}

/** The columns with identity, score and ranks. */
export const profileColumns: readonly RecordColumn[] = [
  text('id', 'Identifier of the organization', (row) => row.record.id),
  text('name', 'Name of the organization', (row) => row.record.name),
  text('status', 'Status; research ends with `synced` or `errored`', (row) => row.record.status),
  text('hq_region', 'Country of the headquarters, ISO 3166-1 code', (row) => row.record.hq_region),
  text(
    'hq_subregion',
    'Subdivision of the headquarters country, ISO 3166-2 code',
    (row) => row.record.hq_subregion,
  ),
  text('industry_id', 'Identifier of the industry', (row) => row.record.industry?.id),
  text('industry_name', 'Name of the industry', (row) => row.record.industry?.name),
  number(
    'industry_mean_score',
    'Mean score of the industry, 0 (worst) to 100 (best)',
    (row) => scoreOf(row.record.industry?.mean_score),
    [0, 100],
  ),
  text('website', 'Website or e-mail address', (row) => row.record.website),
  text(
    'external_id',
    'Identifier assigned by a customer or a third party',
    (row) => row.record.external_id,
  ),
  number('score', 'Score, 0 (worst) to 100 (best)', (row) => scoreOf(row.record.score), [0, 100]),
  number(
    'industry_score_percentile',
    'Percentile of the score within the industry, 0 to 100',
    (row) => row.record.industry_score_percentile,
    [0, 100],
  ),
  text(
    'industry_confidence',
    'Confidence in the industry assignment',
    (row) => row.record.industry_confidence,
  ),
  rank(
    'industry_rank',
    'Rank of the industry among all industries',
    (row) => row.record.industry_rank,
  ),
  rank('region_rank', 'Rank of the region among all regions', (row) => row.record.region_rank),
  text(
    'related_environmental_report_status',
    'Status of the environmental report',
    (row) => row.record.related_environmental_report_status,
  ),
];

type Matching = NonNullable<RecordRow['record']['matching_organization']>;

const matched = (
  name: string,
  description: string,
  value: (matching: Matching) => ReturnType<RecordColumn['value']>,
) =>
  text(
    `matching_organization_${name}`,
    `${description} of the matched organization`,
    ({ record }) => record.matching_organization && value(record.matching_organization),
  );

/** The columns with the matched organization and the number of sources. */
export const matchColumns: readonly RecordColumn[] = [
  matched('id', 'Identifier', ({ id }) => id),
  matched('name', 'Name', ({ name }) => name),
  matched('names', 'Other names, joined by `; `,', ({ names }) =>
    joined(names?.map(({ value }) => value)),
  ),
  matched('websites', 'Websites, joined by `; `,', ({ websites }) =>
    joined(websites?.map(({ value }) => value)),
  ),
  matched('hq_region', 'Country', ({ hq_region }) => hq_region),
  matched('hq_subregion', 'Subdivision of the country', ({ hq_subregion }) => hq_subregion),
  matched('industry_id', 'Identifier of the industry', ({ industry }) => industry?.id),
  matched('industry_name', 'Industry', ({ industry }) => industry?.name),
  matched('link', 'Page', ({ link }) => link),
  matched('tickers', 'Tickers, `exchange:symbol` joined by `; `,', ({ tickers }) =>
    joined(tickers?.map(({ exchange, symbol }) => [exchange, symbol].filter(Boolean).join(':'))),
  ),
  number('sources_count', 'Number of sources', ({ record }) => record.sources?.length),
];

/* The figures that views show, by the names of their columns. */
const resolved = {
  scope_1: 'scope1',
  scope_2: 'scope2',
  scope_1_and_2: 'scope1And2',
  scope_3: 'scope3',
  total: 'total',
} as const satisfies Readonly<Record<string, keyof ReportedEmissions>>;

type ResolvedName = keyof typeof resolved;

const figureOf = ({ performance }: RecordRow, name: ResolvedName) =>
  readEmissions(performance.emissions)[resolved[name]];

/* A figure that views show, with the field that holds it. */
function resolvedPair(name: ResolvedName, basis: string, what: string): RecordColumn[] {
  return [
    {
      ...number(name, `Emissions: ${what}`, (row) => figureOf(row, name)?.value),
      mark: (row) => figureOf(row, name)?.mark ?? '',
    },
    text(`${name}_${basis}`, `The field that holds \`${name}\``, (row) => {
      const figure = figureOf(row, name);
      return figure && fieldOf(figure);
    }),
  ];
}

/** The columns with figures of one year and region. */
export const figureColumns: readonly RecordColumn[] = [
  text('performance_region', 'Region of these figures', ({ performance }) => performance.region),
  number(
    'performance_regions',
    'Number of regions with emissions in this year; with several, another region has other figures',
    ({ record, performance: { year } }) =>
      record.performances?.filter((each) => each.year === year && hasReportedFigure(each.emissions))
        .length,
  ),
  text(
    'revenue_currency',
    'Currency of revenue and factors, ISO 4217 code',
    ({ performance }) => performance.revenue_currency,
  ),
  number('revenue', 'Revenue', ({ performance }) => performance.revenue),
  number('emission_factor', 'Emission factor', ({ performance }) => performance.emission_factor),
  number(
    'industry_emission_factor',
    'Emission factor of the industry in its latest year, beside the own one',
    ({ record }) => industryFactor(record)?.factor,
  ),
  number(
    'industry_emission_factor_year',
    'Year of the emission factor of the industry',
    ({ record }) => industryFactor(record)?.year,
  ),
  number(
    'scope_1_and_2_emission_factor',
    'Emission factor of scopes 1 and 2',
    ({ performance }) => performance.scope_1_and_2_emission_factor,
  ),
  number(
    'total_upstream_emission_factor',
    'Emission factor of all upstream activities',
    ({ performance }) => performance.total_upstream_emission_factor,
  ),
  ...resolvedPair('scope_1', 'basis', 'scope 1, the total or the sum of its parts'),
  ...resolvedPair('scope_2', 'method', 'scope 2, the total, market-based or location-based'),
  ...resolvedPair('scope_1_and_2', 'method', 'scopes 1 and 2 as one figure'),
  ...resolvedPair('scope_3', 'basis', 'scope 3, the total or the sum of its categories'),
  ...resolvedPair('total', 'basis', 'all scopes, the total or the sum of the parts'),
  number(
    'scope_3_categories',
    'Number of disclosed scope 3 categories, of 15',
    ({ performance }) => {
      const { scope_3 } = performance.emissions ?? {};
      return scope_3
        ? scopes.scope_3.slice(2).filter((category) => typeof scope_3[category] === 'number').length
        : undefined;
    },
  ),
  number(
    'emissions_total',
    'Emissions: the disclosed total',
    ({ performance }) => performance.emissions?.total,
  ),
  number(
    'emissions_sum',
    'Emissions: the sum of the disclosed parts',
    ({ performance }) => performance.emissions?.sum,
  ),
  ...(['scope_1', 'scope_2', 'scope_1_and_2', 'scope_3'] as const).flatMap((scope) =>
    scopes[scope].map((field) => {
      const subject = `${scope.replaceAll('_', ' ')}, ${figureName(field) || 'the disclosed total'}`;
      return number(`emissions_${scope}_${field}`, `Emissions: ${subject}`, ({ performance }) => {
        const figures = performance.emissions?.[scope];
        return (figures as Readonly<Record<string, CsvValue>> | null | undefined)?.[field];
      });
    }),
  ),
];

/** The columns that explain the figures in a pipe, where a terminal has marks and a note. */
export const noteColumns: readonly RecordColumn[] = [
  text(
    'basis',
    'What the figures of the scopes are if no total was disclosed, such as `scope_2 market-based`',
    (row) =>
      (['scope_1', 'scope_2', 'scope_3', 'total'] as const)
        .flatMap((name) => {
          const figure = figureOf(row, name);
          return figure?.mark ? `${name} ${basisOf(figure)}` : [];
        })
        .join(', ') || undefined,
  ),
  text('sandbox', 'The word `synthetic` for data of the sandbox', ({ record }) =>
    isSynthetic(record) ? 'synthetic' : undefined,
  ),
];

/* The specification does not show the form of these items. */
function industryFactor({ industry }: Organization): { factor: number; year: number } | undefined {
  let latest: { factor: number; year: number } | undefined;
  for (const item of industry?.performances ?? []) {
    if (!isObject(item)) continue;
    const { emission_factor: factor, year } = item;
    if (typeof factor !== 'number' || typeof year !== 'number') continue;
    if (latest === undefined || year > latest.year) latest = { factor, year };
  }
  return latest;
}

/** The columns with commitments. */
export const commitmentColumns: readonly RecordColumn[] = [
  flag('cdp_is_listed', 'Whether CDP lists the organization', (row) => row.record.cdp?.is_listed),
  text('cdp_url', 'CDP page of the organization', (row) => row.record.cdp?.url),
  date(
    'cdp_last_retrieved_at',
    'Date when the service retrieved the CDP data',
    (row) => row.record.cdp?.last_retrieved_at,
  ),
  date(
    'sbti_last_retrieved_at',
    'Date when the service retrieved the SBTi data',
    (row) => row.record.sbti?.last_retrieved_at,
  ),
  date(
    'sbti_created_at',
    'Date of the SBTi target record, the latest of `sbti.data`',
    (row) => row.target.created_at,
  ),
  date(
    'sbti_retrieved_at',
    'Date when the service retrieved that record',
    (row) => row.target.retrieved_at,
  ),
  flag(
    'sbti_near_term_has_target',
    'Whether there is a near-term target; `false` if SBTi has no target record, empty without data',
    (row) => row.target.near_term?.has_target,
  ),
  text(
    'sbti_near_term_target_status',
    'Status of the near-term target; `none` if SBTi has no target record, empty without data',
    (row) => row.target.near_term?.target_status,
  ),
  flag(
    'sbti_long_term_has_target',
    'Whether there is a long-term target; `false` and empty as for the near-term target',
    (row) => row.target.long_term?.has_target,
  ),
  text('sbti_long_term_target', 'Long-term target', (row) => row.target.long_term?.target),
  number(
    'sbti_long_term_year',
    'Year of the long-term target',
    (row) => row.target.long_term?.year,
  ),
  flag(
    'sbti_net_zero_has_target',
    'Whether there is a net-zero target; `false` and empty as for the near-term target',
    (row) => row.target.net_zero?.has_target,
  ),
  number(
    'sbti_net_zero_target_year',
    'Year of the net-zero target',
    (row) => row.target.net_zero?.target_year,
  ),
  flag(
    'sbti_business_ambition_1_5_has_target',
    'Whether the organization joined the Business Ambition for 1.5 °C; `false` and empty as for the near-term target',
    (row) => row.target.business_ambition_1_5?.has_target,
  ),
  date(
    'sbti_business_ambition_1_5_joined_at',
    'Date when the organization joined the Business Ambition for 1.5 °C',
    (row) => row.target.business_ambition_1_5?.joined_at,
  ),
  text('sbti_target_detail', 'Description of the targets', (row) => row.target.target_detail),
  text('un_initiatives', 'United Nations initiatives, joined by `; `', (row) =>
    joined(row.record.un?.initiatives?.map(({ name, slug }) => name ?? slug)),
  ),
  text('un_url', 'United Nations page of the organization', (row) => row.record.un?.url),
  date(
    'un_last_retrieved_at',
    'Date when the service retrieved the United Nations data',
    (row) => row.record.un?.last_retrieved_at,
  ),
  flag(
    'climate_pledge_signed',
    'Whether the organization signed the Climate Pledge',
    (row) => row.record.climate_pledge?.signed,
  ),
  date(
    'climate_pledge_signed_at',
    'Date when the organization signed the Climate Pledge',
    (row) => row.record.climate_pledge?.signed_at,
  ),
  text(
    'climate_pledge_link',
    'Climate Pledge page of the organization',
    (row) => row.record.climate_pledge?.link,
  ),
];
