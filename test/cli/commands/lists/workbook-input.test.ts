import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeWorkbook } from '../../../../src/lists/workbook/write-workbook.ts';
import { sheetPart, workbook, workbookPart } from '../../../lists/workbook/archives.ts';
import { newFolder, run } from '../../../support/run.ts';

const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
const number = (value: number) => `<c><v>${value}</v></c>`;

/* A workbook with the sheet Data, a hidden sheet and errors in two cells. */
async function write(): Promise<string> {
  const rows = [
    text('Supplier') + text('DUNS') + text('Spend (EUR)'),
    text('Acme') + number(1_234_567) + number(100.5),
    `${text('Beta') + number(804_735_132)}<c t="e"><v>#DIV/0!</v></c>`,
    `${text('Gamma')}<c r="C4"><f>SUM(C2)</f></c>`,
  ].map((cells) => `<row>${cells}</row>`);
  const path = join(newFolder(), 'suppliers.xlsx');
  const parts = {
    'xl/workbook.xml': workbookPart(['Data', 'Old!hidden']),
    'xl/worksheets/sheet1.xml': sheetPart(
      rows.join(''),
      '<mergeCells><mergeCell ref="A9:B9"/></mergeCells>',
    ),
  };
  writeFileSync(path, await workbook('', parts));
  return path;
}

describe('carbon batch for a workbook', () => {
  it('names the sheet, cells without a value and restored numbers', async () => {
    const path = await write();
    const { exit, stderr } = await run(['batch', path, '--dry-run', '--sandbox']);
    expect(exit).toBe(0);
    expect(stderr).toMatchInlineSnapshot(`
      "Sheet: "Data"
      Warning: Treated as missing: 2 cells with an error or an uncalculated formula (C3 #DIV/0!, C4 formula without a result)
      Merged cells: 1 range (A9:B9); only the first cell of a range has a value
      Columns: Supplier → name, DUNS → duns_number; not used: Spend (EUR)
      Checked 3 rows: 3 new
      Warning: Restored leading zeros of D-U-N-S numbers: 1 row (line 2): "1234567"
      "
    `);
  });

  it('warns that it reads rows that a filter has hidden', async () => {
    const rows = ['Supplier', 'Acme', 'Beta', 'Gamma'].map(
      (cell, index) => `<row${index > 1 ? ' hidden="1"' : ''}>${text(cell)}</row>`,
    );
    const path = join(newFolder(), 'filtered.xlsx');
    writeFileSync(path, await workbook(rows.join('')));
    const { stderr } = await run(['batch', path, '--dry-run', '--sandbox']);
    expect(stderr).toContain(
      'Warning: Hidden rows: 2 rows (lines 3, 4); carbon reads them like all other rows\n',
    );
    expect(stderr).toContain('Checked 3 rows: 3 new\n');
  });

  it('prints the command that follows the research with --sheet', async () => {
    const path = await write();
    const { exit, stderr } = await run(['batch', path, '--sheet', 'data', '--sandbox']);
    expect(exit).toBe(0);
    expect(stderr).toContain(
      `To follow the research: carbon sync ${path} --sheet data --sandbox\n`,
    );
  });
});

describe.each(['batch', 'footprint'])('carbon %s for a workbook with a cover sheet', (command) => {
  it.each([[[]], [['Prepared by Jane']]])(
    'names the other visible sheets for the first row %j',
    async (cover) => {
      const path = join(newFolder(), 'suppliers.xlsx');
      const sheets = ['Cover', 'My data', 'Notes'].map((name) => ({
        name,
        columns: (name === 'Cover' ? cover : ['Supplier']).map((header) => ({ header })),
        rows: [],
      }));
      await writeWorkbook((block) => appendFileSync(path, block), sheets);
      const argv = [command, path, ...(command === 'batch' ? ['--sandbox'] : [])];
      const hint = 'For another sheet of the workbook, use --sheet "My data" or --sheet Notes.';
      expect(await run(argv)).toMatchObject({ exit: 2, stderr: expect.stringContaining(hint) });
      if (cover.length === 0) return;
      const chosen = await run([...argv, '--sheet', 'Cover']);
      expect([chosen.exit, chosen.stderr.includes('For another sheet')]).toEqual([2, false]);
    },
  );
});

describe('carbon footprint for a workbook', () => {
  it('uses the journal of carbon batch and treats errors as missing spend', async () => {
    const path = await write();
    expect((await run(['batch', path, '--sandbox'])).exit).toBe(0);
    const records = join(newFolder(), 'records.ndjson');
    writeFileSync(records, '{"id":25,"name":"x","status":"synced"}\n');
    const argv = ['footprint', path, '--records', records, '--spend-year', '2024'];
    const { stderr, stdout } = await run([...argv, '--json']);
    const [item = '', summary = ''] = stdout.split('\n');
    expect(JSON.parse(item)).toMatchObject({ lines: [2], spend: 100.5, matched_by: 'journal' });
    expect(JSON.parse(summary)).toHaveProperty('summary');
    expect(stderr).toContain('"text":"Rows without spend, not counted: 2 rows (lines 3, 4)"');
    expect(stderr).toContain('"text":"Treated as missing: 2 cells with an error');
    expect(stderr).toContain('"text":"Restored leading zeros of D-U-N-S numbers: 1 row (line 2)"');
  });
});
