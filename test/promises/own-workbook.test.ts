/*
 * The promise that in workbooks of results, the user's own cells keep their formats, widths and
 * types. SheetJS reads the list and the results, because our own reader may share a mistake with
 * our own writer.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { read, utils, type WorkSheet } from '@e965/xlsx';
import { expect, it } from 'vitest';
import {
  type Parts,
  sheetPart,
  stringsPart,
  stylesPart,
  workbook,
  workbookPart,
} from '../lists/workbook/archives.ts';
import { newFolder, run } from '../support/run.ts';
import { serveOrganizations } from './scene.ts';

const header = [
  ...['Company', 'share', 'market_share', 'spend_id', 'revenue', 'created_at', 'Zip', 'Price'],
  ...['Founded', 'Seen', 'Local date', 'Active', 'Broken', 'Note', 'Account', 'Ratio', 'Code'],
  ...['Amount', 'Fraction', 'Hours', '2024_year', 'total'],
];

const codes = ['#,##0.00 "Mio €"', '00000', '0.0%', '#,##0.00\\ "€"', 'dd.mm.yyyy', '[h]:mm'];
const styleIds = [0, 164, 165, 166, 167, 168, 22, 14, 49, 9, 3, 12, 169];
/* The styles by the positions of their formats. */
const style = { revenue: 1, zip: 2, percent: 3, euro: 4, day: 5, time: 6, local: 7, text: 8 };

const text = (value: string, s = 0) =>
  `<c s="${s}" t="inlineStr"><is><t xml:space="preserve">${value}</t></is></c>`;
const number = (value: string, s = 0) => `<c s="${s}"><v>${value}</v></c>`;

const cells = (name: string, at: number) => [
  text(name),
  number('25'),
  number('0.125', style.percent),
  number(String(700_123 + at)),
  number('1234.5', style.revenue),
  text('2024-01-31 (planned)'),
  number('1234', style.zip),
  number('-400.25', style.euro),
  number('45415', style.day),
  number('45415.5625', style.time),
  number('45415', style.local),
  `<c t="b"><v>${at}</v></c>`,
  '<c t="e"><v>#DIV/0!</v></c>',
  '<c t="s"><v>0</v></c>',
  text('12345678901234567', style.text),
  number('12.81041680835213'),
  text('=SUM(A1)'),
  number('-1234567', 10),
  number('0.25', 11),
  number('1.75', 12),
  number('2023'),
  number('0.1', 9),
];

const contentTypes = 'http://schemas.openxmlformats.org/package/2006/content-types';
const spreadsheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const columns = [
  '<cols><col min="2" max="2" width="20.5" customWidth="1"/>',
  '<col min="3" max="3" width="9" hidden="1" customWidth="1"/>',
  '<col min="7" max="8" width="33.7109375" customWidth="1"/>',
  '<col min="14" max="14" width="50" hidden="1"/></cols>',
].join('');

/* A list as a person formats it, with the sheet that carbon reads in the second place. */
function list(sheet: string, properties = ''): Promise<Buffer> {
  const note = '<r><t xml:space="preserve">two </t></r><r><rPr><b/></rPr><t>lines\nhere</t></r>';
  const rows = [
    header.map((each) => (each === '2024_year' ? number('2024') : text(each))),
    ...['Acme', 'Globex', 'Initech'].map((name, at) => cells(name, at % 2)),
  ].map((row) => `<row>${row.join('')}</row>`);
  const override = (part: string, type: string) =>
    `<Override PartName="/xl/${part}.xml" ContentType="${spreadsheet}.${type}+xml"/>`;
  const types = [
    override('workbook', 'sheet.main'),
    override('styles', 'styles'),
    override('sharedStrings', 'sharedStrings'),
    override('worksheets/sheet1', 'worksheet'),
  ];
  const parts: Parts = {
    '[Content_Types].xml': `<Types xmlns="${contentTypes}">${types.join('')}</Types>`,
    'xl/workbook.xml': workbookPart([sheet], properties),
    'xl/styles.xml': stylesPart(
      codes.map((code) => code.replaceAll('"', '&quot;')),
      styleIds,
    ),
    'xl/sharedStrings.xml': stringsPart(note),
    'xl/worksheets/sheet1.xml': sheetPart(rows.join('')).replace(
      '<sheetData>',
      `${columns}<sheetData>`,
    ),
  };
  return workbook('', parts);
}

/* What SheetJS reads of each of the user's cells, by its place, and of their columns. */
function ownCells(sheet: WorkSheet | undefined) {
  const found: Record<string, unknown> = {};
  for (let row = 0; row < 4; row += 1)
    for (const column of header.keys()) {
      const place = utils.encode_cell({ r: row, c: column });
      // The format is that of a value: a header has the font of a header.
      const { t: type, v: value, z: format, w: shown } = sheet?.[place] ?? {};
      found[place] = { type, value, format, shown };
    }
  const looks = header.map((_, column) => {
    const { width, hidden = false } = sheet?.['!cols']?.[column] ?? {};
    return { width, hidden };
  });
  return { found, looks };
}

