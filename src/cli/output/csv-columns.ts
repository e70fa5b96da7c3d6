import type { CsvValue } from '../../batch/csv/output-cell.ts';
import { figureName, scopes } from '../../organizations/emissions.ts';
import type { CsvSource } from './csv-source.ts';

/** A column of `--csv`. */
export interface CsvColumn {
  /** The path of the member in the JSON record, joined by `_`. */
  readonly name: string;
  /** One line for the documentation. */
  readonly description: string;
  value(source: CsvSource): CsvValue;
}

type Value = CsvColumn['value'];
const column = (name: string, description: string, value: Value): CsvColumn => ({
  name,
  description,
  value,
});
const joined = (items: readonly (string | null | undefined)[] | null | undefined) =>
  items?.filter(Boolean).join('; ');

/**
 * The columns of `--csv` in their order, one row per organization. Except for `noTarget`, values
 * are those of the service.
 */
export const csvColumns: readonly CsvColumn[] = [
  column('id', 'Identifier of the organization', (row) => row.record.id),
  column('name', 'Name of the organization', (row) => row.record.name),
  column('status', 'Status; research ends with `synced` or `errored`', (row) => row.record.status),
  column(
    'hq_region',
    'Country of the headquarters, ISO 3166-1 code',
    (row) => row.record.hq_region,
  ),
  column(
    'hq_subregion',
    'Subdivision of the headquarters country, ISO 3166-2 code',
    (row) => row.record.hq_subregion,
  ),
  column('industry_id', 'Identifier of the industry', (row) => row.record.industry?.id),
  column('industry_name', 'Name of the industry', (row) => row.record.industry?.name),
  column(
    'industry_mean_score',
    'Mean score of the industry, 0 (worst) to 1 (best)',
    (row) => row.record.industry?.mean_score,
  ),
  column('website', 'Website or e-mail address', (row) => row.record.website),
  column(
    'external_id',
    'Identifier assigned by a customer or a third party',
    (row) => row.record.external_id,
  ),
  column('score', 'Score, 0 (worst) to 1 (best)', (row) => row.record.score),
  column(
    'industry_score_percentile',
    'Percentile of the score within the industry, 0 to 100',
    (row) => row.record.industry_score_percentile,
  ),
  column(
    'industry_confidence',
    'Confidence in the industry assignment',
    (row) => row.record.industry_confidence,
  ),
  column(
    'industry_rank',
    'Rank of the industry among all industries',
    (row) => row.record.industry_rank,
  ),
  column('region_rank', 'Rank of the region among all regions', (row) => row.record.region_rank),
  column(
    'related_environmental_report_status',
    'Status of the environmental report',
    (row) => row.record.related_environmental_report_status,
  ),
  column('cdp_is_listed', 'Whether CDP lists the organization', (row) => row.record.cdp?.is_listed),
  column('cdp_url', 'CDP page of the organization', (row) => row.record.cdp?.url),
  column(
    'cdp_last_retrieved_at',
    'Date when the service retrieved the CDP data',
    (row) => row.record.cdp?.last_retrieved_at,
  ),
  column(
    'sbti_last_retrieved_at',
    'Date when the service retrieved the SBTi data',
    (row) => row.record.sbti?.last_retrieved_at,
  ),
  column(
    'sbti_created_at',
    'Date of the SBTi target record, the latest of `sbti.data`',
    (row) => row.target.created_at,
  ),
  column(
    'sbti_retrieved_at',
    'Date when the service retrieved that record',
    (row) => row.target.retrieved_at,
  ),
  column(
    'sbti_near_term_has_target',
    'Whether there is a near-term target; `false` if SBTi has no target record, empty without data',
    (row) => row.target.near_term?.has_target,
  ),
  column(
    'sbti_near_term_target_status',
    'Status of the near-term target; `none` if SBTi has no target record, empty without data',
    (row) => row.target.near_term?.target_status,
  ),
  column(
    'sbti_long_term_has_target',
    'Whether there is a long-term target; `false` and empty as for the near-term target',
    (row) => row.target.long_term?.has_target,
  ),
  column('sbti_long_term_target', 'Long-term target', (row) => row.target.long_term?.target),
  column(
    'sbti_long_term_year',
    'Year of the long-term target',
    (row) => row.target.long_term?.year,
  ),
  column(
    'sbti_net_zero_has_target',
    'Whether there is a net-zero target; `false` and empty as for the near-term target',
    (row) => row.target.net_zero?.has_target,
  ),
  column(
    'sbti_net_zero_target_year',
    'Year of the net-zero target',
    (row) => row.target.net_zero?.target_year,
  ),
  column(
    'sbti_business_ambition_1_5_has_target',
    'Whether the organization joined the Business Ambition for 1.5 °C; `false` and empty as for the near-term target',
    (row) => row.target.business_ambition_1_5?.has_target,
  ),
  column(
    'sbti_business_ambition_1_5_joined_at',
    'Date when the organization joined the Business Ambition for 1.5 °C',
    (row) => row.target.business_ambition_1_5?.joined_at,
  ),
  column('sbti_target_detail', 'Description of the targets', (row) => row.target.target_detail),
  column('un_initiatives', 'United Nations initiatives, joined by `; `', (row) =>
    joined(row.record.un?.initiatives?.map(({ name, slug }) => name ?? slug)),
  ),
  column('un_url', 'United Nations page of the organization', (row) => row.record.un?.url),
  column(
    'un_last_retrieved_at',
    'Date when the service retrieved the United Nations data',
    (row) => row.record.un?.last_retrieved_at,
  ),
  column(
    'climate_pledge_signed',
    'Whether the organization signed the Climate Pledge',
    (row) => row.record.climate_pledge?.signed,
  ),
  column(
    'climate_pledge_signed_at',
    'Date when the organization signed the Climate Pledge',
    (row) => row.record.climate_pledge?.signed_at,
  ),
  column(
    'climate_pledge_link',
    'Climate Pledge page of the organization',
    (row) => row.record.climate_pledge?.link,
  ),
  column(
    'performance_year',
    'Year of all figures below: the latest of `performances` with emissions, else with any figure',
    (row) => row.latest.year,
  ),
  column('performance_region', 'Region of these figures', (row) => row.latest.region),
  column(
    'revenue_currency',
    'Currency of revenue and factors, ISO 4217 code',
    (row) => row.latest.revenue_currency,
  ),
  column('revenue', 'Revenue', (row) => row.latest.revenue),
  column('emission_factor', 'Emission factor', (row) => row.latest.emission_factor),
  column(
    'scope_1_and_2_emission_factor',
    'Emission factor of scopes 1 and 2',
    (row) => row.latest.scope_1_and_2_emission_factor,
  ),
  column(
    'total_upstream_emission_factor',
    'Emission factor of all upstream activities',
    (row) => row.latest.total_upstream_emission_factor,
  ),
  column('emissions_total', 'Emissions: the disclosed total', (row) => row.latest.emissions?.total),
  column(
    'emissions_sum',
    'Emissions: the sum of the disclosed parts',
    (row) => row.latest.emissions?.sum,
  ),
  ...(['scope_1', 'scope_2', 'scope_1_and_2', 'scope_3'] as const).flatMap((scope) =>
    scopes[scope].map((field) => {
      const subject = `${scope.replaceAll('_', ' ')}, ${figureName(field) || 'the disclosed total'}`;
      return column(`emissions_${scope}_${field}`, `Emissions: ${subject}`, (row) => {
        const figures = row.latest.emissions?.[scope] ?? {};
        return (figures as Readonly<Record<string, CsvValue>>)[field];
      });
    }),
  ),
  column(
    'matching_organization_id',
    'Identifier of the matched organization',
    (row) => row.record.matching_organization?.id,
  ),
  column(
    'matching_organization_name',
    'Name of the matched organization',
    (row) => row.record.matching_organization?.name,
  ),
  column(
    'matching_organization_link',
    'Page of the matched organization',
    (row) => row.record.matching_organization?.link,
  ),
  column(
    'matching_organization_tickers',
    'Tickers of the matched organization, `exchange:symbol` joined by `; `',
    (row) =>
      joined(
        row.record.matching_organization?.tickers?.map(({ exchange, symbol }) =>
          [exchange, symbol].filter(Boolean).join(':'),
        ),
      ),
  ),
  column('sources_count', 'Number of sources', (row) => row.record.sources?.length),
];
