/*
 * The parts of a workbook beside its sheets and styles: content types, relationships and the list
 * of the sheets. They have the fewest elements that Excel, LibreOffice and openpyxl accept.
 */
import type { FileHandle } from 'node:fs/promises';
import { openArchive } from './archive.ts';
import { stylesPart } from './cell-styles.ts';
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
 * @param list path of the list whose records the workbook shows
 */
export function packageParts(
  sheets: readonly string[],
  formats: readonly string[],
  list?: string,
): readonly (readonly [part: string, text: string])[] {
  const base = list === undefined ? '' : `<Template>${escapeText(list)}</Template>`;
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
    [
      propertiesPart,
      `<Properties xmlns="${propertiesSchema}">${base}${ownApplication}</Properties>`,
    ],
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
  return (await readOwnProperties(source)) !== undefined;
}

/** Returns the path of the list whose records a workbook of carbon shows, if it has one. */
export async function listOfWorkbook(source: string | FileHandle): Promise<string | undefined> {
  const properties = (await readOwnProperties(source)) ?? '';
  const [, text] = /<Template>(.*?)<\/Template>/.exec(properties) ?? [];
  return text
    ?.replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}

async function readOwnProperties(source: string | FileHandle): Promise<string | undefined> {
  const archive = await openArchive(source, 'the workbook').catch(() => undefined);
  if (archive === undefined) return undefined;
  try {
    if (!archive.parts.has(propertiesPart)) return undefined;
    let text = '';
    for await (const bytes of archive.bytes(propertiesPart)) text += bytes.toString();
    return text.includes(ownApplication) ? text : undefined;
  } catch {
    return undefined;
  } finally {
    await archive.close();
  }
}
