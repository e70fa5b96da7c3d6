import { ZipFile } from 'yazl';

/** The parts of an archive by name. */
export type Parts = Readonly<Record<string, string | Buffer>>;

const package_ = 'http://schemas.openxmlformats.org/package/2006';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

/** Makes a zip archive. */
export async function zip(parts: Parts): Promise<Buffer> {
  const file = new ZipFile();
  for (const [name, content] of Object.entries(parts)) file.addBuffer(Buffer.from(content), name);
  file.end();
  const blocks: Buffer[] = [];
  for await (const block of file.outputStream) blocks.push(block as Buffer);
  return Buffer.concat(blocks);
}

/** A relationship file: its targets by type. */
export function relationships(...targets: readonly (readonly [type: string, target: string])[]) {
  const content = targets.map(
    ([type, target], index) =>
      `<Relationship Id="rId${index + 1}" Type="${office}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${package_}/relationships">${content.join('')}</Relationships>`;
}

/** The workbook part with sheets `name` or `name!state`. */
export function workbookPart(sheets: readonly string[], properties = ''): string {
  const tabs = sheets.map((sheet, index) => {
    const [name, state] = sheet.split('!');
    const attribute = state === undefined ? '' : ` state="${state}"`;
    return `<sheet name="${name}" sheetId="${index + 1}"${attribute} r:id="rId${index + 1}"/>`;
  });
  return `<workbook xmlns="${main}" xmlns:r="${office}">${properties}<sheets>${tabs.join('')}</sheets></workbook>`;
}

/** A sheet part with the given rows. */
export function sheetPart(rows: string, after = ''): string {
  return `<worksheet xmlns="${main}"><sheetData>${rows}</sheetData>${after}</worksheet>`;
}

/** A styles part: custom formats from id 164, and one cell style for each format id. */
export function stylesPart(codes: readonly string[], formatIds: readonly number[]): string {
  const formats = codes.map(
    (code, index) => `<numFmt numFmtId="${164 + index}" formatCode="${code}"/>`,
  );
  const styles = formatIds.map((id) => `<xf numFmtId="${id}"/>`);
  return `<styleSheet xmlns="${main}"><numFmts>${formats.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${styles.join('')}</cellXfs></styleSheet>`;
}

/** A shared strings part; each item is XML. */
export function stringsPart(...items: readonly string[]): string {
  return `<sst xmlns="${main}">${items.map((item) => `<si>${item}</si>`).join('')}</sst>`;
}

/** Makes a workbook with one sheet; `parts` replaces or adds parts. */
export function workbook(rows: string, parts: Parts = {}): Promise<Buffer> {
  return zip({
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': relationships(['officeDocument', 'xl/workbook.xml']),
    'xl/workbook.xml': workbookPart(['Sheet1']),
    'xl/_rels/workbook.xml.rels': relationships(
      ['worksheet', 'worksheets/sheet1.xml'],
      ['sharedStrings', 'sharedStrings.xml'],
      ['styles', 'styles.xml'],
    ),
    'xl/worksheets/sheet1.xml': sheetPart(rows),
    ...parts,
  });
}
