import { date, flag, joined, number, type RecordColumn, text } from './column.ts';

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
