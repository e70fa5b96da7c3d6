import {
  joined,
  number,
  type RecordColumn,
  type RecordRow,
  rank,
  scoreOf,
  text,
} from './column.ts';

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
