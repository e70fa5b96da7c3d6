/* Writes the XML of a sheet: a table with a header, or a text (ECMA-376 part 1, 18.3.1). */
import {
  type CellStyle,
  type ColumnFormats,
  columnFormat,
  formatOf,
  isSmall,
  type NumberFormat,
  type SizedFormat,
} from './cell-styles.ts';
import { columnName, escapeText, maxSheetRows, type StyledCell, serialOf } from './cells.ts';
import { invalidWorkbook } from './foreign-format.ts';
import { declaration, namespace } from './package-parts.ts';
import { printingXml } from './sheet-printing.ts';
import type { ColumnLayout } from './sheet-rows.ts';
import { cellStyles, dateFormats, type StyleTable } from './style-table.ts';
import { countLines } from './text-lines.ts';

/** What a row is: a sum, or a part of one. */
type RowLevel = 'sum' | 'part';

/** The value of a cell: numbers are finite, dates are in UTC, an empty cell is undefined. */
export type WrittenCell = string | number | boolean | Date | StyledCell | undefined;

/** A column of a sheet. */
export interface SheetColumn {
  readonly header: WrittenCell;
  /** Excel number format of numbers in this column, such as `0.00` or `#,##0`. */
  readonly format?: NumberFormat | SizedFormat | ColumnFormats | undefined;
  /** Where numbers and the header are; by default, as Excel does. */
  readonly align?: 'left' | 'right' | undefined;
  /** Width in characters; by default, one that fits the header and the first rows. */
  readonly width?: number | undefined;
  /** Whether its texts are sentences, which wrap. */
  readonly wraps?: boolean | undefined;
  /** Whether it is folded away, until a person opens it. */
  readonly isFolded?: boolean | undefined;
  /** The look of a column of another workbook, which stays as it is. */
  readonly layout?: ColumnLayout | undefined;
}

/** The content of a sheet, below a header that is bold, frozen and has a filter. */
export interface SheetContent {
  readonly name: string;
  readonly columns: readonly SheetColumn[];
  readonly rows: Iterable<readonly WrittenCell[]> | AsyncIterable<readonly WrittenCell[]>;
  /** Whether the sheet is a text, without a header and a filter. Texts are written after tables. */
  readonly isText?: boolean | undefined;
  /** Whether its few columns, which have a width and may wrap, are printed upright. */
  readonly isPortrait?: boolean | undefined;
  /** Whether it has columns of the user's list, which stay as they are. */
  readonly isUsers?: boolean | undefined;
  /** Whether its print may be small, as all columns are those of carbon. */
  readonly isFine?: boolean | undefined;
  /** Whether it has few rows, so that it needs no page of its own. */
  readonly isShort?: boolean | undefined;
  /** What its rows are of the rows around them, in the same order; nothing by default. */
  readonly levels?: readonly (RowLevel | undefined)[] | undefined;
  /** Index of the first row that is folded away, with all after it, until a person opens them. */
  readonly foldedFrom?: number | undefined;
  /** Number of columns that stay in view. */
  readonly frozen?: number | undefined;
  /** Returns what each printed page says at its foot; called after the rows were read. */
  readonly footer?: (() => string | undefined) | undefined;
}

/** What the writing of a sheet counts. */
export interface WrittenParts {
  rows: number;
  truncated: number;
}

interface SheetContext {
  readonly styles: StyleTable;
  readonly is1904: boolean;
  readonly isFirst: boolean;
}

/* Limit of Excel, in UTF-16 code units. */
const maxTextLength = 32_767;
const minWidth = 6;
const maxWidth = 60;
/* Of sentences, which have several lines. */
const maxWrapped = 30;
/* Of those that less than a tenth of the rows have. */
const maxSparse = 20;
const minFilled = 10;
/* Of headers that wrap. */
const maxHeader = 18;
const defaultWidth = 9;
/* Rows that set the column widths, which a sheet has before its rows. */
const maxSampleRows = 500;
const blockLength = 64 * 1024;
/* In points. */
const lineHeight = 15;
/* In lines: the gap between the parts of a text. */
const gapLines = 0.5;
/* The font of a title is larger, and bold. */
const titleScale = 4 / 3;
/* Days from 1900-01-00 to 1904-01-01. */
const days1904 = 1_462;

