import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { SheetContent } from '../../../src/lists/workbook/sheet-xml.ts';
import { itNeeds, python } from '../../support/programs.ts';
import { newFolder } from '../../support/run.ts';
import { readBook, readCells, write } from './read.ts';

const directory = join(import.meta.dirname, 'producers');

/* Prints a line for each sheet and each row: the type and the value of each cell. */
const readWithOpenpyxl = `
import sys, openpyxl
from openpyxl.utils.escape import unescape
def shown(cell):
    value = unescape(cell.value) if isinstance(cell.value, str) else cell.value
    return f'{cell.data_type} {value!r}'
for sheet in openpyxl.load_workbook(sys.argv[1]):
    print(sheet.title, sheet.freeze_panes, sheet.auto_filter.ref, sheet['A1'].font.b)
    for row in sheet.iter_rows(): print(' | '.join(shown(cell) for cell in row))
`;

describe('a workbook that another program wrote', () => {
  it.each(readdirSync(directory).filter((name) => name.endsWith('.xlsx')))(
    '%s is read',
    async (name) => {
      const { all, name: sheet } = await readBook(join(directory, name));
      expect(sheet).toBe('Suppliers');
      const lines = all.map(({ number, cells }) => `${number}|${cells.join('|').trim()}`);
      expect(lines.map((line) => line.replace(/ +spaces/, 'spaces'))).toEqual([
        '1|name|country|count|share|founded|active|duns|note',
        '2|Žižka & Söhne <AG>|DE|42|0.125|2001-02-03|TRUE|001234567|two\nlines',
        '3|東京電力|JP|1234567890123|-1.5|2024-02-29|FALSE',
        '5|=SUM(A1)|US|0|0.0000001|1999-12-31|TRUE|123|spaces',
      ]);
      expect(all[1]?.kinds.join(' ')).toBe('text text number number date boolean text text');
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

  itNeeds('openpyxl', 'opens in openpyxl with the same values', async () => {
    const argv = ['-c', readWithOpenpyxl, (await write(...sheets)).path];
    expect(execFileSync(python, argv, { encoding: 'utf8' })).toMatchInlineSnapshot(`
        "Records A2 A1:C3 True
        s 'name' | s 'score' | s 'date' | n None
        s '=1+1' | n 0.5 | d datetime.datetime(2026, 1, 31, 0, 0) | n None
        s '東京 <&> "x"\\n' | n -1e-09 | d datetime.datetime(2026, 1, 31, 14, 30) | b True
        Method & more A2 A1:A1 True
        s 'GHG Protocol'
        "
      `);
  });

  itNeeds('LibreOffice', 'has the same cells after LibreOffice saved it', async () => {
    const { path } = await write(...sheets);
    const [output, profile] = [newFolder(), pathToFileURL(newFolder())];
    const options = ['--headless', '--norestore', `-env:UserInstallation=${profile}`];
    const conversion = ['--convert-to', 'xlsx:Calc MS Excel 2007 XML', '--outdir', output, path];
    execFileSync('soffice', [...options, ...conversion], { stdio: 'ignore' });
    expect(await readCells(join(output, 'book.xlsx'))).toEqual(await readCells(path));
  });
});
