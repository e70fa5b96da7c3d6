import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outputSheet } from '../../../src/lists/table/output-sheet.ts';
import { summarySheet } from '../../../src/lists/table/summary-sheet.ts';
import type { SheetContent, WrittenCell } from '../../../src/lists/workbook/sheet-xml.ts';
import { anyCharacter } from '../../support/seed.ts';
import { partOf, readBook, readCells, write } from './read.ts';

const sheet = (rows: SheetContent['rows'], ...headers: readonly string[]): SheetContent => ({
  name: 'Records',
  columns: headers.map((header) => ({ header })),
  rows,
});

/* The text of a value in a CSV file. */
function textOf(value: WrittenCell): string {
  if (value instanceof Date) return value.toISOString().replace(/T00:00:00\.000Z$|\.\d+Z$/, '');
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  return value === undefined ? '' : String(value);
}

function withoutTrailingBlanks(cells: readonly string[]): readonly string[] {
  return cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1);
}

describe('writeWorkbook', () => {
  it('freezes the header, adds a filter and sets widths that fit', async () => {
    const { path } = await write(sheet([['A company with a long name', 1]], 'name', 'score'));
    const records = await partOf(path, 'xl/worksheets/sheet1.xml');
    expect(records).toContain('<pane ySplit="1" topLeftCell="A2"');
    expect(records).toContain('<autoFilter ref="A1:B2"/>');
    expect(records).toContain('<col min="1" max="1" width="28" customWidth="1"/>');
  });

  it('writes no formula: a text that looks like one gets a style that keeps it a text', async () => {
    const texts = ['=1+1', '+1', '-1', '@SUM(A1)', '=HYPERLINK("http://evil.example")'];
    const { path } = await write(sheet([texts], ...texts));
    const xml = await partOf(path, 'xl/worksheets/sheet1.xml');
    expect(xml).not.toMatch(/<f[ >]/);
    expect(xml.match(/s="2" t="inlineStr"/g)?.length).toBe(texts.length);
    expect(await partOf(path, 'xl/styles.xml')).toContain('quotePrefix="1"');
    expect(await readCells(path)).toEqual([texts, texts]);
  });

  it('truncates texts that are longer than a cell can be and reports them', async () => {
    const long = `${'x'.repeat(32_766)}😀y`;
    const { path, truncated } = await write(sheet([['ok', long]], 'a', 'b'));
    expect(truncated).toBe(1);
    expect((await readCells(path))[1]?.[1]).toBe('x'.repeat(32_766));
  });

  it('prints a long table with few columns upright, so that it needs fewer pages', async () => {
    const columns = [
      { name: 'id', kind: 'id' },
      { name: 'total', kind: 'total' },
    ] as const;
    const setupOf = async (count: number, width = '') => {
      const rows = Array.from({ length: count }, (_, index) => [index, width]);
      const { path } = await write(outputSheet({ name: 'Records', columns, rows }));
      return /<pageSetup[^>]*>/.exec(await partOf(path, 'xl/worksheets/sheet1.xml'))?.[0];
    };
    const of = (orientation: string, high: number) =>
      `<pageSetup orientation="${orientation}" fitToWidth="1" fitToHeight="${high}"/>`;
    expect(await setupOf(20)).toBe(of('landscape', 0));
    expect(await setupOf(60)).toBe(of('portrait', 1));
    expect(await setupOf(130)).toBe(of('portrait', 2));
  });

  it('prints a table that is a little wider than a page in smaller print, a wider one on two', async () => {
    const setupOf = async (count: number) => {
      const columns = Array.from({ length: count }, (_, at) => {
        return { name: `c${at}`, kind: 'name' as const, header: 'x'.repeat(50) };
      });
      const { path } = await write(outputSheet({ name: 'Records', columns, rows: [], frozen: 0 }));
      const xml = await partOf(path, 'xl/worksheets/sheet1.xml');
      const widths = [...xml.matchAll(/ width="([\d.]+)"/g)].map(([, width]) => Number(width));
      const [, wide] = /fitToWidth="(\d)"/.exec(xml) ?? [];
      return [widths.reduce((sum, width) => sum + width, 0), Number(wide)];
    };
    expect(await setupOf(4)).toEqual([expect.toSatisfy((sum: number) => sum < 250), 1]);
    expect(await setupOf(7)).toEqual([expect.toSatisfy((sum: number) => sum > 300), 2]);
  });

  it('shows days in words, in cells that are dates', async () => {
    const columns = [{ name: 'synced_at', kind: 'date' }] as const;
    const rows = [['2026-11-28'], ['2026-11-28T08:30:00Z']];
    const { path } = await write(outputSheet({ name: 'Records', columns, rows }));
    const xml = await partOf(path, 'xl/worksheets/sheet1.xml');
    expect(xml).toMatch(/<c r="A2" s="\d+"><v>46354<\/v>/);
    const styles = await partOf(path, 'xl/styles.xml');
    expect(styles).toContain('formatCode="d mmm yyyy"');
    expect(styles).toContain('formatCode="d mmm yyyy hh:mm"');
  });

  it('has room for an address, which cannot wrap', async () => {
    const url = 'https://reports.example.org/committed/sustainability.pdf';
    const { path } = await write(sheet([[url, 'yes']], 'url', 'synthetic'));
    const width = `<col min="1" max="1" width="${url.length + 2}" customWidth="1"/>`;
    expect(await partOf(path, 'xl/worksheets/sheet1.xml')).toContain(width);
  });

  it('keeps the rows low where a sentence is folded away', async () => {
    const columns = [
      { name: 'rule', kind: 'text' },
      { name: 'evidence', kind: 'note', isFolded: true },
    ] as const;
    const rows = [['a', 'The organization commits to reduce its emissions. '.repeat(4)]];
    const { path } = await write(outputSheet({ name: 'Findings', columns, rows }));
    const xml = await partOf(path, 'xl/worksheets/sheet1.xml');
    expect(xml).toContain('<row r="2">');
    // The button that opens the last columns is above the next one.
    expect(xml).toMatch(/<col min="3" max="3" width="9" collapsed="1"\/><\/cols>/);
  });

  it('wraps sentences of a table in rows of their height, below a header of a fixed one', async () => {
    const sentence = 'The organization commits to reduce its emissions. '.repeat(4);
    const columns = [
      { name: 'rule', kind: 'text' },
      { name: 'evidence', kind: 'note' },
    ] as const;
    const rows = [
      ['a', sentence],
      ['b', 'short'],
    ];
    const { path } = await write(outputSheet({ name: 'Findings', columns, rows }));
    const xml = await partOf(path, 'xl/worksheets/sheet1.xml');
    expect(xml).toContain('<row r="1" ht="15" customHeight="1">');
    expect(xml).toContain('<row r="2" ht="90" customHeight="1">');
    expect(xml).toContain('<row r="3">');
    const index = Number(/<c r="B2" s="(\d+)"/.exec(xml)?.[1]);
    const [, styles = ''] = (await partOf(path, 'xl/styles.xml')).split('<cellXfs');
    expect(styles.split('<xf ')[index + 1]).toContain('vertical="top" wrapText="1"');
  });

  it('keeps a column of sentences narrow that few rows have', async () => {
    const sentence = 'factor and emissions disagree by much more than they may';
    const rows = (every: number) =>
      Array.from({ length: 40 }, (_, at) => [at, at % every === 0 ? sentence : undefined]);
    const columns = [{ header: 'ID' }, { header: 'Warning', wraps: true }];
    const widthOf = async (every: number) => {
      const { path } = await write({ name: 'Items', columns, rows: rows(every) });
      const sheet = await partOf(path, 'xl/worksheets/sheet1.xml');
      return Number(/<col min="2" max="2" width="(\d+)"/.exec(sheet)?.[1]);
    };
    expect([await widthOf(2), await widthOf(20)]).toEqual([32, 22]);
  });

  it('keeps the height of rows next to columns of the user', async () => {
    const rows = [['mine', 'A sentence '.repeat(20)]];
    const columns = [{ name: 'Own' }, { name: 'carbon_reason', kind: 'note' }] as const;
    const own = [{ header: 'Own', layout: { width: 9, isHidden: false } }];
    const { path } = await write(outputSheet({ name: 'Results', columns, rows, own }));
    expect(await partOf(path, 'xl/worksheets/sheet1.xml')).not.toContain('customHeight');
  });

  it('wraps the statements of a summary over its columns', async () => {
    const long = 'Emissions rose. '.repeat(12).trim();
    const statements = [long, long, 'A short one'];
    const { path } = await write(summarySheet('Report', () => ({ statements })));
    const xml = await partOf(path, 'xl/worksheets/sheet1.xml');
    const merged = [1, 2, 3, 4].map((row) => `<mergeCell ref="A${row}:B${row}"/>`);
    expect(xml).toContain(merged.join(''));
    // The first one is the title, in a larger font; the name of the report is below.
    expect(xml).toContain('<row r="1" ht="40" customHeight="1">');
    expect(xml).toContain('<row r="2">');
    expect(xml).toContain('<row r="3" ht="30" customHeight="1">');
    expect(xml).toContain('<row r="4">');
  });

  it('indents a text after a number, whose folded columns do not count', async () => {
    const { path } = await write({
      name: 'Data',
      columns: [
        { header: 'n', align: 'right' },
        { header: 'folded', isFolded: true },
        { header: 'text' },
        { header: 'further' },
      ],
      rows: [[1, 'f', 'a', 'b']],
    });
    const xml = await partOf(path, 'xl/worksheets/sheet1.xml');
    const [, style = ''] = /<c r="C2" s="(\d+)" t="inlineStr"/.exec(xml) ?? [];
    const [, formats = ''] =
      /<cellXfs[^>]*>(.*)<\/cellXfs>/.exec(await partOf(path, 'xl/styles.xml')) ?? [];
    expect(formats.split('<xf ')[Number(style) + 1]).toContain('horizontal="left" indent="1"');
    expect(xml).toContain('<c r="D2" t="inlineStr"');
  });

  it('applies the number format of a column', async () => {
    const { path } = await write({
      name: 'S',
      columns: [{ header: 'a', format: '0.0" t"' }, { header: 'b' }, { header: 'c', format: '0%' }],
      rows: [[1, 2, 0.5]],
    });
    expect(await partOf(path, 'xl/worksheets/sheet1.xml')).toContain(
      '<c r="A2" s="5"><v>1</v></c><c r="B2"><v>2</v></c><c r="C2" s="6"><v>0.5</v></c>',
    );
    expect(await partOf(path, 'xl/styles.xml')).toContain('formatCode="0.0&quot; t&quot;"');
    expect((await readCells(path))[1]).toEqual(['1', '2', '0.5']);
  });

  it('makes columns wide enough for the separators and decimals of a format', async () => {
    const { path } = await write({
      name: 'S',
      columns: [
        { header: 'a', format: '#,##0.00' },
        { header: 'b', format: '0.0%' },
      ],
      rows: [[-2829252380, 0.99876]],
    });
    const xml = await partOf(path, 'xl/worksheets/sheet1.xml');
    const [amount, share] = [...xml.matchAll(/<col [^>]* width="(\d+)"/g)].map(([, width]) =>
      Number(width),
    );
    expect(amount).toBeGreaterThanOrEqual('-2,829,252,380.00'.length + 2);
    expect(share).toBeGreaterThanOrEqual('99.9%'.length + 2);
  });

  it('fails with the error of the rows and closes their iterator', async () => {
    let isClosed = false;
    async function* rows() {
      try {
        for (let row = 0; row < 10_000; row += 1) {
          if (row === 2_000) throw new Error('the disk is gone');
          yield ['x'.repeat(1_000), row];
        }
      } finally {
        isClosed = true;
      }
    }
    await expect(write(sheet(rows(), 'a', 'b'))).rejects.toThrow('the disk is gone');
    expect(isClosed).toBe(true);
  });

  it('rejects more rows than Excel allows', { tags: ['long'] }, async () => {
    function* rows() {
      for (let row = 0; row < 1_048_576; row += 1) yield [1];
    }
    await expect(write(sheet(rows(), 'a'))).rejects.toThrow('has more than 1,048,576 rows');
  });

  it('writes any table so that every cell is read back', { tags: ['property'] }, async () => {
    const day = fc
      .integer({ min: 61, max: 2_958_465 })
      .map((days) => new Date((days - 25_569) * 86_400_000));
    const cell = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.string({
        unit: fc.constantFrom('_', 'x', '0', '4', 'D', '\r', '\n', ' ', '<', '&', ']', '>'),
      }),
      fc.integer(),
      fc
        .double({ noNaN: true, noDefaultInfinity: true })
        .map((value) => Number(value.toPrecision(12))),
      fc.boolean(),
      day,
      fc.constant(undefined),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(cell, { maxLength: 8 }), { maxLength: 20 }),
        async (rows) => {
          const { path } = await write(sheet(rows));
          const { all } = await readBook(path);
          const read = new Map(all.map(({ number, cells }) => [number, cells]));
          for (const [index, row] of rows.entries()) {
            const expected = row.map((value) =>
              typeof value === 'number' ? value + 0 : textOf(value).replace(/\p{Cs}/gu, '\ufffd'),
            );
            const cells = (read.get(index + 2) ?? []).map((text, column) =>
              typeof row[column] === 'number' ? Number(text) : text,
            );
            const texts = expected.map(String);
            expect(withoutTrailingBlanks(cells.map(String))).toEqual(withoutTrailingBlanks(texts));
          }
        },
      ),
    );
  });
});
