import { type CsvColumn, joined, number, text } from './column.ts';

/** The columns with the matched organization and the sources. */
export const matchColumns: readonly CsvColumn[] = [
  text(
    'matching_organization_id',
    'Identifier of the matched organization',
    (row) => row.record.matching_organization?.id,
  ),
  text(
    'matching_organization_name',
    'Name of the matched organization',
    (row) => row.record.matching_organization?.name,
  ),
  text(
    'matching_organization_link',
    'Page of the matched organization',
    (row) => row.record.matching_organization?.link,
  ),
  text(
    'matching_organization_tickers',
    'Tickers of the matched organization, `exchange:symbol` joined by `; `',
    (row) =>
      joined(
        row.record.matching_organization?.tickers?.map(({ exchange, symbol }) =>
          [exchange, symbol].filter(Boolean).join(':'),
        ),
      ),
  ),
  number('sources_count', 'Number of sources', (row) => row.record.sources?.length),
];
