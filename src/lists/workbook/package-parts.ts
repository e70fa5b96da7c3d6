/* The parts of a workbook next to its sheets and styles (ECMA-376 part 1, 12 and 15.2). */
import { columnName, escapeText } from './cells.ts';

/**
 * The defined name of the cells with the data. A program finds the sheet by it, even if a person
 * renamed the sheet or saved the workbook in a spreadsheet program.
 */
export const dataName = 'carbon_data';

/**
 * The defined name, in the scope of one sheet, of a sheet that carbon made. That of results is the
 * user's own, with columns of carbon.
 */
export const madeName = 'carbon_sheet';

/** What the properties of a workbook say about it. */
export interface WorkbookProperties {
  readonly title?: string | undefined;
  readonly author?: string | undefined;
  /** Day and time in ISO 8601. */
  readonly writtenAt?: string | undefined;
  /** Whether day 0 of its dates is 1904-01-01. */
  readonly is1904?: boolean | undefined;
}

/** What the parts say about a written sheet. */
export interface WrittenSheet {
  readonly name: string;
  /** The cells of a table, such as `$A$1:$C$9`; undefined for a text. */
  readonly range: string | undefined;
  /** Number of columns that are printed on each page. */
  readonly frozen: number;
  readonly isText: boolean;
  /** Whether it has columns of the user's list. */
  readonly isUsers: boolean;
}

const schemas = 'http://schemas.openxmlformats.org';
const packageSchema = `${schemas}/package/2006`;
const office = `${schemas}/officeDocument/2006`;
/** The namespace of sheets, styles and the workbook. */
export const namespace = `${schemas}/spreadsheetml/2006/main`;
const contentType = 'application/vnd.openxmlformats';
export const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

export function sheetPart(index: number): string {
  return `xl/worksheets/sheet${index + 1}.xml`;
}

/** Returns the parts that depend on nothing but the number of sheets, by their names. */
export function fixedParts(
  sheets: number,
  properties: WorkbookProperties,
): Readonly<Record<string, string>> {
  const parts = Array.from({ length: sheets }, (_, index) => sheetPart(index));
  const types: (readonly [part: string, type: string])[] = [
    ['xl/workbook.xml', 'officedocument.spreadsheetml.sheet.main'],
    ['xl/styles.xml', 'officedocument.spreadsheetml.styles'],
    ['docProps/core.xml', 'package.core-properties'],
    ...parts.map((part) => [part, 'officedocument.spreadsheetml.worksheet'] as const),
  ];
  const overrides = types.map(
    ([part, type]) => `<Override PartName="/${part}" ContentType="${contentType}-${type}+xml"/>`,
  );
  return {
    '[Content_Types].xml': [
      `<Types xmlns="${packageSchema}/content-types">`,
      `<Default Extension="rels" ContentType="${contentType}-package.relationships+xml"/>`,
      '<Default Extension="xml" ContentType="application/xml"/>',
      `${overrides.join('')}</Types>`,
    ].join(''),
    '_rels/.rels': relationships([
      [`${office}/relationships/officeDocument`, 'xl/workbook.xml'],
      [`${packageSchema}/relationships/metadata/core-properties`, 'docProps/core.xml'],
    ]),
    'docProps/core.xml': coreProperties(properties),
    'xl/_rels/workbook.xml.rels': relationships([
      ...parts.map((part) => [`${office}/relationships/worksheet`, `/${part}`] as const),
      [`${office}/relationships/styles`, '/xl/styles.xml'],
    ]),
  };
}

function relationships(targets: readonly (readonly [type: string, target: string])[]): string {
  const content = targets.map(
    ([type, target], index) =>
      `<Relationship Id="rId${index + 1}" Type="${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${packageSchema}/relationships">${content.join('')}</Relationships>`;
}

function coreProperties({ title, author, writtenAt }: WorkbookProperties): string {
  const element = (name: string, text: string | undefined, attributes = '') =>
    text === undefined ? '' : `<${name}${attributes}>${escapeText(text)}</${name}>`;
  return [
    `<cp:coreProperties xmlns:cp="${packageSchema}/metadata/core-properties"`,
    ' xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/"',
    ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">',
    element('dc:title', title),
    element('dc:creator', author),
    element('dcterms:created', writtenAt, ' xsi:type="dcterms:W3CDTF"'),
    '</cp:coreProperties>',
  ].join('');
}

/** Returns the part that lists the sheets, with the names of their cells. */
export function workbookXml(
  sheets: readonly WrittenSheet[],
  { is1904 = false }: WorkbookProperties,
): string {
  const tabs = sheets.map(
    ({ name }, index) =>
      `<sheet name="${escapeText(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
  );
  // Without a text before it, the data is on the first sheet, which may be that of a user.
  const hasSummary = sheets[0]?.isText === true;
  const names = sheets.flatMap(({ name, range, frozen, isUsers }, index) => {
    const sheet = escapeText(`'${name.replaceAll("'", "''")}'`);
    const local = ` localSheetId="${index}"`;
    const made =
      hasSummary && !isUsers
        ? [`<definedName name="${madeName}"${local} hidden="1">${sheet}!$A$1</definedName>`]
        : [];
    if (range === undefined) return made;
    const columns = frozen > 0 ? `${sheet}!$A:$${columnName(frozen - 1)},` : '';
    const titles = `${columns}${sheet}!$1:$1`;
    return [
      `<definedName name="_xlnm._FilterDatabase"${local} hidden="1">${sheet}!${range}</definedName>`,
      `<definedName name="_xlnm.Print_Titles"${local}>${titles}</definedName>`,
      ...made,
    ];
  });
  const data = sheets.find(({ range }) => range !== undefined);
  if (data !== undefined && hasSummary) {
    const sheet = escapeText(`'${data.name.replaceAll("'", "''")}'`);
    names.push(`<definedName name="${dataName}">${sheet}!${data.range}</definedName>`);
  }
  return [
    `${declaration}<workbook xmlns="${namespace}" xmlns:r="${office}/relationships">`,
    is1904 ? '<workbookPr date1904="1"/>' : '',
    '<bookViews><workbookView activeTab="0"/></bookViews>',
    `<sheets>${tabs.join('')}</sheets>`,
    names.length === 0 ? '' : `<definedNames>${names.join('')}</definedNames>`,
    '</workbook>',
  ].join('');
}