/** Returns the cells of a table; undefined for a text, and for a table without columns. */
export function rangeOf({ columns, isText }: SheetContent, rows: number): string | undefined {
  if (isText || columns.length === 0) return undefined;
  return `$A$1:$${columnName(columns.length - 1)}$${rows + 1}`;
}

/** Writes the XML of a sheet in blocks, and counts its rows and truncated texts in `written`. */
export async function* sheetXml(
  sheet: SheetContent,
  { styles, is1904, isFirst }: SheetContext,
  written: WrittenParts,
): AsyncGenerator<Buffer, void, void> {
  const { name, rows, isText = false, isPortrait = isText, foldedFrom, footer } = sheet;
  // A text that is folded away would make its row high.
  const columns = sheet.columns.map((column) =>
    column.isFolded ? { ...column, wraps: false } : column,
  );
  const frozen = isText ? 0 : Math.min(sheet.frozen ?? 0, columns.length - 1);
  const isTop = columns.some(({ wraps }) => wraps);
  // Known when the first rows are.
  let formats: readonly (NumberFormat | SizedFormat | undefined)[] = [];
  let looks: readonly CellStyle[] = [];
  // The styles of small numbers, where they have one.
  let smallLooks: readonly (CellStyle | undefined)[] = [];
  const markedLooks = new Map<CellStyle, CellStyle>();
  // LibreOffice shows no indent of a number next to a text.
  const areIndented = columns.map(({ align, layout }, index) => {
    const before = columns.slice(0, index).findLast(({ isFolded }) => !isFolded);
    return align === undefined && layout === undefined && before?.align === 'right';
  });
  const headerStyles = columns.map(({ align }, index) => {
    if (areIndented[index]) return cellStyles.indentedHeader;
    return align === 'right' ? cellStyles.rightHeader : cellStyles.header;
  });
  // The styles of dates, by column: one object for each cell would stay in memory.
  const days: number[] = [];
  const times: number[] = [];
  const texts = columns.map(
    ({ wraps }, index): CellStyle => ({ ...(areIndented[index] && indented), wraps, isTop }),
  );
  const hasFolded = columns.some(({ isFolded }) => isFolded);
  const hasLayout = columns.some(({ layout }) => layout !== undefined);
  const hasHeights = isText || isPortrait || isTop;
  const widths: number[] = [];
  const merged: string[] = [];
  let number = isText ? 0 : 1;
  let lineCount = isText ? 0 : 1;
  let allWidth = 0;
  let repeated = 0;

  function begin(sample: readonly (readonly WrittenCell[])[]): string {
    const printed: number[] = [];
    formats = columns.map(({ format }, index) =>
      columnFormat(
        format,
        sample.map((row) => row[index]),
      ),
    );
    looks = columns.map(({ align }, index): CellStyle => {
      return { format: formatOf(formats[index], Number.POSITIVE_INFINITY), align, isTop };
    });
    smallLooks = columns.map(({ align }, index): CellStyle | undefined =>
      typeof formats[index] === 'object'
        ? { format: formatOf(formats[index], Number.MIN_VALUE), align, isTop }
        : undefined,
    );
    const elements = columns.map(({ header, width, wraps, layout, isFolded }, index) => {
      const format = formats[index];
      const values = [header, ...sample.map((row) => row[index])];
      const isWhole = sample.length < maxSampleRows;
      const set =
        layout === undefined
          ? (width ?? widthOf(values, format, { isWhole, wraps }))
          : layout.width;
      const place = `min="${index + 1}" max="${index + 1}"`;
      const hidden = isFolded || layout?.isHidden ? ' hidden="1"' : '';
      // The column after a group has the button that opens it.
      const isAfter = !isFolded && columns[index - 1]?.isFolded;
      const outline = isFolded ? ' outlineLevel="1"' : isAfter ? ' collapsed="1"' : '';
      widths.push(set ?? defaultWidth);
      printed.push(hidden === '' ? (set ?? defaultWidth) : 0);
      if (set === undefined && hidden === '') return '';
      return `<col ${place}${set === undefined ? '' : ` width="${set}" customWidth="1"`}${hidden}${outline}/>`;
    });
    if (columns.at(-1)?.isFolded) {
      const after = columns.length + 1;
      elements.push(`<col min="${after}" max="${after}" width="${defaultWidth}" collapsed="1"/>`);
    }
    const cols = elements.join('');
    // Each page repeats the columns that stay in view.
    repeated = sum(printed.slice(0, frozen));
    allWidth = sum(printed);
    const headers = columns.map(({ header }, column) =>
      typeof header === 'string'
        ? writeText(header, column, headerStyles[column] ?? cellStyles.header)
        : writeCell(header, column),
    );
    return [
      `${declaration}<worksheet xmlns="${namespace}">`,
      '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>',
      `<sheetViews><sheetView${isText ? ' showGridLines="0"' : ''}${isFirst ? ' tabSelected="1"' : ''} workbookViewId="0">`,
      isText ? '' : paneOf(frozen),
      '</sheetView></sheetViews>',
      `<sheetFormatPr defaultRowHeight="${lineHeight}"${foldedFrom === undefined ? '' : ' outlineLevelRow="1"'}${hasFolded ? ' outlineLevelCol="1"' : ''}/>`,
      cols === '' ? '' : `<cols>${cols}</cols>`,
      '<sheetData>',
      isText
        ? ''
        : // LibreOffice prints the first row over a header of another height than the default one.
          `<row r="1"${hasLayout ? '' : heightOf(lineHeight)}>${headers.join('')}</row>`,
      ...sample.map(writeRow),
    ].join('');
  }

  function end(): string {
    const range = rangeOf(sheet, written.rows)?.replaceAll('$', '');
    const filter = range === undefined ? '' : `<autoFilter ref="${range}"/>`;
    // The row after a group has the button that opens it.
    const button = foldedFrom === undefined ? '' : `<row r="${number + 1}" collapsed="1"/>`;
    return [
      `${button}</sheetData>${filter}`,
      merged.length === 0
        ? ''
        : `<mergeCells count="${merged.length}">${merged.join('')}</mergeCells>`,
      printingXml({
        isText,
        isPortrait,
        isFine: sheet.isFine === true,
        hasLayout,
        width: allWidth,
        repeated,
        lines: lineCount,
        footer: footer?.(),
      }),
      '</worksheet>',
    ].join('');
  }

  function writeRow(row: readonly WrittenCell[]): string {
    if (number === maxSheetRows)
      throw invalidWorkbook(
        `The sheet "${name}" has more than ${maxSheetRows.toLocaleString('en')} rows, the limit of Excel`,
        'Use CSV or JSON, or split the list.',
      );
    number += 1;
    written.rows += 1;
    let cells = '';
    for (let column = 0; column < row.length; column += 1) cells += writeCell(row[column], column);
    const isGap = isText && isPortrait && row.length === 0;
    const lines = isGap ? gapLines : hasHeights ? linesOf(row) : 1;
    const isFolded = foldedFrom !== undefined && written.rows > foldedFrom;
    if (!isFolded) lineCount += lines;
    const height = lines !== 1 ? heightOf(lines * lineHeight) : '';
    const outline = isFolded ? ' hidden="1" outlineLevel="1"' : '';
    return `<row r="${number}"${height}${outline}>${cells}</row>`;
  }

  /* LibreOffice gives the rows of other programs one line. */
  function linesOf(row: readonly WrittenCell[]): number {
    let most = 1;
    for (const [column, cell] of row.entries()) {
      if (typeof cell === 'string') {
        if (columns[column]?.wraps)
          most = Math.max(most, countLines(cell, widths[column] ?? maxWidth));
      } else if (typeof cell === 'object' && 'style' in cell && cell.style.wraps) {
        const width = sum(widths.slice(column, column + (cell.covers ?? 1)));
        const scale = cell.style.font === 'title' ? titleScale : 1;
        most = Math.max(most, countLines(cell.content, width / scale, cell.style) * scale);
      }
    }
    return most;
  }

  function writeCell(value: WrittenCell, column: number): string {
    if (value === undefined || value === '') return '';
    if (typeof value === 'string') return writeText(value, column, textStyle(value, column));
    if (typeof value === 'boolean') return writeValue(value ? 1 : 0, column, 0, ' t="b"');
    if (typeof value === 'number') {
      if (!Number.isFinite(value)) throw new RangeError(`${value} is not a number of a workbook`);
      return writeValue(value === 0 ? 0 : value, column, styles.indexOf(lookOf(value, column)));
    }
    if (!(value instanceof Date)) return writeStyled(value, column);
    const serial = serialOf(value);
    if (serial === undefined) return writeText(value.toISOString(), column, cellStyles.plain);
    const isDay = Number.isInteger(serial);
    const format = isDay ? dateFormats.day : dateFormats.time;
    const indexes = isDay ? days : times;
    indexes[column] ??= styles.indexOf({ ...looks[column], format });
    return writeValue(is1904 ? serial - days1904 : serial, column, indexes[column]);
  }

  function textStyle(value: string, column: number): number {
    return styles.indexOf(texts[column] ?? plain, formula.test(value));
  }

  function writeStyled(cell: StyledCell, column: number): string {
    const { type, content, covers = 1 } = cell;
    const style = cell.style.isMarked ? markedLook(Number(content), column) : cell.style;
    const last = columnName(column + covers - 1);
    if (covers > 1)
      merged.push(`<mergeCell ref="${columnName(column)}${number}:${last}${number}"/>`);
    if (content === '')
      return `<c r="${columnName(column)}${number}"${styleAttribute(styles.indexOf(style))}/>`;
    if (type === 'text')
      return writeText(content, column, styles.indexOf(style, formula.test(content)));
    const attribute = type === 'number' ? '' : type === 'boolean' ? ' t="b"' : ' t="e"';
    return writeValue(content, column, styles.indexOf(style), attribute);
  }

  /* Cells with one style share its object. */
  function markedLook(value: number, column: number): CellStyle {
    const look = lookOf(value, column);
    const known = markedLooks.get(look) ?? { ...look, isMarked: true };
    markedLooks.set(look, known);
    return known;
  }

  function lookOf(value: number, column: number): CellStyle {
    return (isSmall(formats[column], value) ? smallLooks[column] : looks[column]) ?? plain;
  }

  function writeValue(value: number | string, column: number, style: number, type = ''): string {
    return `<c r="${columnName(column)}${number}"${styleAttribute(style)}${type}><v>${value}</v></c>`;
  }

  function writeText(value: string, column: number, style: number): string {
    const isTooLong = value.length > maxTextLength;
    if (isTooLong) written.truncated += 1;
    const text = isTooLong ? value.slice(0, maxTextLength).replace(/[\ud800-\udbff]$/, '') : value;
    const space = needsSpace.test(text) ? ' xml:space="preserve"' : '';
    return `<c r="${columnName(column)}${number}"${styleAttribute(style)} t="inlineStr"><is><t${space}>${escapeText(text)}</t></is></c>`;
  }

  const sample: (readonly WrittenCell[])[] = [];
  let block = '';
  for await (const row of rows) {
    if (sample.length < maxSampleRows) {
      if (sample.push(row) === maxSampleRows) block = begin(sample);
      continue;
    }
    block += writeRow(row);
    if (block.length > blockLength) {
      yield Buffer.from(block);
      block = '';
    }
  }
  if (sample.length < maxSampleRows) block = begin(sample);
  yield Buffer.from(block + end());
}

