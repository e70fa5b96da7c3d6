/* Puts short tables one under the other on one sheet, which is read and printed as one page. */

import { type CellStyle, formatOf, isSmall } from '../workbook/cell-styles.ts';
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
    for (const [index, { name: heading, columns, rows: cells }] of tables.entries()) {
      if (index > 0) yield [];
      yield [{ type: 'text', content: heading, style: title, covers: columns.length }];
      const heads = columns.map(({ header }, at) =>
        inStyle(header, looksOf(columns, at, 'header')),
      );
      yield heads;
      const styles = columns.map((_, at) => looksOf(columns, at));
      const small = styles.map((style, at) => ({
        ...style,
        format: formatOf(columns[at]?.format, Number.MIN_VALUE),
      }));
      const styleOf = (cell: WrittenCell, at: number) =>
        typeof cell === 'number' && isSmall(columns[at]?.format, cell) ? small[at] : styles[at];
      const days = styles.map((style) => ({ ...style, format: dateFormats.day }));
      for await (const row of cells)
        yield row.map((cell, at) =>
          inStyle(cell, cell instanceof Date ? days[at] : styleOf(cell, at)),
        );
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
  const { format, wraps, align: usual } = columns[at] ?? {};
  const align = at === 0 ? 'left' : usual;
  const isIndented = align === undefined && at > 1 && columns[at - 1]?.align === 'right';
  return {
    ...(font === undefined
      ? { format: formatOf(format, Number.POSITIVE_INFINITY), wraps, isTop: true }
      : { font, wraps: true }),
    ...(isIndented ? { align: 'left', isIndented } : { align }),
  };
}

function inStyle(cell: WrittenCell, style: CellStyle = {}): WrittenCell {
  if (typeof cell === 'string') return { type: 'text', content: cell, style };
  if (typeof cell === 'number') return { type: 'number', content: String(cell), style };
  if (!(cell instanceof Date)) return cell;
  const serial = serialOf(cell);
  return serial === undefined ? cell : { type: 'number', content: String(serial), style };
}
