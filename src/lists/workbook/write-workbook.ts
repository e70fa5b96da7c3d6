/*
 * Writes .xlsx workbooks as a stream: only the rows that set the column widths are in memory. Texts
 * are inline strings, so no table of shared strings grows, and never formulas. The parts have the
 * fewest elements that Excel, LibreOffice and openpyxl accept.
 */
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { columnName, escapeText, maxRows, serialOf } from './cells.ts';
import { invalidWorkbook } from './foreign-format.ts';

/** The value of a cell: numbers are finite, dates are in UTC, an empty cell is undefined. */
export type WrittenCell = string | number | boolean | Date | undefined;

/** A column of a sheet. */
export interface SheetColumn {
  readonly header: string;
  /** Excel number format of numbers in this column, such as `0.00` or `#,##0`. */
  readonly format?: string | undefined;
  /** Width in characters; by default, one that fits the header and the first rows. */
  readonly width?: number | undefined;
}

/** The content of a sheet, below a header that is bold, frozen and has a filter. */
export interface SheetContent {
  readonly name: string;
  readonly columns: readonly SheetColumn[];
  readonly rows: Iterable<readonly WrittenCell[]> | AsyncIterable<readonly WrittenCell[]>;
}

/** What the writing of a workbook produced and changed. */
export interface WrittenWorkbook {
  /** Number of rows of each sheet below the header. */
  readonly rows: readonly number[];
  /** Number of texts that were longer than a cell can be. */
  readonly truncated: number;
}

/* The same content makes the same file. */
const entryOptions = { mtime: new Date(Date.UTC(2000, 0, 1)), mode: 0o100644 } as const;

/**
 * Writes a workbook of at least one sheet.
 *
 * @throws UsageError if a sheet has more rows than Excel allows; the error of an iterator of rows;
 * the system's error
 */
