/*
 * Reads the year of a row: a calendar year, a fiscal year or a date. A fiscal year that spans two
 * calendar years counts as the year in which it ends, as in "FY24" for 2023/24.
 */
import { cellValue } from '../../table/cell.ts';

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
  // Quarters and months
  /^Q[1-4][ /-]?(\d{4})$/i,
  /^(\d{4})[ /-]?Q[1-4]$/i,
  /^(?:0?[1-9]|1[0-2])[./](\d{4})$/,
  // Dates: ISO 8601 with or without time, 20241231, 31.12.2024, 12/31/2024
  /^(\d{4})([-/.])(?:0?[1-9]|1[0-2])\2(?:0?[1-9]|[12]\d|3[01])(?:[T ]\d{1,2}:\d\d.*)?$/,
  /^(\d{4})(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/,
  /^(?:0?[1-9]|[12]\d|3[01])([-/.])(?:0?[1-9]|[12]\d|3[01])\1(\d{4})(?: \d{1,2}:\d\d.*)?$/,
];
const month = /^(\d{4})-(0[1-9]|1[0-2])$/;
const span = /^(?:(?:FY|GJ)[ -]?)?(\d{2}|\d{4})[ ]?[/–-][ ]?(\d{2}|\d{4})$/i;
const short = /^(?:FY|GJ)[ -]?['’]?(\d{2})$/i;
const shortDate = /^(?:0?[1-9]|[12]\d|3[01])\.(?:0?[1-9]|1[0-2])\.(\d{2})$/;

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
  const abbreviated = (short.exec(text) ?? shortDate.exec(text))?.[1];
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
