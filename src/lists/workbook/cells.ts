/*
 * What the cells of a workbook store (ECMA-376 part 1), and the text that the same cells have in a
 * CSV file, with ISO dates and unformatted numbers.
 */
import { dayAt } from '../../runtime/clock.ts';
import type { CellStyle } from './cell-styles.ts';
import type { WrittenCell } from './sheet-xml.ts';

/** What a cell of a sheet holds. */
export type CellKind = 'blank' | 'text' | 'number' | 'date' | 'boolean' | 'missing';

/** What a number format shows of a number. */
export type DateKind = 'date' | 'date-time' | 'time' | 'duration';

/** What a sheet needs from other parts of its workbook. */
export interface CellContext {
  readonly strings: readonly string[];
  /** What each cell style shows of a number, by the index of the style. */
  readonly dateStyles: readonly (DateKind | undefined)[];
  /** The number of digits that each cell style shows at least, if it shows nothing else. */
  readonly digitStyles: readonly (number | undefined)[];
  /** How cells look, by the index of their style. */
  readonly styles: readonly CellStyle[];
  /** Whether rows have their cells as they are stored, too. */
  readonly withStored: boolean;
  /** Whether day 0 of the workbook's dates is 1904-01-01. */
  readonly is1904: boolean;
}

/** What a cell holds. */
export interface CellValue {
  readonly text: string;
  readonly kind: CellKind;
  /** The text with the leading zeros that the number format shows, if there are any. */
  readonly shown?: string | undefined;
}

/**
 * Returns the text of a cell (of a missing value, the error), or undefined if it refers to a shared
 * string that does not exist (18.3.1.4 and 18.18.11).
 *
 * @param type the type of the cell, such as `s`
 * @param style the index of its style
 * @param stored the text of its value, not empty
 */
export function storedValue(
  type: string,
  style: number,
  stored: string,
  { strings, dateStyles, digitStyles, is1904 }: CellContext,
): CellValue | undefined {
  switch (type) {
    case 's': {
      const text = /^\d+$/.test(stored) ? strings[Number(stored)] : undefined;
      return text === undefined ? undefined : textValue(text);
    }
    case 'inlineStr':
    case 'str':
      return textValue(unescapeText(stored));
    case 'b':
      return { text: /^(?:1|true)$/.test(stored) ? 'TRUE' : 'FALSE', kind: 'boolean' };
    case 'e':
      return missing(stored);
    case 'd':
      return { text: stored.replace(/T00:00(?::00(?:\.0+)?)?Z?$/, ''), kind: 'date' };
    default: {
      const text = storedNumber(stored);
      if (text === undefined) return missing(stored);
      const kind = dateStyles[style];
      const date = kind === undefined ? undefined : formatSerial(Number(stored), kind, is1904);
      if (date !== undefined) return { text: date, kind: 'date' };
      const digits = digitStyles[style] ?? 0;
      const shown =
        text.length < digits && /^\d+$/.test(text) ? text.padStart(digits, '0') : undefined;
      return { text, kind: 'number', shown };
    }
  }
}

function textValue(text: string): CellValue {
  return { text, kind: text === '' ? 'blank' : 'text' };
}

/* Errors such as #N/A are short; other texts in the place of a number may not be. */
function missing(stored: string): CellValue {
  return { text: stored.slice(0, 100), kind: 'missing' };
}

const dateTime = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d)?$/;

/**
 * Returns the value to write for a cell of another workbook, so that reading it again gives the
 * same text. A value that has no such type, such as a number with 17 digits, becomes a text.
 */
export function copiedCell(text: string, kind: CellKind): WrittenCell {
  if (kind === 'number') return storedNumber(String(Number(text))) === text ? Number(text) : text;
  if (kind === 'boolean') return text === 'TRUE';
  if (kind !== 'date') return text === '' ? undefined : text;
  if (!dateTime.test(text)) return text;
  const date = new Date(text.includes('T') ? `${text}Z` : text);
  if (Number.isNaN(date.getTime()) || serialOf(date) === undefined) return text;
  // V8 reads February 30 as March 2.
  return date.toISOString().startsWith(text) ? date : text;
}

