import type { Organization, Performance, SbtiTarget } from '../../api/schema.ts';
import { figureName, scopes } from '../../organizations/emissions.ts';
import { latestPerformance, targetsByDate } from '../../organizations/history.ts';

/**
 * What a cell shows: text is guarded against formulas when it is written, numbers and booleans are
 * not.
 */
export type CsvValue = string | number | boolean | null | undefined;

/**
 * What a row shows of a record: of its lists the performance of the latest year with a figure and
 * the latest SBTi target.
 */
export interface CsvSource {
  readonly record: Organization;
  readonly latest: Performance;
  readonly target: SbtiTarget;
}

/** A column of `--csv`. */
export interface CsvColumn {
  /** The API's own name, the names on the way to it joined by `_`. */
  readonly name: string;
  /** One line for the documentation. */
  readonly description: string;
  value(source: CsvSource): CsvValue;
}

/*
 * An empty list is an answer: SBTi knows no target of this organization. Without a list there is no
 * data.
 */
const noTarget: SbtiTarget = {
  near_term: { has_target: false, target_status: 'none' },
  long_term: { has_target: false },
  net_zero: { has_target: false },
  business_ambition_1_5: { has_target: false },
};

/** Chooses what the row of a record shows. */
export function csvSource(record: Organization): CsvSource {
  const [target = record.sbti?.data ? noTarget : {}] = targetsByDate(record);
  return { record, latest: latestPerformance(record) ?? {}, target };
}

type Value = CsvColumn['value'];
const of = (name: string, description: string, value: Value): CsvColumn => ({
  name,
  description,
  value,
});
const list = (items: readonly (string | null | undefined)[] | null | undefined) =>
  items?.filter(Boolean).join('; ');

/**
 * The columns of `--csv` in their order, one organization a row. Values are as the service sends
 * them, but for `noTarget`.
 */
