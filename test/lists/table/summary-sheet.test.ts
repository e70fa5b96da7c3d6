import { describe, expect, it } from 'vitest';
import { type SummaryContent, summarySheet } from '../../../src/lists/table/summary-sheet.ts';
import type { WrittenCell } from '../../../src/lists/workbook/sheet-xml.ts';

async function rowsOf(content: SummaryContent): Promise<(readonly WrittenCell[])[]> {
  const rows: (readonly WrittenCell[])[] = [];
  for await (const row of summarySheet('Climate report', () => content).rows) rows.push(row);
  return rows;
}

function textOf(cell: WrittenCell): string | undefined {
  return typeof cell === 'object' && 'content' in cell ? cell.content : undefined;
}

describe('summarySheet', () => {
  it('has the first statement as its title, and under it what it is and of when', async () => {
    const [title, about, next] = await rowsOf({
      statements: ['Emissions rose 2%', '9 companies disclose both'],
      isSynthetic: true,
      dates: [
        ['Records', 'retrieved on 5 Jan 2026'],
        ['As of', '1 Feb 2026'],
      ],
    });
    expect(title).toEqual([
      {
        type: 'text',
        content: 'Emissions rose 2%',
        style: { font: 'title', wraps: true },
        covers: 2,
      },
    ]);
    expect(textOf(about?.[0])).toBe(
      'Climate report · Synthetic sandbox data · Records retrieved on 5 Jan 2026 · As of 1 Feb 2026',
    );
    expect(about?.[0]).toMatchObject({ style: { font: 'bold' } });
    expect(textOf(next?.[0])).toBe('9 companies disclose both');
  });

  it('has the kind of result as its title without a statement', async () => {
    expect((await rowsOf({})).map((row) => row.map(textOf))).toEqual([['Climate report']]);
  });

  it('says the title of a part once, and writes a text without a label in both columns', async () => {
    const parts = [
      ['Whom to ask', [['5 were not matched', 'Add a website']]],
      ['Before you quote it', ['A', 'B'].map((text) => ['', text] as const)],
      ['Method', []],
    ] as const;
    const rows = await rowsOf({ parts });
    expect(rows.map((row) => row.map(textOf))).toEqual([
      ['Climate report'],
      [],
      ['Whom to ask'],
      ['5 were not matched', 'Add a website'],
      [],
      ['Before you quote it'],
      ['A'],
      ['B'],
    ]);
    expect(rows.at(-1)).toMatchObject([{ covers: 2 }]);
  });
});