/** A cell that is written as another workbook stores it, or with a style of its own. */
export interface StyledCell {
  readonly type: 'text' | 'number' | 'boolean' | 'error';
  /** The text, the digits as stored, `1` or `0`, or an error of `errorCodes`. */
  readonly content: string;
  readonly style: CellStyle;
  /** Number of columns that it covers; by default, its own. */
  readonly covers?: number;
}

const markedStyle: CellStyle = { isMarked: true };

/** Returns the cell of a number that stands out from its column. */
export function markedCell(value: number): StyledCell {
  return { type: 'number', content: String(value), style: markedStyle };
}

const general: CellStyle = {};
/* The errors that every version of Excel knows (18.18.11, ST_CellType); another one is a text. */
const errorCodes = /^#(?:NULL!|DIV\/0!|VALUE!|REF!|NAME\?|NUM!|N\/A)$/;

/**
 * Returns a cell as it is stored, with its style.
 * @param type the type of the cell, such as `s`
 * @param stored the text of its value
 * @param read what `storedValue` returned
 */
export function storedCell(
  type: string,
  stored: string,
  { text, kind }: CellValue,
  style: CellStyle = general,
): WrittenCell {
  if (kind === 'boolean') return { type: 'boolean', content: text === 'TRUE' ? '1' : '0', style };
  if (kind === 'missing' && type === 'e' && errorCodes.test(text))
    return { type: 'error', content: text, style };
  // Dates in ISO 8601, which Excel does not write.
  if (type === 'd') return copiedCell(text, kind);
  if (kind === 'number' || kind === 'date')
    return { type: 'number', content: stored.trim(), style };
  return text === '' ? undefined : { type: 'text', content: text, style };
}

/**
 * Returns the text in CSV of a cell that `storedCell` returned: a number with all its digits.
 * @param read the text and kind of the same cell
 */
export function exactText(cell: WrittenCell, { text, kind }: CellValue): string {
  if (kind !== 'number' || typeof cell !== 'object' || cell instanceof Date) return text;
  return storedNumber(cell.content, maxExactDigits) ?? text;
}

/**
 * Replaces the escapes of a text (22.9.2.19, ST_Xstring): `_x000D_` stands for a character that XML
 * cannot contain, and `_x005F_` for an underscore that would begin an escape.
 */
