/*
 * Finds the year of a row. The column of years, `--spend-year` and the header of the spend column
 * may each name it, and must agree.
 */
import { UsageError } from '../../runtime/carbon-error.ts';
import { flattenString } from '../../runtime/flatten-string.ts';
import { readYear } from './spend-year.ts';

/** Where the year of a row may be named. */
export interface YearSources {
  /** Name of the file for messages. */
  readonly file: string;
  /** Header of the column of years. */
  readonly column: string | undefined;
  /** Value of `--spend-year`. */
  readonly option: number | undefined;
  /** Year in the header of the spend column. */
  readonly stated: number | undefined;
}

/** The year of a row. */
export interface RowYearResult {
  /** Undefined if nothing names a year. */
  readonly year: number | undefined;
  /** Whether the cell names two years, of which the later one counts. */
  readonly isSpan: boolean;
}

/** Reads the years of rows. */
export class RowYear {
  readonly #sources: YearSources;
  /* Files have few years, so that nearly every row is known. */
  readonly #known = new Map<string | undefined, RowYearResult>();

  constructor(sources: YearSources) {
    this.#sources = sources;
  }

  /**
   * Returns the year of a row.
   *
   * @param cell the cell of the column of years
   * @throws UsageError for a cell that is not a year, and for two different years
   */
  read(line: number, cell: string | undefined): RowYearResult {
    const known = this.#known.get(cell);
    if (known !== undefined) return known;
    const result = this.#resolve(line, cell);
    if (this.#known.size < 1_000) this.#known.set(cell && flattenString(cell), result);
    return result;
  }

  #resolve(line: number, cell: string | undefined): RowYearResult {
    const { column, option, stated } = this.#sources;
    const read = cell === undefined ? undefined : readYear(cell);
    if (read === 'unreadable') {
      throw this.#invalid(
        line,
        `"${cell?.trim().slice(0, 40)}" in column "${column}" is not a year`,
        'Write the year with four digits, such as 2024. To ignore the column: --map spend_year=',
      );
    }
    const years = [read?.year, option, stated].filter((year) => year !== undefined);
    const [year, other = year] = [...new Set(years)];
    if (year === other) return { year, isSpan: read?.isSpan ?? false };
    throw this.#invalid(
      line,
      `the year of the spend is ${year} or ${other}`,
      'Leave --spend-year out, or ignore the column of years: --map spend_year=',
    );
  }

  #invalid(line: number, message: string, hint: string): UsageError {
    return new UsageError(`${this.#sources.file}, line ${line}: ${message}`, hint, 'invalid_input');
  }
}
