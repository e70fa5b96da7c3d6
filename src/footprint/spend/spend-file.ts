/*
 * Reads a file with spend in two passes: the first decides how its amounts are written, the second
 * yields its rows. Both read in groups of rows, so that memory does not grow with the file.
 */
import type { FileHandle } from 'node:fs/promises';
import type { JournalColumns } from '../../batch/columns.ts';
import { type CsvDialectOptions, detectDialect } from '../../table/dialect.ts';
import { InputFile, type InputSheet } from '../../table/input-file.ts';
import { readRows } from '../../table/rows.ts';
import { withSheetHint } from '../../table/sheet-hint.ts';
import { AmountFormatEvidence } from './amount-format.ts';
import { chooseSpendColumns, columnOf } from './columns.ts';
import { hasSpend, isNumber } from './row-checks.ts';
import { type SpendReport, SpendReportCounter } from './spend-report.ts';
import { type SpendRow, SpendRows } from './spend-rows.ts';
import type { DecimalSign } from './written-amount.ts';

/** Options of a file with spend. */
export interface SpendOptions extends CsvDialectOptions {
  /** Path of the file. */
  readonly path: string;
  /** The path, or `standard input`. */
  readonly name: string;
  /** The open file if it has no path, such as a copy of standard input. */
  readonly file?: FileHandle | undefined;
  /** Values of `--map`: fields of a registration and of the spend. */
  readonly map?: readonly string[] | undefined;
  /** The base URL, or `sandbox`, which is part of each row's key. */
  readonly service: string;
  /** The recorded mappings of the file's journals. */
  readonly journals?: readonly JournalColumns[] | undefined;
  /** Value of `--currency`, an ISO 4217 code. */
  readonly currency?: string | undefined;
  /** Value of `--spend-year`. */
  readonly year?: number | undefined;
  /** Value of `--decimal`. */
  readonly decimal?: DecimalSign | undefined;
  /** Value of `--spend-factor`, a power of ten. */
  readonly factor?: number | undefined;
  readonly signal: AbortSignal;
}

/** A file with spend whose columns and amounts carbon understands. */
export class SpendFile {
  readonly #source: InputFile;
  readonly #report: SpendReportCounter;
  readonly #rows: SpendRows;

  private constructor(source: InputFile, report: SpendReportCounter, rows: SpendRows) {
    this.#source = source;
    this.#report = report;
    this.#rows = rows;
  }

  /**
   * Detects the columns of a file and reads all its amounts.
   *
   * @throws UsageError if the file, its columns or an amount cannot be used; LocalError if the file
   * changed
   */
  static async open(options: SpendOptions): Promise<SpendFile> {
    const source = new InputFile(options.path, options.name, options.file);
    const dialect = await detectDialect(source, options);
    const columnOptions = {
      map: options.map,
      journals: options.journals,
      hasCurrency: options.currency !== undefined,
      hasFactor: options.factor !== undefined,
    };
    const columns = withSheetHint(source, options.sheet, () =>
      chooseSpendColumns(dialect, columnOptions),
    );
    const spend = columnOf(columns, 'spend');
    const { name } = source;
    const evidence = new AmountFormatEvidence(name, dialect.header[spend] ?? '');
    for await (const { rows } of readRows(source, dialect)) {
      options.signal.throwIfAborted();
      for (const row of rows) {
        if (hasSpend(name, row) && !isNumber(row, spend))
          evidence.add(row.line, row.cells[spend] ?? '');
      }
    }
    const format = evidence.decide(options.decimal);
    const report = new SpendReportCounter(columns, format, options.factor ?? 1);
    // The sample is the beginning of the file, which is not needed any more.
    const rows = new SpendRows(source, { ...dialect, sample: [] }, options, report);
    return new SpendFile(source, report, rows);
  }

  /** The sheet if the file is a workbook. */
  get sheet(): InputSheet | undefined {
    return this.#source.sheet;
  }

  /** What carbon understood. Its tallies are complete when `rows` has ended. */
  get report(): SpendReport {
    return this.#report;
  }

  /**
   * Reads the rows in groups of some hundred. Call it once.
   *
   * @throws UsageError for an unreadable id, year or currency; LocalError if the file changed
   */
  rows(): AsyncGenerator<readonly SpendRow[], void, void> {
    return this.#rows.read();
  }
}
