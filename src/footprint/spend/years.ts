/*
 * Finds the year of a row: a calendar year, a fiscal year or a date. The column of years,
 * `--spend-year` and the header of the spend column may each name it, and must agree. A fiscal year
 * that spans two calendar years counts as the year in which it ends, as in "FY24" for 2023/24.
 */

import { UsageError } from '../../runtime/carbon-error.ts';
import { flattenString } from '../../runtime/flatten-string.ts';
import { cellValue } from '../../table/cell.ts';

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

const minYear = 1990;
const maxYear = 2100;

/** The year of a cell. */
export interface CellYear {
  readonly year: number;
  /** Whether the cell names two years, of which the later one counts. */
  readonly isSpan: boolean;
}

/** The cell is neither a year nor a date. */
export type YearProblem = 'unreadable';

const single = [
  /^(?:(?:FY|CY|GJ)[ -]?)?(\d{4})(?:\.0)?(?: ?年度?)?$/i,
  // Quarters and months; SAP has periods 001 to 016
  /^Q[1-4][ /-]?(\d{4})$/i,
  /^(\d{4})[ /-]?Q[1-4]$/i,
  /^0?(?:0?[1-9]|1[0-6])[./](\d{4})$/,
  /^(\d{4})(?:0[1-9]|1[0-2])$/,
  // Dates: ISO 8601 with or without time, 20241231, 31.12.2024, 12/31/2024
  /^(\d{4})([-/.])(?:0?[1-9]|1[0-2])\2(?:0?[1-9]|[12]\d|3[01])(?:[T ]\d{1,2}:\d\d.*)?$/,
  /^(\d{4})(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/,
  /^(?:0?[1-9]|[12]\d|3[01])([-/.])(?:0?[1-9]|[12]\d|3[01])\1(\d{4})(?: \d{1,2}:\d\d.*)?$/,
];
const month = /^(\d{4})-(0[1-9]|1[0-2])$/;
const span = /^(?:(?:FY|GJ)[ -]?)?(\d{2}|\d{4})[ ]?[/–-][ ]?(\d{2}|\d{4})$/i;
const short = /^(?:FY|GJ)[ -]?['’]?(\d{2})$/i;
const shortDate = /^(?:0?[1-9]|[12]\d|3[01])([-/.])(?:0?[1-9]|[12]\d|3[01])\1(\d{2})$/;
/* 24-Mar-24, 24 Mar 2024, Mar-24 */
const namedMonth =
  /^(?:(?:0?[1-9]|[12]\d|3[01])[- .]+)?(?:jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])[a-z]{0,6}[- .]+(?:20)?(\d{2})$/i;

/**
 * Reads the year of a cell.
 *
 * @returns undefined for a blank cell and for a placeholder such as `n/a`
 */
export function readYear(cell: string): CellYear | YearProblem | undefined {
  const text = cellValue('spend_year', cell);
  if (text === undefined) return undefined;
  for (const pattern of single) {
    const year = pattern
      .exec(text)
      ?.slice(1)
      .find((group) => /^\d{4}$/.test(group ?? ''));
    if (year !== undefined) return checked(Number(year), false);
  }
  const abbreviated = (short.exec(text) ?? namedMonth.exec(text))?.[1] ?? shortDate.exec(text)?.[2];
  if (abbreviated !== undefined) return checked(2000 + Number(abbreviated), false);
  const [, from = '', to = ''] = span.exec(text) ?? [];
  const start = Number(from.length === 2 ? `20${from}` : from);
  const end = Number(to.length === 2 ? `${Math.floor((start + 1) / 100)}${to}` : to);
  const isSpan = from !== '' && end === start + 1;
  const [, monthYear] = month.exec(text) ?? [];
  // 2011-12 is December 2011 or the fiscal year 2011/12.
  if (isSpan) return monthYear === undefined ? checked(end, true) : 'unreadable';
  return monthYear === undefined ? 'unreadable' : checked(Number(monthYear), false);
}

function checked(year: number, isSpan: boolean): CellYear | YearProblem {
  return year >= minYear && year <= maxYear ? { year, isSpan } : 'unreadable';
}
