/* Puts short tables one under the other on one sheet, which is read and printed as one page. */

import { type CellStyle, columnFormat, formatOf, isSmall } from '../workbook/cell-styles.ts';
import { serialOf } from '../workbook/cells.ts';
import type { SheetColumn, SheetContent, WrittenCell } from '../workbook/sheet-xml.ts';
import { dateFormats } from '../workbook/style-table.ts';
import { freeName } from './sheet-name.ts';

const title: CellStyle = { font: 'bold' };

/**
 * Returns sheets of which the short ones are one, in the place of the first of them; a single short
 * one stays as it is.
 * @param taken names of further sheets
 */
export function withStacked(
  sheets: readonly SheetContent[],
  taken: readonly string[] = [],
): readonly SheetContent[] {
  const short = sheets.filter(({ isShort }) => isShort);
  if (short.length < 2) return sheets;
  const names = sheets.filter(({ isShort }) => !isShort).map(({ name }) => name);
  const stacked = stackedSheet(freeName('Tables', [...taken, ...names]), short);
  return sheets.flatMap((each) => (each === short[0] ? [stacked] : each.isShort ? [] : [each]));
}

function stackedSheet(name: string, tables: readonly SheetContent[]): SheetContent {
  async function* rows(): AsyncGenerator<readonly WrittenCell[]> {
    for (const [index, { name: heading, columns, rows: given, levels }] of tables.entries()) {
      if (index > 0) yield [];
      yield [{ type: 'text', content: heading, style: title, covers: columns.length }];
      yield columns.map(({ header }, at) => inStyle(header, looksOf(columns, at, 'header')));
      const cells: (readonly WrittenCell[])[] = [];
      for await (const row of given) cells.push(row);
      const looks = columns.map((_, at) => columnLooks(columns, at, cells));
      // A sum without a value has its line, too.
      for (const [row, values] of cells.entries())
        yield columns.map((_, at) => looks[at]?.(values[at], levels?.[row]));
    }
  }
  const width = Math.max(...tables.map(({ columns }) => columns.length));
  return {
    name,
    columns: Array.from({ length: width }, () => ({ header: undefined })),
    rows: rows(),
    isText: true,
    isPortrait: false,
  };
}

/* A text after a number is indented, so that they do not touch. Years are labels here. */
function looksOf(columns: readonly SheetColumn[], at: number, font?: 'header'): CellStyle {
  const { wraps, align: usual } = columns[at] ?? {};
  const align = at === 0 ? 'left' : usual;
  const isIndented = align === undefined && at > 1 && columns[at - 1]?.align === 'right';
  return {
    ...(font === undefined ? { wraps, isTop: true } : { font, wraps: true }),
    ...(isIndented ? { align: 'left', isIndented } : { align }),
  };
}

/* Returns a function that gives a cell of a column its look: cells with one style share it. */
function columnLooks(
  columns: readonly SheetColumn[],
  at: number,
  rows: readonly (readonly WrittenCell[])[],
) {
  const format = columnFormat(
    columns[at]?.format,
    rows.map((row) => row[at]),
  );
  const usual = { ...looksOf(columns, at), format: formatOf(format, Number.POSITIVE_INFINITY) };
  const stylesOf = (base: CellStyle) => ({
    usual: base,
    small: { ...base, format: formatOf(format, Number.MIN_VALUE) },
    day: { ...base, format: dateFormats.day },
  });
  const styles = {
    sum: stylesOf({ ...usual, font: 'bold', hasRule: true }),
    part: stylesOf(at === 0 ? { ...usual, isIndented: true } : usual),
    none: stylesOf(usual),
  };
  return (cell: WrittenCell, level: 'sum' | 'part' | 'none' = 'none'): WrittenCell => {
    const { usual: look, small, day } = styles[level];
    if (cell === undefined)
      return level === 'sum' ? { type: 'text', content: '', style: look } : undefined;
    if (cell instanceof Date) return inStyle(cell, day);
    return inStyle(cell, typeof cell === 'number' && isSmall(format, cell) ? small : look);
  };
}

function inStyle(cell: WrittenCell, style: CellStyle = {}): WrittenCell {
  if (typeof cell === 'string') return { type: 'text', content: cell, style };
  if (typeof cell === 'number') return { type: 'number', content: String(cell), style };
  if (!(cell instanceof Date)) return cell;
  const serial = serialOf(cell);
  return serial === undefined ? cell : { type: 'number', content: String(serial), style };
}
