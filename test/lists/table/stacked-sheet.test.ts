import { describe, expect, it } from 'vitest';
import { count } from '../../../src/display/terminal/format.ts';
import { countOf, type FactTable, type RowLevel } from '../../../src/display/terminal/section.ts';
import { factSheet } from '../../../src/lists/table/fact-sheet.ts';
import { withStacked } from '../../../src/lists/table/stacked-sheet.ts';
import { partOf, readCells, write } from '../workbook/read.ts';

function table(title: string, ...numbers: readonly number[]): FactTable<number> {
  const columns = [countOf<number>('items', 'Items', (item) => item)];
  return { title, head: 'Size', label: (item) => count.format(item), columns, rows: numbers };
}

describe('withStacked', () => {
  it('puts short tables on one sheet, and keeps a list to work on', async () => {
    const list = factSheet(table('Whom to ask', 7), { isList: true });
    const sheets = withStacked([
      factSheet(table('Years', 1, 2)),
      list,
      factSheet(table('Sums', 3)),
    ]);
    expect(sheets.map(({ name }) => name)).toEqual(['Tables', 'Whom to ask']);
    const { path } = await write(...sheets);
    expect(await readCells(path, { sheet: 'Tables' })).toEqual([
      ['Years'],
      ['Size', 'Items'],
      ['1', '1'],
      ['2', '2'],
      ['Sums'],
      ['Size', 'Items'],
      ['3', '3'],
    ]);
  });

  it('has days to the left, under their header', async () => {
    const columns = [
      { name: '', title: 'Day', description: '', kind: 'date', value: () => '2026-11-28' },
    ] as const;
    const dated = { title: 'Days', head: 'Size', label: () => 'one', columns, rows: [1] };
    const { path } = await write(...withStacked([factSheet(dated), factSheet(table('Sums', 3))]));
    const style = await partOf(path, 'xl/styles.xml');
    const sheet = await partOf(path, 'xl/worksheets/sheet1.xml');
    const index = /<c r="B3" s="(\d+)"><v>46354</.exec(sheet)?.[1];
    const xfs = style.slice(style.indexOf('<cellXfs')).split('<xf ').slice(1);
    expect(xfs[Number(index)]).toContain('horizontal="left"');
  });

  it('shows sums in bold under a line, and their parts indented', async () => {
    const levels = new Map<number, RowLevel>([
      [5, 'sum'],
      [2, 'part'],
    ]);
    const causes = { ...table('Causes', 5, 2, 7), levelOf: (item: number) => levels.get(item) };
    const { path } = await write(...withStacked([factSheet(causes), factSheet(table('Sums', 3))]));
    const style = await partOf(path, 'xl/styles.xml');
    const sheet = await partOf(path, 'xl/worksheets/sheet1.xml');
    const xfs = style.slice(style.indexOf('<cellXfs')).split('<xf ').slice(1);
    const looksOf = (row: number) =>
      ['A', 'B'].map((column) => {
        const [, index] = new RegExp(`<c r="${column}${row}" s="(\\d+)"`).exec(sheet) ?? [];
        const xf = xfs[Number(index)] ?? '';
        return [/fontId="1"/, /borderId="2"/, /horizontal="left" indent="1"/].map((look) =>
          look.test(xf),
        );
      });
    expect([3, 4, 5].map(looksOf)).toEqual([
      [
        [true, true, false],
        [true, true, false],
      ],
      [
        [false, false, true],
        [false, false, false],
      ],
      [
        [false, false, false],
        [false, false, false],
      ],
    ]);
  });

  it.each([
    ['Share of emissions', 15],
    ['Share of the emissions', 30],
    ['Share of these emissions in all', 30],
  ])('has room for the bold header %s', async (header, height) => {
    const columns = [countOf<number>('items', header, (item) => item)];
    const one = { title: 'One', head: 'Size', label: () => 'one', columns, rows: [1] };
    const { path } = await write(...withStacked([factSheet(one), factSheet(table('Sums', 3))]));
    const sheet = await partOf(path, 'xl/worksheets/sheet1.xml');
    const [, row = ''] = /<row r="2"([^>]*)>/.exec(sheet) ?? [];
    expect(Number(/ht="(\d+)"/.exec(row)?.[1] ?? 15)).toBe(height);
  });

  it('has a name that no other sheet has', () => {
    const short = [factSheet(table('Years', 1)), factSheet(table('Sums', 2))];
    const lists = ['tables', 'Further tables'].map((name) =>
      factSheet(table(name, 7), { isList: true }),
    );
    expect(withStacked([...short, ...lists]).map(({ name }) => name)).toEqual([
      'Tables 2',
      'tables',
      'Further tables',
    ]);
    expect(withStacked(short, ['TABLES', 'Tables 2']).map(({ name }) => name)).toEqual([
      'Tables 3',
    ]);
  });

  it('keeps a single short table as it is', () => {
    const sheets = [factSheet(table('Years', 1)), factSheet(table('Ask', 7), { isList: true })];
    expect(withStacked(sheets)).toBe(sheets);
  });
});