export const csvColumns: readonly CsvColumn[] = [
  of('id', 'Identifier of the organization', (row) => row.record.id),
  of('name', 'Name of the organization', (row) => row.record.name),
  of(
    'status',
    'Status; research has ended at `synced` and `errored` only',
    (row) => row.record.status,
  ),
  of('hq_region', 'Country of the headquarters, ISO 3166-1 code', (row) => row.record.hq_region),
  of(
    'hq_subregion',
    'Subregion of the headquarters, ISO 3166-2 code',
    (row) => row.record.hq_subregion,
  ),
  of('industry_id', 'Identifier of the industry', (row) => row.record.industry?.id),
  of('industry_name', 'Name of the industry', (row) => row.record.industry?.name),
  of(
    'industry_mean_score',
    'Mean score of the industry, 0 (worst) to 1 (best)',
    (row) => row.record.industry?.mean_score,
  ),
  of('website', 'Website or e-mail address', (row) => row.record.website),
  of(
    'external_id',
    'Identifier given by a customer or a third party',
    (row) => row.record.external_id,
  ),
  of('score', 'Score, 0 (worst) to 1 (best)', (row) => row.record.score),
  of(
    'industry_score_percentile',
    'Percentile of the score in the industry, 0 to 100',
    (row) => row.record.industry_score_percentile,
  ),
  of(
    'industry_confidence',
    'Confidence in what is assumed of the industry',
    (row) => row.record.industry_confidence,
  ),
  of('industry_rank', 'Rank of the industry among industries', (row) => row.record.industry_rank),
  of('region_rank', 'Rank of the region among regions', (row) => row.record.region_rank),
  of(
    'related_environmental_report_status',
    'Status of the environmental report',
    (row) => row.record.related_environmental_report_status,
  ),
  of('cdp_is_listed', 'Whether CDP lists the organization', (row) => row.record.cdp?.is_listed),
  of('cdp_url', 'Its page at CDP', (row) => row.record.cdp?.url),
  of('cdp_last_retrieved_at', 'Day of the CDP data', (row) => row.record.cdp?.last_retrieved_at),
  of('sbti_last_retrieved_at', 'Day of the SBTi data', (row) => row.record.sbti?.last_retrieved_at),
  of(
    'sbti_created_at',
    'Day of the SBTi target record: the latest of `sbti.data`',
    (row) => row.target.created_at,
  ),
  of(
    'sbti_retrieved_at',
    'Day on which that record was retrieved',
    (row) => row.target.retrieved_at,
  ),
  of(
    'sbti_near_term_has_target',
    'Whether there is a near-term target; `false` where SBTi has no target record, empty without data',
    (row) => row.target.near_term?.has_target,
  ),
  of(
    'sbti_near_term_target_status',
    'Status of the near-term target; `none` where SBTi has no target record, empty without data',
    (row) => row.target.near_term?.target_status,
  ),
  of(
    'sbti_long_term_has_target',
    'Whether there is a long-term target; likewise',
    (row) => row.target.long_term?.has_target,
  ),
  of('sbti_long_term_target', 'Long-term target', (row) => row.target.long_term?.target),
  of('sbti_long_term_year', 'Year of the long-term target', (row) => row.target.long_term?.year),
  of(
    'sbti_net_zero_has_target',
    'Whether there is a net-zero target; likewise',
    (row) => row.target.net_zero?.has_target,
  ),
  of(
    'sbti_net_zero_target_year',
    'Year of the net-zero target',
    (row) => row.target.net_zero?.target_year,
  ),
  of(
    'sbti_business_ambition_1_5_has_target',
    'Whether it is in the Business Ambition for 1.5 °C; likewise',
    (row) => row.target.business_ambition_1_5?.has_target,
  ),
  of(
    'sbti_business_ambition_1_5_joined_at',
    'Day on which it joined that',
    (row) => row.target.business_ambition_1_5?.joined_at,
  ),
  of('sbti_target_detail', 'The targets in words', (row) => row.target.target_detail),
  of('un_initiatives', 'United Nations initiatives, joined by `; `', (row) =>
    list(row.record.un?.initiatives?.map(({ name, slug }) => name ?? slug)),
  ),
  of('un_url', 'Its page at the United Nations', (row) => row.record.un?.url),
  of(
    'un_last_retrieved_at',
    'Day of the United Nations data',
    (row) => row.record.un?.last_retrieved_at,
  ),
  of(
    'climate_pledge_signed',
    'Whether it signed the Climate Pledge',
    (row) => row.record.climate_pledge?.signed,
  ),
  of(
    'climate_pledge_signed_at',
    'Day on which it signed',
    (row) => row.record.climate_pledge?.signed_at,
  ),
  of(
    'climate_pledge_link',
    'Its page at the Climate Pledge',
    (row) => row.record.climate_pledge?.link,
  ),
  of(
    'performance_year',
    'Year of all the figures below: the latest of `performances` with emissions, else with any figure',
    (row) => row.latest.year,
  ),
  of('performance_region', 'Region of these figures', (row) => row.latest.region),
  of(
    'revenue_currency',
    'Currency of revenue and factors, ISO 4217 code',
    (row) => row.latest.revenue_currency,
  ),
  of('revenue', 'Revenue', (row) => row.latest.revenue),
  of('emission_factor', 'Emission factor', (row) => row.latest.emission_factor),
  of(
    'scope_1_and_2_emission_factor',
    'Emission factor of scope 1 and 2',
    (row) => row.latest.scope_1_and_2_emission_factor,
  ),
  of(
    'total_upstream_emission_factor',
    'Emission factor of everything upstream',
    (row) => row.latest.total_upstream_emission_factor,
  ),
  of('emissions_total', 'Emissions: the disclosed total', (row) => row.latest.emissions?.total),
  of(
    'emissions_sum',
    'Emissions: the sum of the disclosed parts',
    (row) => row.latest.emissions?.sum,
  ),
  ...(['scope_1', 'scope_2', 'scope_1_and_2', 'scope_3'] as const).flatMap((scope) =>
    scopes[scope].map((field) => {
      const subject = `${scope.replaceAll('_', ' ')}, ${figureName(field) || 'the disclosed total'}`;
      return of(`emissions_${scope}_${field}`, `Emissions: ${subject}`, (row) => {
        const figures = row.latest.emissions?.[scope] ?? {};
        return (figures as Readonly<Record<string, CsvValue>>)[field];
      });
    }),
  ),
  of(
    'matching_organization_id',
    'Identifier of the matched organization',
    (row) => row.record.matching_organization?.id,
  ),
  of('matching_organization_name', 'Its name', (row) => row.record.matching_organization?.name),
  of('matching_organization_link', 'Its page', (row) => row.record.matching_organization?.link),
  of('matching_organization_tickers', 'Its tickers, `exchange:symbol` joined by `; `', (row) =>
    list(
      row.record.matching_organization?.tickers?.map(({ exchange, symbol }) =>
        [exchange, symbol].filter(Boolean).join(':'),
      ),
    ),
  ),
  of('sources_count', 'Number of sources', (row) => row.record.sources?.length),
];
