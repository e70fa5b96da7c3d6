/*
 * The parts of a written workbook next to its sheets: content types, relationships, the list of the
 * sheets and the cell styles. They have the fewest elements that Excel, LibreOffice and openpyxl
 * accept.
 */
import type { FileHandle } from 'node:fs/promises';
import { openArchive } from './archive.ts';
import { escapeText } from './cell-text.ts';

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const packageSchema = 'http://schemas.openxmlformats.org/package/2006';
const relationshipType = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const namespace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const contentType = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const relationshipsContent = 'application/vnd.openxmlformats-package.relationships+xml';
const propertiesSchema =
  'http://schemas.openxmlformats.org/officeDocument/2006/extended-properties';
const propertiesContent = 'application/vnd.openxmlformats-officedocument.extended-properties+xml';

/** The part that names the program that wrote a workbook; other programs replace it. */
export const propertiesPart = 'docProps/app.xml';

/* The element of `propertiesPart` in workbooks of carbon. */
const ownApplication = '<Application>carbon</Application>';

/** Returns the name of the part with the cells of a sheet. */
export function sheetPart(index: number): string {
  return `xl/worksheets/sheet${index + 1}.xml`;
}

/**
 * Returns the names and texts of the parts.
 *
 * @param sheets the names of the sheets
 * @param formats the number formats of their columns
 */
export function packageParts(
  sheets: readonly string[],
  formats: readonly string[],
): readonly (readonly [part: string, text: string])[] {
  const override = (part: string, type: string) =>
    `<Override PartName="/${part}" ContentType="${contentType}.${type}+xml"/>`;
  const types = [
    `<Default Extension="rels" ContentType="${relationshipsContent}"/>`,
    '<Default Extension="xml" ContentType="application/xml"/>',
    override('xl/workbook.xml', 'sheet.main'),
    override('xl/styles.xml', 'styles'),
    `<Override PartName="/${propertiesPart}" ContentType="${propertiesContent}"/>`,
    ...sheets.map((_, index) => override(sheetPart(index), 'worksheet')),
  ].join('');
  const entries = sheets
    .map((name, index) => {
      const id = index + 1;
      return `<sheet name="${escapeText(name)}" sheetId="${id}" r:id="rId${id}"/>`;
    })
    .join('');
  return [
    ['[Content_Types].xml', `<Types xmlns="${packageSchema}/content-types">${types}</Types>`],
    [
      '_rels/.rels',
      relationships([
        ['officeDocument', 'xl/workbook.xml'],
        ['extended-properties', propertiesPart],
      ]),
    ],
    [propertiesPart, `<Properties xmlns="${propertiesSchema}">${ownApplication}</Properties>`],
    [
      'xl/workbook.xml',
      `<workbook xmlns="${namespace}" xmlns:r="${relationshipType}"><sheets>${entries}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      relationships([
        ...sheets.map((_, index) => ['worksheet', `/${sheetPart(index)}`] as const),
        ['styles', '/xl/styles.xml'],
      ]),
    ],
    ['xl/styles.xml', stylesPart(formats)],
  ].map(([part = '', text = '']) => [part, declaration + text] as const);
}

function relationships(targets: readonly (readonly [type: string, target: string])[]): string {
  const content = targets
    .map(
      ([type, target], index) =>
        `<Relationship Id="rId${index + 1}" Type="${relationshipType}/${type}" Target="${target}"/>`,
    )
    .join('');
  return `<Relationships xmlns="${packageSchema}/relationships">${content}</Relationships>`;
}

/**
 * Checks whether carbon wrote a workbook and no other program has saved it since: other programs
 * replace its Application property. A file that is no workbook is not one of carbon.
 */
export async function isOwnWorkbook(source: string | FileHandle): Promise<boolean> {
  const archive = await openArchive(source, 'the workbook').catch(() => undefined);
  if (archive === undefined) return false;
  try {
    if (!archive.parts.has(propertiesPart)) return false;
    let text = '';
    for await (const bytes of archive.bytes(propertiesPart)) text += bytes.toString();
    return text.includes(ownApplication);
  } catch {
    return false;
  } finally {
    await archive.close();
  }
}

/** Indexes of the styles that every workbook has. */
export const cellStyles = { plain: 0, header: 1, date: 2, dateTime: 3, guarded: 4 } as const;

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

function stylesPart(formats: readonly string[]): string {
  const codes = [dateFormat, dateTimeFormat, ...formats];
  const style = (formatId: number, attributes = '', font = 0) =>
    `<xf numFmtId="${formatId}" fontId="${font}" fillId="0" borderId="0" xfId="0"${attributes}/>`;
  const formatted = (code: string) =>
    style(firstFormatId + codes.indexOf(code), ' applyNumberFormat="1"');
  // Without quotePrefix, a text that begins with = becomes a formula when a user edits its cell.
  const cellFormats = [
    style(0),
    style(0, ' quotePrefix="1" applyFont="1"', 1),
    ...[dateFormat, dateTimeFormat].map(formatted),
    style(0, ' quotePrefix="1"'),
    ...formats.map(formatted),
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
