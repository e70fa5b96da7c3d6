/*
 * Turns the stored value of a cell into the text that the same cell has in a CSV file, with ISO
 * dates and unformatted numbers (ECMA-376 part 1, 18.3.1.4 and 18.18.11).
 */
import { type DateKind, formatSerial, numberText, serialOf, unescapeText } from './cell-text.ts';
import type { WrittenCell } from './write-workbook.ts';

/** What a cell of a sheet holds. */
export type CellKind = 'blank' | 'text' | 'number' | 'date' | 'boolean' | 'missing';

/** The text of a cell. For a missing value, the error. */
export interface CellValue {
  readonly text: string;
  readonly kind: CellKind;
}

/** What a sheet needs from other parts of its workbook. */
export interface CellContext {
  readonly strings: readonly string[];
  /** What each cell style shows of a number, by the index of the style. */
  readonly dateStyles: readonly (DateKind | undefined)[];
  readonly is1904: boolean;
}

/* Errors such as #N/A are short; other texts in the place of a number may not be. */
const maxErrorLength = 100;

/**
 * Returns the value of a cell, or undefined if it refers to a shared string that does not exist.
 *
 * @param type the type of the cell, such as `s`
 * @param style the index of its style
 * @param stored the text of its value, not empty
 */
export function cellValue(
  type: string,
  style: number,
  stored: string,
  { strings, dateStyles, is1904 }: CellContext,
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
      const text = numberText(stored);
      if (text === undefined) return missing(stored);
      const kind = dateStyles[style];
      const date = kind === undefined ? undefined : formatSerial(Number(stored), kind, is1904);
      return date === undefined ? { text, kind: 'number' } : { text: date, kind: 'date' };
    }
  }
}

function textValue(text: string): CellValue {
  return { text, kind: text === '' ? 'blank' : 'text' };
}

function missing(stored: string): CellValue {
  return { text: stored.slice(0, maxErrorLength), kind: 'missing' };
}

/**
 * Returns the value to write for a cell of another workbook, so that reading it again gives the
 * same text. A value that has no such type, such as a number with 17 digits, becomes a text.
 */
export function copiedCell(text: string, kind: CellKind): WrittenCell {
  switch (kind) {
    case 'number': {
      const value = Number(text);
      return numberText(String(value)) === text ? value : text;
    }
    case 'boolean':
      return text === 'TRUE';
    case 'date':
      return copiedDate(text);
    default:
      return text === '' ? undefined : text;
  }
}

const dateTime = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d)?$/;

function copiedDate(text: string): Date | string {
  if (!dateTime.test(text)) return text;
  const date = new Date(text.includes('T') ? `${text}Z` : text);
  if (Number.isNaN(date.getTime()) || serialOf(date) === undefined) return text;
  // V8 reads February 30 as March 2.
  return date.toISOString().startsWith(text) ? date : text;
}