function sum(widths: readonly number[]): number {
  return widths.reduce((all, width) => all + width, 0);
}

/* Returns the frozen header, and the frozen columns to the left. */
function paneOf(frozen: number): string {
  if (frozen <= 0)
    return '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>';
  const first = `${columnName(frozen)}2`;
  return `<pane xSplit="${frozen}" ySplit="1" topLeftCell="${first}" activePane="bottomRight" state="frozen"/>`;
}

/* The start of a formula when a user edits the cell, in full-width forms too. */
const formula = /^\s*[=+\-@＝＋－＠]/u;
const needsSpace = /^\s|\s$|[\n\t]|\s\s/;

const indented: CellStyle = { align: 'left', isIndented: true };
/* Cells share it: the style table finds a style by its object. */
const plain: CellStyle = {};

function heightOf(points: number): string {
  return ` ht="${points}" customHeight="1"`;
}

function styleAttribute(style: number): string {
  return style === 0 ? '' : ` s="${style}"`;
}

const wide = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]/g;

/*
 * The width in characters, with room for the filter button of the header.
 * @param isWhole whether these are all values of the column
 */
function widthOf(
  values: readonly WrittenCell[],
  format: NumberFormat | SizedFormat | undefined,
  { isWhole, wraps = false }: { readonly isWhole: boolean; readonly wraps?: boolean | undefined },
): number {
  let width = minWidth;
  const filled = values.filter((value) => (value ?? '') !== '').length;
  const isSparse = filled * minFilled < values.length;
  // The header does not wrap.
  const maxSentence = isSparse ? Math.max(maxSparse, String(values[0]).length) : maxWrapped;
  for (const value of values) {
    const { shown, own = format, limit = maxWidth } = shownIn(value);
    const text =
      shown instanceof Date
        ? dateShape(shown)
        : typeof shown === 'number'
          ? numberShape(shown, formatOf(own, shown)) + (isWhole || own === undefined ? '' : spare)
          : String(shown ?? '').slice(0, limit);
    width = Math.max(width, text.length + (text.match(wide)?.length ?? 0));
  }
  return Math.min(width, wraps ? maxSentence : maxWidth) + 2;
}

