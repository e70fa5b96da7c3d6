import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../support/clock.ts';
import { newFolder, run, type World } from '../support/run.ts';
import { noOffice, noOpenpyxl, runPython, saveInOffice } from './programs.ts';
import { readBook, readCells } from './read.ts';

const list = `Supplier,Country,DUNS,LEI
"Žižka, & <Söhne>",Deutschland,001234567,
東京電力,JP,690542370,
Gamma Corp,US,,5299000000000000000A
Acme Widgets Ltd,United Kingdom,012345678,
`;

const readWithOpenpyxl = `
import json, sys, openpyxl
from openpyxl.utils.escape import unescape
def text(value):
    if value is None: return ''
    if isinstance(value, bool): return str(value).upper()
    if isinstance(value, str): return unescape(value)
    return repr(value) if isinstance(value, (int, float)) else str(value.date())
sheet = openpyxl.load_workbook(sys.argv[1])['Organizations']
print(json.dumps([[text(cell.value) for cell in row] for row in sheet.iter_rows()]))
`;

const namesAndScores = (rows: readonly (readonly string[])[]) =>
  rows.slice(1).map(([id, name, , , , , , , , , score]) => [id, name, Number(score)]);

/* Saves the list of suppliers as a workbook in LibreOffice. */
function savedList(): { readonly folder: string; readonly book: string } {
  const folder = newFolder();
  const csv = join(folder, 'suppliers.csv');
  writeFileSync(csv, list);
  return { folder, book: saveInOffice(csv) };
}

describe('a workbook that LibreOffice saved', () => {
  it.skipIf(noOffice || noOpenpyxl)(
    'goes through batch, watch and list into a workbook that LibreOffice and openpyxl open (skipped without them)',
    { tags: ['long'] },
    async () => {
      const { folder, book } = savedList();
      const world: World = { home: folder, clock: new VirtualClock() };

      const words = ['batch', book, '--sandbox', '--invalid', 'skip'];
      const first = await run(words, world);
      expect(first.stderr).toContain('Restored leading zeros of D-U-N-S numbers: 2 rows');
      const batch = await run([...words, '-q'], world);
      expect([batch.exit, batch.stdout]).toEqual([9, '1\n2\n3\n']);
      const watch = await run(['watch', '-', '--sandbox', '--json'], {
        ...world,
        stdin: batch.stdout,
      });
      expect(watch.exit).toBe(0);
      const records = join(folder, 'records.ndjson');
      writeFileSync(records, watch.stdout);
      const out = join(folder, 'portfolio.xlsx');
      expect((await run(['list', records, '--sort', 'id', '--out', out])).exit).toBe(0);

      const written = namesAndScores(await readCells(out));
      expect(written.map(([id, name]) => [id, name])).toEqual([
        ['1', 'Žižka, & <Söhne>'],
        ['2', '東京電力'],
        ['3', 'Acme Widgets Ltd'],
      ]);
      const saved = saveInOffice(out);
      expect(await readCells(saved)).toEqual(await readCells(out));
      expect((await readBook(saved)).sheets.map(({ name }) => name)).toEqual([
        'Organizations',
        'Years',
        'Sources',
        'Checks',
        'Method',
      ]);
      for (const path of [out, saved])
        expect(namesAndScores(runPython(readWithOpenpyxl, path) as string[][])).toEqual(written);
    },
  );
});
