/* What is kept of records until all are read, for a list and for a file. */

import type { RecordColumn, RecordRow } from '../../organizations/columns.ts';
import { isSynthetic } from '../../organizations/history.ts';
import type { RecordSheet, RecordTable } from '../../organizations/tables.ts';
import type { Column, RowKeys } from '../../query/query.ts';
import type { RecordSource } from '../../records/records.ts';
import type { CsvValue } from '../../table/output-cell.ts';
import type { Session } from '../session.ts';

/** Which parts of a record are kept. */
export interface Shape {
  readonly columns: readonly RecordColumn[];
  /** The length of texts for a terminal; undefined keeps values. */
  readonly texts?: 'compact' | 'exact' | undefined;
  /** Further sheets of a workbook. */
  readonly sheets?: readonly RecordSheet[];
  /** Returns the record itself as text. */
  json?(row: RecordRow, source: RecordSource): string;
}

/** The values of a row, or their texts for a terminal; the row itself is not kept. */
export type Cells = readonly CsvValue[];

export interface Kept {
  readonly cells: Cells;
  readonly isSynthetic: boolean;
  readonly json?: string | undefined;
  /** The rows of each further sheet. */
  readonly sheets?: readonly (readonly Cells[])[];
  /** What the row is sorted by. */
  readonly keys?: RowKeys | undefined;
}

export function keep(
  { columns, texts, sheets = [], json }: Shape,
  row: RecordRow,
  source: RecordSource,
  keys?: RowKeys,
): Kept {
  const { record } = row;
  return {
    cells: columns.map(({ value, text }) => (texts && text?.(row, texts)) || value(row)),
    isSynthetic: isSynthetic(record),
    json: json?.(row, source),
    sheets: sheets.map(({ rows, written }) =>
      rows(record).map((each) => written.map(({ value }) => value(each))),
    ),
    keys,
  };
}

/** Returns columns that read the cells of what is kept. */
export function keptColumns(
  columns: readonly Omit<Column<never>, 'value'>[],
  texts?: Shape['texts'],
): Column<Kept>[] {
  return columns.map(({ text, ...column }, index) => ({
    ...column,
    value: ({ cells }) => cells[index],
    ...(text && texts && { text: ({ cells }: Kept) => String(cells[index] ?? '') }),
  }));
}

/** Returns what standard output has of each record if nobody chose the columns. */
export function usualShape(
  { written, terminal, pipe }: RecordTable,
  { format, view }: Pick<Session, 'format' | 'view'>,
): Shape {
  if (format === 'csv') return { columns: written };
  return view.terminal ? { columns: terminal, texts: 'compact' } : { columns: pipe };
}
