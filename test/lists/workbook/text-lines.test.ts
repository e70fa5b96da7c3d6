import { describe, expect, it } from 'vitest';
import { summarySheet } from '../../../src/lists/table/summary-sheet.ts';
import { countLines } from '../../../src/lists/workbook/text-lines.ts';
import { partOf, write } from './read.ts';

describe('countLines', () => {
  it('measures letters by their width', () => {
    const words = (word: string) => Array.from({ length: 20 }, () => word).join(' ');
    expect(countLines(words('illicit'), 90)).toBe(1);
    expect(countLines(words('MAMMOTH'), 90)).toBe(3);
    expect(countLines(words('東京製作所'), 90)).toBe(3);
  });
});

describe('a summary', () => {
  const printed = async (rows: number) => {
    const figures = Array.from({ length: rows }, (_, at) => [`Figure ${at}`, at] as const);
    const { path } = await write(summarySheet('Climate report', () => ({ figures })));
    const xml = await partOf(path, 'xl/worksheets/sheet1.xml');
    return /<pageSetup[^>]*fitToHeight="(\d)"/.exec(xml)?.[1];
  };

  it.each([
    [10, '1'],
    [80, '1'],
    [100, '0'],
  ])('of %i lines is printed on one page if it is near one', async (rows, pages) => {
    expect(await printed(rows)).toBe(pages);
  });
});