export async function writeWorkbook(
  write: (block: Buffer) => void,
  sheets: readonly SheetContent[],
): Promise<WrittenWorkbook> {
  const columns = sheets.flatMap((sheet) => sheet.columns);
  const formats = [...new Set(columns.flatMap(({ format }) => format ?? []))];
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  // yazl waits for the end of a stream that failed.
  const fail = (error: Error) => void output.destroy(error);
  const streams: Readable[] = [];
  zip.on('error', fail);
  const names = sheets.map(({ name }) => name);
  for (const [part, text] of Object.entries(packageParts(names, formats)))
    zip.addBuffer(Buffer.from(declaration + text), part, entryOptions);
  const written = sheets.map((sheet, index) => {
    const counts = { rows: 0, truncated: 0 };
    zip.addReadStreamLazy(sheetPart(index), entryOptions, (use) => {
      const content = Readable.from(sheetXml(sheet, formats, counts), { objectMode: false });
      streams.push(content);
      use(null, content.on('error', fail));
    });
    return counts;
  });
  zip.end();
  try {
    for await (const block of output) write(block as Buffer);
  } finally {
    // After a failed write, this ends the iterators of rows.
    for (const stream of streams) stream.destroy();
  }
  return {
    rows: written.map(({ rows }) => rows),
    truncated: written.reduce((sum, { truncated }) => sum + truncated, 0),
  };
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const schemas = 'http://schemas.openxmlformats.org';
const packageSchema = `${schemas}/package/2006`;
const office = `${schemas}/officeDocument/2006`;
const namespace = `${schemas}/spreadsheetml/2006/main`;
const contentType = 'application/vnd.openxmlformats';

function sheetPart(index: number): string {
  return `xl/worksheets/sheet${index + 1}.xml`;
}

/* Returns the texts of the parts next to the sheets, by their names. */
function packageParts(
  sheets: readonly string[],
  formats: readonly string[],
): Readonly<Record<string, string>> {
  const types: (readonly [part: string, type: string])[] = [
    ['xl/workbook.xml', 'officedocument.spreadsheetml.sheet.main'],
    ['xl/styles.xml', 'officedocument.spreadsheetml.styles'],
    ...sheets.map(
      (_, index) => [sheetPart(index), 'officedocument.spreadsheetml.worksheet'] as const,
    ),
  ];
  const overrides = types.map(
    ([part, type]) => `<Override PartName="/${part}" ContentType="${contentType}-${type}+xml"/>`,
  );
  const tabs = sheets.map(
    (name, index) =>
      `<sheet name="${escapeText(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
  );
  return {
    '[Content_Types].xml': [
      `<Types xmlns="${packageSchema}/content-types">`,
      `<Default Extension="rels" ContentType="${contentType}-package.relationships+xml"/>`,
      '<Default Extension="xml" ContentType="application/xml"/>',
      `${overrides.join('')}</Types>`,
    ].join(''),
    '_rels/.rels': relationships([['officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': `<workbook xmlns="${namespace}" xmlns:r="${office}/relationships"><sheets>${tabs.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships([
      ...sheets.map((_, index) => ['worksheet', `/${sheetPart(index)}`] as const),
      ['styles', '/xl/styles.xml'],
    ]),
    'xl/styles.xml': stylesPart(formats),
  };
}

function relationships(targets: readonly (readonly [type: string, target: string])[]): string {
  const content = targets.map(
    ([type, target], index) =>
      `<Relationship Id="rId${index + 1}" Type="${office}/relationships/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${packageSchema}/relationships">${content.join('')}</Relationships>`;
}

/* Indexes of the styles that every workbook has; those of its number formats follow. */
const cellStyles = { plain: 0, header: 1, date: 2, dateTime: 3, guarded: 4 } as const;
const firstFormatStyle = 5;
const dateFormats = ['yyyy-mm-dd', 'yyyy-mm-dd hh:mm:ss'];
/* Lower ids are built-in formats. */
const firstFormatId = 164;

function stylesPart(formats: readonly string[]): string {
  const codes = [...dateFormats, ...formats];
  const style = (formatId: number, attributes = '', font = 0) =>
    `<xf numFmtId="${formatId}" fontId="${font}" fillId="0" borderId="0" xfId="0"${attributes}/>`;
  const formatted = codes.map((_, index) => style(firstFormatId + index, ' applyNumberFormat="1"'));
  // Without quotePrefix, a text that begins with = becomes a formula when a user edits its cell.
  const cellFormats = [
    style(0),
    style(0, ' quotePrefix="1" applyFont="1"', 1),
    ...formatted.slice(0, dateFormats.length),
    style(0, ' quotePrefix="1"'),
    ...formatted.slice(dateFormats.length),
  ];
  const numberFormats = codes.map(
    (code, index) =>
      `<numFmt numFmtId="${firstFormatId + index}" formatCode="${escapeText(code)}"/>`,
  );
  const font = '<sz val="11"/><name val="Calibri"/><family val="2"/></font>';
  return [
    `<styleSheet xmlns="${namespace}">`,
    `<numFmts count="${codes.length}">${numberFormats.join('')}</numFmts>`,
    `<fonts count="2"><font>${font}<font><b/>${font}</fonts>`,
    '<fills count="2"><fill><patternFill patternType="none"/></fill>',
    '<fill><patternFill patternType="gray125"/></fill></fills>',
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>',
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
    `<cellXfs count="${cellFormats.length}">${cellFormats.join('')}</cellXfs>`,
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>',
    '</styleSheet>',
  ].join('');
}

/* Limit of Excel, in UTF-16 code units. */
const maxTextLength = 32_767;
const minWidth = 6;
const maxWidth = 60;
/* Rows that set the column widths, which a sheet has before its rows. */
const maxSampleRows = 500;
const blockLength = 64 * 1024;

/* Writes the XML of a sheet in blocks, and counts its rows and truncated texts in `written`. */
async function* sheetXml(
  { name, columns, rows }: SheetContent,
  formats: readonly string[],
  written: { rows: number; truncated: number },
): AsyncGenerator<Buffer, void, void> {
  const styles = columns.map(({ format }) =>
    format === undefined ? cellStyles.plain : firstFormatStyle + formats.indexOf(format),
  );
  let number = 1;

  function begin(sample: readonly (readonly WrittenCell[])[]): string {
    const widths = columns.map(({ header, width }, index) => {
      const values = [header, ...sample.map((row) => row[index])];
      return `<col min="${index + 1}" max="${index + 1}" width="${width ?? widthOf(values)}" customWidth="1"/>`;
    });
    const headers = columns.map(({ header }, column) =>
      writeText(header, column, cellStyles.header),
    );
    return [
      `${declaration}<worksheet xmlns="${namespace}"><sheetViews><sheetView workbookViewId="0">`,
      '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>',
      '</sheetView></sheetViews>',
      columns.length > 0 ? `<cols>${widths.join('')}</cols>` : '',
      `<sheetData><row r="1">${headers.join('')}</row>`,
      ...sample.map(writeRow),
    ].join('');
  }

  function end(): string {
    const last = `${columnName(columns.length - 1)}${number}`;
    const filter = columns.length > 0 ? `<autoFilter ref="A1:${last}"/>` : '';
    return `</sheetData>${filter}</worksheet>`;
  }

  function writeRow(row: readonly WrittenCell[]): string {
    if (number === maxRows)
      throw invalidWorkbook(
        `The sheet "${name}" has more than ${maxRows.toLocaleString('en')} rows, the limit of Excel`,
        'Use CSV or JSON, or split the list.',
      );
    number += 1;
    written.rows += 1;
    let cells = '';
    for (let column = 0; column < row.length; column += 1) cells += writeCell(row[column], column);
    return `<row r="${number}">${cells}</row>`;
  }

  function writeCell(value: WrittenCell, column: number): string {
    if (value === undefined || value === '') return '';
    if (typeof value === 'string')
      return writeText(value, column, formula.test(value) ? cellStyles.guarded : cellStyles.plain);
    if (typeof value === 'boolean')
      return `<c r="${columnName(column)}${number}" t="b"><v>${value ? 1 : 0}</v></c>`;
    if (typeof value === 'number') {
      if (!Number.isFinite(value)) throw new RangeError(`${value} is not a number of a workbook`);
      return writeNumber(value, column, styles[column] ?? cellStyles.plain);
    }
    const serial = serialOf(value);
    if (serial === undefined) return writeText(value.toISOString(), column, cellStyles.plain);
    const style = Number.isInteger(serial) ? cellStyles.date : cellStyles.dateTime;
    return writeNumber(serial, column, style);
  }

  function writeNumber(value: number, column: number, style: number): string {
    return `<c r="${columnName(column)}${number}"${styleAttribute(style)}><v>${value === 0 ? 0 : value}</v></c>`;
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
