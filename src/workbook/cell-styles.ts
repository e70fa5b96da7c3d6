/*
 * The cell styles of a written workbook: a style for each purpose and one for each number format of
 * its columns (ECMA-376 part 1, 18.8).
 */
import { escapeText } from './cell-text.ts';

/** Indexes of the styles that every workbook has. */
export const cellStyles = { plain: 0, header: 1, date: 2, dateTime: 3, guarded: 4 } as const;

const namespace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const dateFormat = 'yyyy-mm-dd';
const dateTimeFormat = 'yyyy-mm-dd hh:mm:ss';
/* Lower ids are built-in formats. */
const firstFormatId = 164;

/**
 * Returns the index of the style that shows numbers in a format.
 *
 * @param formats all formats of the workbook, without duplicates
 */
export function formatStyle(formats: readonly string[], format: string | undefined): number {
  if (format === undefined) return cellStyles.plain;
  return Object.keys(cellStyles).length + formats.indexOf(format);
}

/** Returns the XML of the styles part. */
export function stylesPart(formats: readonly string[]): string {
  const codes = [dateFormat, dateTimeFormat, ...formats];
  const style = (formatId: number, font: number, attributes = '') =>
    `<xf numFmtId="${formatId}" fontId="${font}" fillId="0" borderId="0" xfId="0"${attributes}/>`;
  const formatted = (code: string) =>
    style(firstFormatId + codes.indexOf(code), 0, ' applyNumberFormat="1"');
  // Without quotePrefix, a text that begins with = becomes a formula when a user edits its cell.
  const cellFormats = [
    style(0, 0),
    style(0, 1, ' quotePrefix="1" applyFont="1"'),
    formatted(dateFormat),
    formatted(dateTimeFormat),
    style(0, 0, ' quotePrefix="1"'),
    ...formats.map(formatted),
  ];
  const font = (bold: string) =>
    `<font>${bold}<sz val="11"/><name val="Calibri"/><family val="2"/></font>`;
  return [
    `<styleSheet xmlns="${namespace}">`,
    list(
      'numFmts',
      codes.map(
        (code, index) =>
          `<numFmt numFmtId="${firstFormatId + index}" formatCode="${escapeText(code)}"/>`,
      ),
    ),
    list('fonts', [font(''), font('<b/>')]),
    list(
      'fills',
      ['none', 'gray125'].map((fill) => `<fill><patternFill patternType="${fill}"/></fill>`),
    ),
    list('borders', ['<border><left/><right/><top/><bottom/><diagonal/></border>']),
    list('cellStyleXfs', ['<xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>']),
    list('cellXfs', cellFormats),
    list('cellStyles', ['<cellStyle name="Normal" xfId="0" builtinId="0"/>']),
    '</styleSheet>',
  ].join('');
}

function list(name: string, items: readonly string[]): string {
  return `<${name} count="${items.length}">${items.join('')}</${name}>`;
}
