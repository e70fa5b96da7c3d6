import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StringTable } from '../../src/workbook/shared-strings.ts';

describe('StringTable', () => {
  it('returns every text by its index', { tags: ['property'] }, () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 3_000 }), (texts) => {
        const table = new StringTable();
        for (const text of texts) expect(table.add(text)).toBe(true);
        expect(table.length).toBe(texts.length);
        expect(texts.map((_, index) => table.get(index))).toEqual(texts);
        expect(table.get(texts.length)).toBe(undefined);
      }),
    );
  });

  it('returns texts at the boundaries of its chunks', () => {
    const table = new StringTable();
    const texts = [15, 1, 0, 10, 7, 0, 16, 1].map(
      (mebibytes, index) => `${index}`.repeat(mebibytes * 2 ** 20) || '',
    );
    for (const text of texts) expect(table.add(text)).toBe(true);
    for (const [index, text] of texts.entries()) expect(table.get(index) === text).toBe(true);
  });

  it('accepts no text that is longer than a chunk', () => {
    const table = new StringTable();
    expect(table.add('x'.repeat(2 ** 24 + 1))).toBe(false);
    expect(table.length).toBe(0);
  });
});
