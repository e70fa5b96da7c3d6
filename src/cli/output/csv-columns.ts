import type { ColumnTable } from '../../query/column.ts';
import type { CsvColumn } from './columns/column.ts';
import { commitmentColumns } from './columns/commitments.ts';
import { figureColumns, reportedColumns, scopeColumns } from './columns/figures.ts';
import { matchColumns } from './columns/matched.ts';
import { profileColumns } from './columns/profile.ts';
import type { CsvSource } from './csv-source.ts';

export type { CsvColumn };

/**
 * The columns of `--csv` in their order, one row per organization. Except for `noTarget` and the
 * reported figure, values are those of the service. A new column is added at the end, so that the
 * others keep their position.
 */
export const csvColumns: readonly CsvColumn[] = [
  ...profileColumns,
  ...commitmentColumns,
  ...figureColumns,
  ...matchColumns,
  ...reportedColumns,
];

/** The columns that only a query prints. */
export const furtherColumns: readonly CsvColumn[] = scopeColumns;

/** The columns that a query can name. */
export const everyColumn: readonly CsvColumn[] = [...csvColumns, ...furtherColumns];

/** The short names of columns in a query. */
export const columnAliases: Readonly<Record<string, string>> = {
  country: 'hq_region',
  industry: 'industry_name',
  percentile: 'industry_score_percentile',
  cdp: 'cdp_is_listed',
  sbti_near_term: 'sbti_near_term_target_status',
  sbti_long_term: 'sbti_long_term_has_target',
  sbti_net_zero: 'sbti_net_zero_has_target',
  climate_pledge: 'climate_pledge_signed',
  environmental_report: 'related_environmental_report_status',
  year: 'performance_year',
  sources: 'sources_count',
};

/** The columns that a query can name, and their short names. */
export const recordColumns: ColumnTable<CsvSource> = {
  columns: everyColumn,
  aliases: columnAliases,
};
