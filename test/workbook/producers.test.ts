import { readdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SheetContent } from '../../src/workbook/write-workbook.ts';
import { writeWorkbook } from '../../src/workbook/write-workbook.ts';
import { newFolder } from '../support/run.ts';
import { noOffice, noOpenpyxl, runPython, saveInOffice } from './programs.ts';
import { readBook, readCells } from './read.ts';

const directory = join(import.meta.dirname, 'producers');

async function write(...sheets: readonly SheetContent[]): Promise<string> {
  const path = join(newFolder(), 'book.xlsx');
  const file = await open(path, 'wx');
  await writeWorkbook(file, sheets).finally(() => file.close());
  return path;
}

const readWithOpenpyxl = `
import json, sys, datetime, openpyxl
from openpyxl.utils.escape import unescape
book = openpyxl.load_workbook(sys.argv[1])
def value(cell):
    if isinstance(cell.value, str): return [cell.data_type, unescape(cell.value)]
    if isinstance(cell.value, datetime.datetime): return ['d', cell.value.isoformat()]
    return [cell.data_type, cell.value]
print(json.dumps([{
    'name': sheet.title, 'freeze': sheet.freeze_panes, 'filter': sheet.auto_filter.ref,
    'bold': bool(sheet['A1'].font.b),
    'rows': [[value(cell) for cell in row] for row in sheet.iter_rows()],
} for sheet in book]))
`;

describe('a workbook that another program wrote', () => {
  it.each(readdirSync(directory).filter((name) => name.endsWith('.xlsx')))(
    '%s is read',
    async (name) => {
      const { all, name: sheet } = await readBook(join(directory, name));
      expect(sheet).toBe('Suppliers');
      const [header, first, second, last] = all;
      expect(all).toHaveLength(4);
      expect(header?.cells).toEqual([
        ...['name', 'country', 'count', 'share', 'founded', 'active', 'duns', 'note'],
      ]);
      expect(first?.cells).toEqual([
        ...['Žižka & Söhne <AG>', 'DE', '42', '0.125', '2001-02-03', 'TRUE', '001234567'],
        'two\nlines',
      ]);
      expect(first?.kinds).toEqual([
        ...['text', 'text', 'number', 'number', 'date', 'boolean', 'text', 'text'],
      ]);
      expect(second?.cells).toEqual([
        '東京電力',
        'JP',
        '1234567890123',
        '-1.5',
        '2024-02-29',
        'FALSE',
      ]);
      expect(last?.number).toBe(5);
      expect(last?.cells.slice(0, 7)).toEqual([
        ...['=SUM(A1)', 'US', '0', '0.0000001', '1999-12-31', 'TRUE', '123'],
      ]);
      expect(last?.cells[7]?.trim()).toBe('spaces');
    },
  );
});

describe('a workbook that carbon wrote', () => {
  const sheets: readonly SheetContent[] = [
    {
      name: 'Records',
      columns: [{ header: 'name' }, { header: 'score', format: '0.00' }, { header: 'date' }],
      rows: [
        ['=1+1', 0.5, new Date('2026-01-31')],
        ['東京 <&> "x"\n', -1e-9, new Date('2026-01-31T14:30:00Z'), true],
      ],
    },
    { name: 'Method & more', columns: [{ header: 'GHG Protocol' }], rows: [] },
  ];

  it.skipIf(noOpenpyxl)(
    'opens in openpyxl with the same values (skipped without openpyxl)',
    async () => {
      expect(runPython(readWithOpenpyxl, await write(...sheets))).toEqual([
        {
          name: 'Records',
          freeze: 'A2',
          filter: 'A1:C3',
          bold: true,
          rows: [
            [
              ['s', 'name'],
              ['s', 'score'],
              ['s', 'date'],
              ['n', null],
            ],
            [
              ['s', '=1+1'],
              ['n', 0.5],
              ['d', '2026-01-31T00:00:00'],
              ['n', null],
            ],
            [
              ['s', '東京 <&> "x"\n'],
              ['n', -1e-9],
              ['d', '2026-01-31T14:30:00'],
              ['b', true],
            ],
          ],
        },
        {
          name: 'Method & more',
          freeze: 'A2',
          filter: 'A1:A1',
          bold: true,
          rows: [[['s', 'GHG Protocol']]],
        },
      ]);
    },
  );

  it.skipIf(noOffice)(
    'has the same cells after LibreOffice saved it (skipped without LibreOffice)',
    { tags: ['long'] },
    async () => {
      const columns = [{ header: 'name' }, { header: 'score', format: '0.00' }];
      const rows = [
        ['Žižka, & <Söhne>', 0.5],
        ['東京電力', 42],
      ];
      const path = await write({ name: 'Records', columns, rows });
      expect(await readCells(saveInOffice(path))).toEqual(await readCells(path));
    },
  );
});
