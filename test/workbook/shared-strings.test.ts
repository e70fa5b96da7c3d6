import { describe, expect, it } from 'vitest';
import { StringTable } from '../../src/workbook/shared-strings.ts';

describe('StringTable', () => {
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
