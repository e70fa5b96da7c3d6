import type { CellKind } from './cell-value.ts';
import { numberText } from './number-text.ts';
import { serialOf } from './serial-date.ts';
import type { WrittenCell } from './sheet-writer.ts';

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
