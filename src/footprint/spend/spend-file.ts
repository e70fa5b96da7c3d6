/*
 * Reads a file with spend in two passes: the first decides how its amounts are written, the second
 * yields its rows. Both read in groups of rows, so that memory does not grow with the file.
 */

import type { JournalIds } from '../../batch/journal/journals.ts';
import { UsageError } from '../../runtime/carbon-error.ts';
import { normalizeCell } from '../../table/cell.ts';
import { detectDialect } from '../../table/dialect.ts';
import { InputFile, withSheetHint } from '../../table/input-file.ts';
import { findColumn } from '../../table/map-option.ts';
import { readRows } from '../../table/rows.ts';
import type { Method } from '../summary.ts';
import { AmountFormatEvidence } from './amounts.ts';
import { chooseSpendColumns, columnOf } from './columns.ts';
import { SpendReport } from './spend-report.ts';
import {
  hasSpend,
  isNumber,
  type RowSelection,
  type SpendInput,
  type SpendOptions,
  type SpendRow,
  SpendRows,
} from './spend-rows.ts';

/** A file with spend whose columns and amounts are understood. */
export interface SpendFile {
  /** The file that is read. */
  readonly source: InputFile;
  /** What was understood. Its tallies are complete when `rows` has ended. */
  readonly report: SpendReport;
  /**
   * Reads the rows in groups of some hundred. Call it once.
   *
   * @throws UsageError for an unreadable id, year or currency, and for amounts whose sign seems to
   * be inverted; LocalError if the file changed
   */
  rows(): AsyncGenerator<readonly SpendRow[], void, void>;
}

/**
 * Detects the columns of a file and reads all its amounts.
 *
 * @throws UsageError if the file, its columns or an amount cannot be used; LocalError if the file
 * changed
 */
export async function openSpendFile(
  { path, name, file, signal }: SpendInput,
  options: SpendOptions,
  journals?: JournalIds,
): Promise<SpendFile> {
  const source = new InputFile(path, name, file);
  const dialect = await detectDialect(source, options);
  const columns = withSheetHint(source, options.sheet, () =>
    chooseSpendColumns(dialect, options, journals?.mappings),
  );
  const isSelected = parseSelection(options.rows ?? [], dialect.header);
  const spend = columnOf(columns, 'spend');
  const evidence = new AmountFormatEvidence(source.name, dialect.header[spend] ?? '');
  for await (const { rows } of readRows(source, dialect)) {
    signal.throwIfAborted();
    for (const row of rows) {
      if (isSelected?.(row.cells) === false) continue;
      if (hasSpend(source.name, row) && !isNumber(row, spend))
        evidence.add(row.line, row.cells[spend] ?? '');
    }
  }
  const report = new SpendReport(columns, evidence.decide(options.decimal));
  // The sample is the beginning of the file, which is not needed any more.
  const table = { source, signal, journals, dialect: { ...dialect, sample: [] }, isSelected };
  const rows = new SpendRows(table, options, report);
  return { source, report, rows: () => rows.read() };
}

/** Describes the options that select rows and change amounts. */
export function describeSpend(options: SpendOptions): Pick<Method, 'selection' | 'amounts'> {
  const { rows = [], year, includeTotals, invert, amountsIn = 'units' } = options;
  return {
    selection: [
      ...rows,
      ...(year === undefined ? [] : [`spend of ${year}`]),
      ...(includeTotals ? ['including labeled totals'] : []),
    ],
    amounts: [
      ...(invert ? ['signs reversed (--invert)'] : []),
      ...(amountsIn === 'units' ? [] : [`in ${amountsIn}`]),
    ],
  };
}

/**
 * Parses the values of `--rows`, such as `BlArt=KR` and `Status!=Void`. Several values of one
 * column select rows with any of them; different columns must all fit. Case is ignored.
 *
 * @throws UsageError for a value in another form, and for a column that the file does not have
 */
function parseSelection(
  texts: readonly string[],
  header: readonly string[],
): RowSelection | undefined {
  if (texts.length === 0) return undefined;
  const wanted = new Map<number, Set<string>>();
  const unwanted = new Map<number, Set<string>>();
  for (const text of texts) {
    const [, column = '', operator, value = ''] = /^([^=!]+)(!?=)(.*)$/s.exec(text) ?? [];
    if (operator === undefined) {
      throw new UsageError(
        `--rows: "${text}" is not column=value`,
        'Name a column and its value, such as --rows BlArt=KR, or --rows "Status!=Void" to leave rows out.',
      );
    }
    const name = column.trim().replace(/^"(.*)"$/, '$1');
    const index = findColumn(header, name, 'rows');
    const lists = operator === '=' ? wanted : unwanted;
    const values = lists.get(index) ?? new Set();
    lists.set(index, values);
    values.add(fold(value));
  }
  return (cells) =>
    [...wanted].every(([index, values]) => values.has(fold(cells[index] ?? ''))) &&
    ![...unwanted].some(([index, values]) => values.has(fold(cells[index] ?? '')));
}

function fold(cell: string): string {
  return normalizeCell(cell).toLowerCase();
}