it.each([
  ['sync', 'Suppliers', ''],
  ['batch', 'Lieferanten & Co', ''],
  ['sync', '1904', '<workbookPr date1904="1"/>'],
])('%s writes each cell of the sheet "%s" as it was', async (command, name, properties) => {
  const service = await serveOrganizations();
  const folder = newFolder();
  const path = join(folder, 'suppliers.xlsx');
  writeFileSync(path, await list(name.replace('&', '&amp;'), properties));
  const out = join(folder, 'results.xlsx');
  const world = { env: service.env, home: folder };
  expect(await run([command, path, '-o', out], world)).toMatchObject({ exit: 0 });
  const [before, after] = [path, out].map((file) =>
    read(readFileSync(file), { cellNF: true, cellStyles: true, cellDates: false }),
  );
  const { found, looks } = ownCells(before?.Sheets[name]);
  expect(ownCells(after?.Sheets[name])).toEqual({ found, looks });
  expect(found).toMatchObject({
    B2: { type: 'n', value: 25, shown: '25' },
    D3: { value: 700_124, shown: '700124' },
    E2: { format: '#,##0.00 "Mio €"' },
    G2: { value: 1234, shown: '01234' },
    M2: { type: 'e' },
    N2: { type: 's', value: 'two lines\nhere' },
    O2: { type: 's', value: '12345678901234567' },
    P2: { value: 12.81041680835213 },
  });
  expect(looks[2]).toEqual({ width: 9, hidden: true });
  expect(after?.Workbook?.WBProps?.date1904 ?? false).toBe(properties !== '');
});

/* Columns of a CSV list by their titles, with whether their cells are numbers in a workbook. */
const amountColumns: readonly (readonly [isNumber: boolean, title: string, ...cells: string[]])[] =
  [
    [false, 'Company', '3.5', '4.25', '5.0'],
    [true, 'Amount', '23961.0', '28983.24', ''],
    [true, 'Price', '1.50', '-2.25', ''],
    [true, 'Rate', '-0.5', '0', '100'],
    [true, '', '1250.5', '1.250', ''],
    [true, 'Amount', '1.5', '2', '3'],
    // Numbers of a German file: 1250, 2500 and 13000.
    [false, 'Betrag', '1.250', '2.500', '13.000'],
    [false, 'Both', '1.250', '12.50', '7'],
    // Identifiers.
    [false, 'D-U-N-S', '123456789', '987654321', '987654320'],
    [false, 'Vendor', '10.5', '11.5', '12.5'],
    [false, 'Phone', '49301234567', '49301234568', ''],
    [false, 'Year', '2024', '2025', '2025'],
    [false, 'Zip', '00123', '80331', '10115.5'],
    [false, 'Call', '+4989.5', '+4930', ''],
    [false, 'Mixed', '12.5', '1,250', '1e5'],
    [false, 'Long', '12345678901234.5', '12345678901234.56', '1'],
    [false, 'Zero', '-0.0', '0.5', '1'],
    [false, 'Note', '0.5', 'n/a', '-'],
    [false, 'Infinite', '0.5', 'Infinity', 'NaN'],
    [false, 'Empty', '', '', ''],
  ];
const titles = amountColumns.map(([, title]) => title);
const amounts = [
  titles,
  ...[2, 3, 4].map((at) => amountColumns.map((column) => String(column[at]))),
];

it.each(['sync', 'batch'])(
  '%s writes columns of plain numbers of a CSV list as numbers',
  async (command) => {
    const service = await serveOrganizations();
    const folder = newFolder();
    const path = join(folder, 'suppliers.csv');
    const lines = amounts.map((row) => row.map((cell) => `"${cell}"`).join(','));
    writeFileSync(path, `${lines.join('\r\n')}\r\n`);
    const out = join(folder, 'results.xlsx');
    const world = { env: service.env, home: folder };
    const map = ['--map', 'name=Company,external_id=Vendor'];
    expect(await run([command, path, '-o', out, ...map], world)).toMatchObject({ exit: 0 });
    const book = read(readFileSync(out), { cellNF: true });
    const cellsOf = (column: number) =>
      [1, 2, 3].map((row) => book.Sheets['Results']?.[utils.encode_cell({ r: row, c: column })]);
    for (const [column, [isNumber, title, ...texts]] of amountColumns.entries()) {
      const found = cellsOf(column);
      // Each cell shows the text that it had.
      expect(
        found.map((cell) => cell?.w ?? cell?.v ?? ''),
        title,
      ).toEqual(texts);
      const types = new Set(found.flatMap((cell) => cell?.t ?? []));
      expect([...types], title).toEqual(title === 'Empty' ? [] : [isNumber ? 'n' : 's']);
    }
    expect(cellsOf(1).map((cell) => cell?.v)).toEqual([23_961, 28_983.24, undefined]);
    const summary = utils.sheet_to_json<string[]>(book.Sheets['Summary'] ?? {}, { header: 1 });
    expect(summary.find(([label]) => label === 'Numbers')?.[1]).toMatch(
      /^Amount \(column B\), Price, Rate, column E, Amount \(column F\): /,
    );
  },
);

it('shortens no text of its own in the workbook of a list with many columns of numbers', async () => {
  const service = await serveOrganizations();
  const folder = newFolder();
  const path = join(folder, 'wide.csv');
  const wide = Array.from(
    { length: 1_000 },
    (_, at) => `A column of numbers with a long title ${at}`,
  );
  const lines = [
    ['Company', ...wide],
    ['Acme', ...wide.map(() => '1.5')],
  ];
  writeFileSync(path, `${lines.map((line) => line.join(',')).join('\n')}\n`);
  const out = join(folder, 'wide.xlsx');
  const { stderr } = await run(['batch', path, '-o', out], { env: service.env, home: folder });
  expect(stderr).toContain('wide.xlsx');
  expect(stderr).not.toContain('shortened');
});
