/* How a workbook writes texts, numbers, dates and the references of cells (ECMA-376 part 1). */

/*
 * Escapes of SpreadsheetML text (ECMA-376 part 1, 22.9.2.19, ST_Xstring): `_x000D_` stands for a
 * character that XML cannot contain, and `_x005F_` for an underscore that would begin an escape.
 */
const escaped = /_x([0-9A-Fa-f]{4})_/g;

/** Replaces the escapes `_xHHHH_` in a text of a workbook by their characters. */
export function unescapeText(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(escaped, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/* Characters that XML 1.0 cannot contain (2.2), and those that a parser changes (2.11). */
const unsafe = /_(?=x[0-9A-Fa-f]{4}_)|[\0-\x08\x0b-\x1f\ufffe\uffff]|[&<>"]|\p{Cs}/gu;
const needsEscape = /[\0-\x08\x0b-\x1f&<>"\ud800-\udfff\ufffe\uffff]|_x/;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Escapes a text for the XML of a workbook. A lone surrogate becomes U+FFFD. */
export function escapeText(text: string): string {
  if (!needsEscape.test(text)) return text;
  return text.replace(unsafe, (character) => {
    const entity = entities[character];
    if (entity !== undefined) return entity;
    const code = character.charCodeAt(0);
    if (code >= 0xd800 && code <= 0xdfff) return '\ufffd';
    return `_x${code.toString(16).toUpperCase().padStart(4, '0')}_`;
  });
}

/*
 * Turns the stored number of a cell into the text that a person sees in the cell editor.
 */

/* Digits beyond 15 are the noise of binary fractions: Excel stores 0.1 + 0.2 with 17. */
const maxDigits = 15;
const integer = /^-?(?:0|[1-9]\d*)$/;
const shortDecimal = /^-?(?:0|[1-9]\d{0,6})\.\d{0,7}[1-9]$/;
const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * Returns the shortest text of a stored number, without an exponent from 1e-15 to 1e21, or
 * undefined if the text is not a number.
 *
 * Integers keep all their digits, because long identifiers are stored so.
 */
export function numberText(stored: string): string | undefined {
  if (integer.test(stored)) return stored === '-0' ? '0' : stored;
  if (shortDecimal.test(stored)) return stored;
  const trimmed = stored.trim();
  if (!number.test(trimmed)) return undefined;
  const value = Number(trimmed);
  if (!Number.isFinite(value)) return undefined;
  return plainText(Number(value.toPrecision(maxDigits)));
}

function plainText(value: number): string {
  if (value === 0) return '0';
  const text = String(value);
  const [, sign = '', digits = '', exponent] = /^(-?)([\d.]+)e([+-]\d+)$/.exec(text) ?? [];
  if (exponent === undefined) return text;
  const power = Number(exponent);
  if (power > 0 || power < -maxDigits) return `${sign}${digits}E${exponent}`;
  return `${sign}0.${'0'.repeat(-power - 1)}${digits.replace('.', '')}`;
}

/*
 * Dates of workbooks are numbers of days (ECMA-376 part 1, 18.17.4). Day 60 of the 1900 epoch is
 * 1900-02-29, a day that never was: Lotus 1-2-3 had it, and so has Excel.
 */

/** What a number format shows of a number. */
export type DateKind = 'date' | 'date-time' | 'time' | 'duration';

const dayMs = 24 * 60 * 60 * 1000;
const secondsPerDay = 24 * 60 * 60;
const epoch1900 = Date.UTC(1899, 11, 30);
const epoch1904 = Date.UTC(1904, 0, 1);
/* 9999-12-31, the last date of Excel, counted from 1900. */
const maxSerial = 2_958_466;
const firstAfterLeapDay = 61;

/**
 * Formats a day number as `2026-01-31`, `2026-01-31T14:30:00` if it has a time that its format
 * shows, `14:30:00`, or `36:00:00` for a duration. Rounds to seconds.
 *
 * @param serial the number of days since the epoch
 * @param is1904 whether the workbook counts from 1904-01-01
 * @returns undefined for a number that is no date, which Excel shows as #####
 */
export function formatSerial(serial: number, kind: DateKind, is1904: boolean): string | undefined {
  if (!(serial >= 0)) return undefined;
  const seconds = Math.round(serial * secondsPerDay);
  const time = seconds % secondsPerDay;
  if (kind === 'duration') return formatTime(seconds);
  if (kind === 'time') return formatTime(time);
  const day = kind === 'date' ? Math.floor(serial) : Math.floor(seconds / secondsPerDay);
  const last = is1904 ? maxSerial - 1_462 : maxSerial;
  if (day >= last) return undefined;
  const date = is1904 ? isoDate(epoch1904 + day * dayMs) : date1900(day);
  return kind === 'date' || time === 0 ? date : `${date}T${formatTime(time)}`;
}

/** Converts a date in UTC to a day number since 1900, or undefined before 1900-03-01. */
export function serialOf(date: Date): number | undefined {
  const serial = (date.getTime() - epoch1900) / dayMs;
  return serial >= firstAfterLeapDay && serial < maxSerial ? serial : undefined;
}

function date1900(day: number): string {
  if (day === firstAfterLeapDay - 1) return '1900-02-29';
  return isoDate(epoch1900 + (day < firstAfterLeapDay ? day + 1 : day) * dayMs);
}

function isoDate(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function formatTime(seconds: number): string {
  const pad = (value: number) => String(value).padStart(2, '0');
  return [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
    .map(pad)
    .join(':');
}

/** The number of columns of a sheet. */
export const maxColumns = 16_384;

/** The number of rows of a sheet. */
export const maxRows = 1_048_576;

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