export function unescapeText(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/* Characters that XML 1.0 cannot contain (2.2), and those that a parser changes (2.11). */
const unsafe = /_(?=x[0-9A-Fa-f]{4}_)|[\0-\x08\x0b-\x1f\ufffe\uffff]|[&<>"]|\p{Cs}/gu;
const needsEscape = /[\0-\x08\x0b-\x1f&<>"\ud800-\udfff\ufffe\uffff]|_x/;
const entities: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
};

/** Escapes a text for the XML of a workbook. A lone surrogate becomes U+FFFD. */
export function escapeText(text: string): string {
  if (!needsEscape.test(text)) return text;
  return text.replace(unsafe, (character) => {
    const entity = entities[character];
    if (entity !== undefined) return `&${entity};`;
    const code = character.charCodeAt(0);
    if (code >= 0xd800 && code <= 0xdfff) return '\ufffd';
    return `_x${code.toString(16).toUpperCase().padStart(4, '0')}_`;
  });
}

/* Digits beyond 15 are the noise of binary fractions: Excel stores 0.1 + 0.2 with 17. */
const maxDigits = 15;
/* Tells every two binary fractions apart. */
const maxExactDigits = 17;
const integer = /^-?(?:0|[1-9]\d*)$/;
const shortDecimal = /^-?(?:0|[1-9]\d{0,6})\.\d{0,7}[1-9]$/;
const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * Returns the shortest text of a stored number, as the cell editor shows it, without an exponent
 * from 1e-15 to 1e21; undefined if the text is not a number.
 *
 * Integers keep all their digits, because long identifiers are stored so.
 */
export function storedNumber(stored: string, digits = maxDigits): string | undefined {
  if (integer.test(stored)) return stored === '-0' ? '0' : stored;
  if (shortDecimal.test(stored)) return stored;
  const value = number.test(stored.trim()) ? Number(stored) : Number.NaN;
  if (!Number.isFinite(value)) return undefined;
  if (value === 0) return '0';
  const text = String(Number(value.toPrecision(digits)));
  const [, sign = '', figures = '', exponent] = /^(-?)([\d.]+)e([+-]\d+)$/.exec(text) ?? [];
  if (exponent === undefined) return text;
  const power = Number(exponent);
  if (power > 0 || power < -maxDigits) return `${sign}${figures}E${exponent}`;
  return `${sign}0.${'0'.repeat(-power - 1)}${figures.replace('.', '')}`;
}

/* Dates are numbers of days (18.17.4). Day 60 of the 1900 epoch is 1900-02-29, which never was. */
const dayMs = 24 * 60 * 60 * 1000;
const secondsPerDay = 24 * 60 * 60;
const epoch1900 = Date.UTC(1899, 11, 30);
const epoch1904 = Date.UTC(1904, 0, 1);
/* 9999-12-31, the last date of Excel, counted from 1900. */
const maxSerial = 2_958_466;
const firstAfterLeapDay = 61;

/*
 * Formats a day number as `2026-01-31`, `2026-01-31T14:30:00` if it has a time that its format
 * shows, `14:30:00`, or `36:00:00` for a duration. Rounds to seconds. Returns undefined for a
 * number that is no date, which Excel shows as #####.
 */
function formatSerial(serial: number, kind: DateKind, is1904: boolean): string | undefined {
  if (!(serial >= 0)) return undefined;
  const seconds = Math.round(serial * secondsPerDay);
  const time = seconds % secondsPerDay;
  if (kind === 'duration') return formatTime(seconds);
  if (kind === 'time') return formatTime(time);
  const day = kind === 'date' ? Math.floor(serial) : Math.floor(seconds / secondsPerDay);
  if (day >= (is1904 ? maxSerial - 1_462 : maxSerial)) return undefined;
  if (!is1904 && day < firstAfterLeapDay) return undefined;
  const date = isoDate((is1904 ? epoch1904 : epoch1900) + day * dayMs);
  return kind === 'date' || time === 0 ? date : `${date}T${formatTime(time)}`;
}

/** Converts a date in UTC to a day number since 1900, or undefined before 1900-03-01. */
export function serialOf(date: Date): number | undefined {
  const serial = (date.getTime() - epoch1900) / dayMs;
  return serial >= firstAfterLeapDay && serial < maxSerial ? serial : undefined;
}

function isoDate(ms: number): string {
  return dayAt(ms);
}

function formatTime(seconds: number): string {
  return [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
    .map((value) => String(value).padStart(2, '0'))
    .join(':');
}

/** The number of columns of a sheet. */
export const maxColumns = 16_384;

/** The number of rows of a sheet. */
export const maxSheetRows = 1_048_576;

const letterA = 65;
const letterZ = 90;

/** Returns the column of a reference such as `AB12` from 0; -1 for a text without letters. */
export function columnOf(reference: string): number {
  let column = 0;
  for (let index = 0; index < reference.length && column <= maxColumns; index += 1) {
    const code = reference.charCodeAt(index);
    if (code < letterA || code > letterZ) break;
    column = column * 26 + code - letterA + 1;
  }
  return column - 1;
}

/** Returns the letters of a column, such as `AB`. */
export function columnName(column: number): string {
  const letter = String.fromCharCode(letterA + (column % 26));
  return column < 26 ? letter : columnName(Math.floor(column / 26) - 1) + letter;
}
