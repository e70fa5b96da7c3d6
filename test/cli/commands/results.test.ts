import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { read } from '@e965/xlsx';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { book } from '../../lists/table/book.ts';
import { readCells } from '../../lists/workbook/read.ts';
import { newFolder, run } from '../../support/run.ts';

/* Registers a list in the sandbox, and returns the path of its results. */
async function results(list: string | Buffer, name: string, out: string): Promise<string> {
  const folder = newFolder();
  const path = join(folder, name);
  writeFileSync(path, list);
  const words = ['--sandbox', '--invalid', 'skip', '-o', join(folder, out)];
  // Rows with a quote that looks misplaced are invalid, and in the results.
  expect((await run(['batch', path, ...words])).stderr).toContain('Wrote');
  return join(folder, out);
}

async function csvOf(list: string | Buffer, name: string, delimiter = ','): Promise<string[][]> {
  const text = readFileSync(await results(list, name, 'results.csv'), 'utf8');
  return parse(text, { delimiter, bom: true, relax_column_count: true });
}

const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

describe('the results of a CSV list', () => {
  it('as CSV, have the cells of the list exactly as they were', {
    tags: ['property'],
  }, async () => {
    const cell = fc.string({
      unit: fc.constantFrom(...'a1=+-@",;|\t\r\n .€＝\u202e\u200b\u0007'.split('')),
    });
    const cells = fc.sample(fc.tuple(cell, cell, cell), { numRuns: 300 });
    const rows = cells.map((others, index) => [`Acme ${index}`, ...others]);
    for (const delimiter of [',', ';']) {
      const header = ['name', '-note', '=x', 'other'];
      const lines = [header, ...rows].map((row) => row.map(quote).join(delimiter));
      const found = await csvOf(`${lines.join('\n')}\n`, 'list.csv', delimiter);
      expect(found.map((row) => row.slice(0, 4))).toEqual([header, ...rows]);
      expect(found.every(({ length }) => length === 8)).toBe(true);
    }
  });

  it('as a workbook, keep line breaks, and no format of a column of carbon', async () => {
    const list = 'name,address,updated_at,revenue\nAcme,"1 High St\nNewtown",2024-05-03,-1.50\n';
    const out = await results(list, 'list.csv', 'r.xlsx');
    const [header = [], row = []] = await readCells(out);
    expect(header.slice(0, 4)).toEqual(['name', 'address', 'updated_at', 'revenue']);
    expect(row.slice(0, 3)).toEqual(['Acme', '1 High St\nNewtown', '2024-05-03']);
    // A plain number is one, and shows the text of the list.
    const revenue = read(readFileSync(out), { cellNF: true }).Sheets['Results']?.['D2'];
    expect(revenue).toMatchObject({ t: 'n', v: -1.5, z: '0.00', w: '-1.50' });
  });
});

describe('the results of carbon sync as a workbook', () => {
  it('leave out columns that are empty or equal in every row, and say which', async () => {
    const folder = newFolder();
    const [list, out] = [join(folder, 'list.csv'), join(folder, 'r.xlsx')];
    writeFileSync(list, 'name,country\nAcme AG,DE\nGlobex,GB\nInitech,US\n');
    const { stderr } = await run(['sync', list, '--sandbox', '-o', out]);
    const [, named = ''] =
      /^Left out, because they are empty or equal in every row: (.*)$/m.exec(stderr) ?? [];
    const [header = []] = await readCells(out);
    const known = (await readCells(out, { sheet: 'Columns' })).map(([name = '']) => name);
    const leftOut = known.flatMap((name) => /^(\S+) \(left out\)$/.exec(name)?.[1] ?? []);
    expect(leftOut).toContain('carbon_unit');
    expect(named.split(', ')).toEqual(leftOut);
    expect(header.filter((name) => leftOut.includes(name))).toEqual([]);
    // A year of the user's own could stand beside figures of another.
    const year = header.indexOf('carbon_year');
    const values = (await readCells(out)).slice(1).map((row) => row[year]);
    expect(new Set(values)).toEqual(new Set(['2025']));
    expect(leftOut).not.toContain('carbon_year');
  });
});

describe('the results of a workbook as CSV', () => {
  it('guard texts, which were no formulas, but neither numbers nor a lone sign', async () => {
    const cells = {
      number: [-400.25, '-400.25'],
      text: ['=1+1', "'=1+1"],
      lines: ['a\n=1+1', "a\n'=1+1"],
      plain: ['1 High St\nNewtown', '1 High St\nNewtown'],
      sign: ['-', '-'],
      plus: ['+', '+'],
      amount: ['-1.000,50', '-1.000,50'],
      share: ['+2.5 %', '+2.5 %'],
      phone: ['+1-2', "'+1-2"],
      at: ['@SUM(A1)', "'@SUM(A1)"],
    } as const;
    const names = Object.keys(cells);
    const values = Object.values(cells);
    const data = await book({
      Data: [
        ['name', ...names, '=cmd'],
        ['Acme', ...values.map(([value]) => value)],
      ],
    });
    const [header = [], row = []] = await csvOf(data, 'list.xlsx');
    expect(header.slice(1, names.length + 2)).toEqual([...names, "'=cmd"]);
    expect(row.slice(1, names.length + 1)).toEqual(values.map(([, expected]) => expected));
  });
});
