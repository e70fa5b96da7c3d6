import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { copiedCell } from '../../../src/lists/workbook/cells.ts';
import { stylesPart, workbook } from './archives.ts';
import { readBook, write } from './read.ts';

describe('copiedCell', () => {
  it('keeps the text of every cell in the copy of a workbook', { tags: ['property'] }, async () => {
    const day = fc.double({ min: 0, max: 2_958_466, noNaN: true });
    const cell = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => `<c><v>${value}</v></c>`),
      fc.bigInt().map((value) => `<c><v>${value}</v></c>`),
      fc
        .tuple(day, fc.integer({ min: 1, max: 5 }))
        .map(([value, style]) => `<c s="${style}"><v>${value}</v></c>`),
      fc.constantFrom(
        '<c/>',
        '<c t="b"><v>0</v></c>',
        '<c t="e"><v>#REF!</v></c>',
        '<c t="d"><v>2026-02-30</v></c>',
        '<c t="d"><v>2026-01-31T14:30:00.5</v></c>',
        '<c t="inlineStr"><is><t>007</t></is></c>',
        '<c t="inlineStr"><is><t>=1+1</t></is></c>',
      ),
    );
    const styles = stylesPart([], [0, 14, 22, 18, 46, 20]);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(cell, { maxLength: 8 }), { maxLength: 8 }),
        async (rows) => {
          const xml = rows.map((row) => `<row>${row.join('')}</row>`).join('');
          const { all } = await readBook(await workbook(xml, { 'xl/styles.xml': styles }));
          const copies = all.map(({ cells, kinds }) =>
            cells.map((text, column) => copiedCell(text, kinds[column] ?? 'blank')),
          );
          const { path } = await write({ name: 'Copy', columns: [], rows: copies });
          const texts = (cells: readonly string[]) => cells.join('\t').trimEnd();
          const original = all.map(({ cells }) => texts(cells)).filter((line) => line !== '');
          expect((await readBook(path)).all.map(({ cells }) => texts(cells))).toEqual(original);
        },
      ),
    );
  });

  it('keeps the types of cells', () => {
    expect(copiedCell('12345678901234567', 'number')).toBe('12345678901234567');
    expect(copiedCell('2026-01-31', 'date')).toEqual(new Date('2026-01-31'));
    expect(copiedCell('1900-01-31', 'date')).toBe('1900-01-31');
    expect(copiedCell('2026-02-30', 'date')).toBe('2026-02-30');
    expect(copiedCell('FALSE', 'boolean')).toBe(false);
    expect(copiedCell('42', 'text')).toBe('42');
  });
});
