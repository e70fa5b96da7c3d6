/*
 * Turns tables into sheets with typed cells: numbers, dates and booleans keep their type, so that a
 * spreadsheet can sort and sum them. Text is sanitized and never a formula.
 */
import { type KindName, kindOf, yesOrNo } from '../../display/query/kinds.ts';
import { sanitize } from '../../display/terminal/sanitize.ts';
import { copiedCell } from '../workbook/cells.ts';
import type { SheetColumn, SheetContent, WrittenCell } from '../workbook/sheet-xml.ts';
import type { CsvValue } from './output-cell.ts';

/** A value of a cell: CSV has neither dates nor cells of a workbook. */
export type OutputValue = CsvValue | WrittenCell;

/** A column of an output: the user's own without a kind, whose cells stay as they are. */
export interface OutputColumn {
  /** As `--csv` names it. */
  readonly name: string;
  /** The header of a workbook, if it is not the name. */
  readonly header?: string | undefined;
  readonly kind?: KindName | undefined;
  /** Whether a workbook folds it away. */
  readonly isFolded?: boolean | undefined;
  /** The width in a workbook, in characters; by default, as its values need. */
  readonly width?: number | undefined;
}

export interface OutputTable {
  readonly name: string;
  readonly columns: readonly OutputColumn[];
  readonly rows: Iterable<readonly OutputValue[]> | AsyncIterable<readonly OutputValue[]>;
  /** The leading columns whose cells are the user's own, and stay as they are. */
  readonly own?: readonly SheetColumn[] | undefined;
  /** Number of columns that stay in view; by default, up to the first one of names. */
  readonly frozen?: number | undefined;
}

/** Returns the sheet of a table. */
export function outputSheet(table: OutputTable): SheetContent {
  const { name, columns, rows, own = [], frozen = frozenOf(columns) } = table;
  const areDates = columns.map(({ kind }) => kind === 'date');
  async function* typed() {
    for await (const row of rows)
      yield row.map((value, index) =>
        index < own.length ? (value ?? undefined) : typedCell(value, areDates[index]),
      );
  }
  return {
    name,
    columns: columns.map(
      ({ name: column, header = column, kind, isFolded, width }, index) =>
        own[index] ?? {
          header,
          isFolded,
          width,
          ...(kind && looksOf(kind)),
          // The rows of a user's own sheet keep their height.
          wraps: own.length === 0 && kind && kindOf(kind).isSentence,
        },
    ),
    rows: typed(),
    frozen,
    isUsers: own.length > 0,
    isFine: own.length === 0,
  };
}

/* A name that is none of the first columns would leave little room for the others. */
const maxFrozen = 3;

function frozenOf(columns: readonly OutputColumn[]): number {
  const index = columns.findIndex(({ kind }) => kind === 'name');
  return index < maxFrozen ? index + 1 : 0;
}

function looksOf(kind: KindName) {
  const { cellFormat: format, type } = kindOf(kind);
  // An ID is a name, a date as long as all others, and a value may be a text: none of them is next
  // to the text after it.
  const isLeft = kind === 'id' || kind === 'value' || type === 'date';
  const align = type === 'number' ? 'right' : isLeft ? 'left' : undefined;
  return { format, align } as const;
}

/* Excel shows at most 15 digits, which would change a longer id. */
const maxExact = 1e15;

/* Returns the cell of a value; with `isDate`, texts in the format of ISO 8601 are dates in UTC. */
function typedCell(value: OutputValue, isDate = false): WrittenCell {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'object') return value;
  if (typeof value === 'boolean') return yesOrNo(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return undefined;
    return Number.isInteger(value) && Math.abs(value) >= maxExact ? String(value) : value;
  }
  const text = sanitize(value);
  // Workbooks have no time zones.
  const utc = /(T\d\d:\d\d:\d\d)(?:\.\d+)?(?:Z|\+00:00)$/;
  return isDate ? copiedCell(text.replace(utc, '$1'), 'date') : copiedCell(text, 'text');
}