/* Returns what a cell shows, its own format, and how wide it may be. A title needs no width. */
function shownIn(value: WrittenCell) {
  if (typeof value !== 'object' || value instanceof Date) return { shown: value };
  const { type, content, style, covers = 1 } = value;
  if (covers > 1) return { shown: undefined };
  const limit = !style.wraps ? maxWidth : style.font === 'header' ? maxHeader : maxWrapped;
  return { shown: type === 'number' ? Number(content) : content, own: style.format, limit };
}

/* Returns a text as long as a date in its format. */
function dateShape(date: Date): string {
  return Number.isInteger(serialOf(date)) ? '00 Mmm 0000' : '00 Mmm 0000 00:00';
}

/* A number without a format shows at most eleven characters. */
const maxGeneral = 11;
/* Room for a number below the first rows, whose digits a narrow column would hide. */
const spare = '0000';

/* Returns a text as long as a number in its format, such as `#,##0.00` or `0.0%`. */
function numberShape(value: number, format: NumberFormat | undefined): string {
  if (typeof format !== 'string') return String(value).slice(0, maxGeneral);
  const [shown = ''] = format.split(';');
  const decimals = /\.(0+)/.exec(shown)?.[1]?.length ?? 0;
  const suffix = shown.endsWith('%') ? '%' : '';
  const digits = (suffix === '' ? value : value * 100).toFixed(decimals);
  const sign = shown.startsWith('+') && value > 0 ? '+' : '';
  const groups = shown.includes('#,') ? Math.floor((digits.length - decimals) / 3) : 0;
  return `${sign}${digits}${','.repeat(groups)}${suffix}`;
}
