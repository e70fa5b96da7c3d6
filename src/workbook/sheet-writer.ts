import { cellStyles } from './cell-styles.ts';
import { columnName, escapeText, maxRows, serialOf } from './cell-text.ts';
import { invalidWorkbook } from './foreign-format.ts';

/**
 * A value of a cell: a text, a finite number, a boolean, a date in UTC, or undefined for an empty
 * cell.
 */
export type WrittenCell = string | number | boolean | Date | undefined;

/** A column of a sheet. */
export interface SheetColumn {
  /** Text of the header. */
  readonly header: string;
  /** Excel number format of numbers in this column, such as `0.00` or `#,##0`. */
  readonly format?: string | undefined;
  /** Width in characters; by default, one that fits the header and the first rows. */
  readonly width?: number | undefined;
}

/** The content of a sheet. */
export interface SheetContent {
  readonly name: string;
  readonly columns: readonly SheetColumn[];
  readonly rows: Iterable<readonly WrittenCell[]> | AsyncIterable<readonly WrittenCell[]>;
  /**
   * Whether the first row is the header: bold, frozen and with a filter. True by default. Without
   * it, the headers of the columns are not written.
   */
  readonly hasHeader?: boolean | undefined;
}

/* Limit of Excel, in UTF-16 code units. */
const maxTextLength = 32_767;
const minWidth = 6;
const maxWidth = 60;
/* Rows that set the column widths, which a sheet has before its rows. */
const maxSampleRows = 500;
const blockLength = 64 * 1024;

/** Writes the XML of one sheet. */
export class SheetWriter {
  /** Number of rows that were written, without the header. */
  rows = 0;
  /** Number of texts that were longer than a cell can be. */
  truncated = 0;
  readonly #sheet: SheetContent;
  readonly #styles: readonly number[];
  readonly #hasHeader: boolean;
  #row = 0;

  /** @param styles the index of the cell style for the numbers of each column */
  constructor(sheet: SheetContent, styles: readonly number[]) {
    this.#sheet = sheet;
    this.#styles = styles;
    this.#hasHeader = sheet.hasHeader ?? true;
  }

  /**
   * Writes the sheet in blocks. Can be called once.
   *
   * @throws UsageError if the sheet has more rows than Excel permits
   */
  async *xml(): AsyncGenerator<Buffer, void, void> {
    const headers = this.#sheet.columns.map(({ header }) => header);
    const sample: (readonly WrittenCell[])[] = [];
    let block = '';
    for await (const row of this.#sheet.rows) {
      if (sample.length < maxSampleRows) {
        sample.push(row);
        if (sample.length < maxSampleRows) continue;
        block = this.#begin(headers, sample);
        for (const one of sample) block += this.#writeRow(one);
        continue;
      }
      block += this.#writeRow(row);
      if (block.length > blockLength) {
        yield Buffer.from(block);
        block = '';
      }
    }
    if (sample.length < maxSampleRows) {
      block = this.#begin(headers, sample);
      for (const one of sample) block += this.#writeRow(one);
    }
    yield Buffer.from(block + this.#end(headers.length));
  }

  #begin(headers: readonly string[], sample: readonly (readonly WrittenCell[])[]): string {
    const widths = this.#sheet.columns.map(
      ({ width }, index) =>
        width ??
        widthOf([...(this.#hasHeader ? [headers[index]] : []), ...sample.map((row) => row[index])]),
    );
    const column = (width: number, index: number) =>
      `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`;
    const pane = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>';
    const view = `<sheetViews><sheetView workbookViewId="0">${this.#hasHeader ? pane : ''}</sheetView></sheetViews>`;
    const columns = widths.length > 0 ? `<cols>${widths.map(column).join('')}</cols>` : '';
    const begin = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">${view}${columns}<sheetData>`;
    return this.#hasHeader ? begin + this.#writeHeader(headers) : begin;
  }

  #end(columns: number): string {
    const filter =
      this.#hasHeader && columns > 0
        ? `<autoFilter ref="A1:${columnName(columns - 1)}${this.#row}"/>`
        : '';
    return `</sheetData>${filter}</worksheet>`;
  }

  #writeHeader(headers: readonly string[]): string {
    this.#row += 1;
    const cells = headers.map((header, column) => this.#text(header, column, cellStyles.header));
    return `<row r="1">${cells.join('')}</row>`;
  }

  #writeRow(row: readonly WrittenCell[]): string {
    if (this.#row === maxRows) {
      throw invalidWorkbook(
        `The sheet "${this.#sheet.name}" has more than ${maxRows.toLocaleString('en')} rows, the limit of Excel`,
        'Use CSV or JSON, or split the list.',
      );
    }
    this.#row += 1;
    this.rows += 1;
    let cells = '';
    for (let column = 0; column < row.length; column += 1) cells += this.#cell(row[column], column);
    return `<row r="${this.#row}">${cells}</row>`;
  }

  #cell(value: WrittenCell, column: number): string {
    if (value === undefined || value === '') return '';
    if (typeof value === 'string') {
      const isGuarded = formula.test(value);
      return this.#text(value, column, isGuarded ? cellStyles.guarded : cellStyles.plain);
    }
    if (typeof value === 'boolean')
      return `<c r="${this.#reference(column)}" t="b"><v>${value ? 1 : 0}</v></c>`;
    if (typeof value === 'number') {
      if (!Number.isFinite(value)) throw new RangeError(`${value} is not a number of a workbook`);
      return this.#number(value, column, this.#styles[column] ?? cellStyles.plain);
    }
    const serial = serialOf(value);
    if (serial === undefined) return this.#text(value.toISOString(), column, cellStyles.plain);
    const style = Number.isInteger(serial) ? cellStyles.date : cellStyles.dateTime;
    return this.#number(serial, column, style);
  }

  #number(value: number, column: number, style: number): string {
    return `<c r="${this.#reference(column)}"${styleAttribute(style)}><v>${value === 0 ? 0 : value}</v></c>`;
  }

  #text(value: string, column: number, style: number): string {
    const isTooLong = value.length > maxTextLength;
    if (isTooLong) this.truncated += 1;
    const text = isTooLong ? value.slice(0, maxTextLength).replace(/[\ud800-\udbff]$/, '') : value;
    const space = needsSpace.test(text) ? ' xml:space="preserve"' : '';
    return `<c r="${this.#reference(column)}"${styleAttribute(style)} t="inlineStr"><is><t${space}>${escapeText(text)}</t></is></c>`;
  }

  #reference(column: number): string {
    return `${columnName(column)}${this.#row}`;
  }
}

/* The start of a formula when a user edits the cell, in full-width forms too. */
const formula = /^\s*[=+\-@＝＋－＠]/u;
const needsSpace = /^\s|\s$|[\n\t]|\s\s/;

function styleAttribute(style: number): string {
  return style === 0 ? '' : ` s="${style}"`;
}

const wide = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]/g;

/* The width in characters, with room for the filter button of the header. */
function widthOf(values: readonly WrittenCell[]): number {
  let width = minWidth;
  for (const value of values) {
    const text = value instanceof Date ? '0000-00-00' : String(value ?? '').slice(0, maxWidth);
    width = Math.max(width, text.length + (text.match(wide)?.length ?? 0));
  }
  return Math.min(width, maxWidth) + 2;
}
