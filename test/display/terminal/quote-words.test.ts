import { describe, expect, it } from 'vitest';
import { quoteWords } from '../../../src/display/terminal/sanitize.ts';

describe('quoteWords on Windows', () => {
  it.each([
    ['C:\\data\\suppliers.csv', 'C:\\data\\suppliers.csv'],
    ['C:\\My Files\\suppliers.csv', '"C:\\My Files\\suppliers.csv"'],
    ['C:\\My Files\\', '"C:\\My Files\\\\"'],
    ['name=Firma,hq_region=Land', '"name=Firma,hq_region=Land"'],
    ["O'Neill (new).csv", '"O\'Neill (new).csv"'],
    ['', '""'],
    // Only for PowerShell: cmd cannot express these.
    ["O'Neill $.csv", "'O''Neill $.csv'"],
    ['a "b"', '\'a "b"\''],
  ])('quotes %j for PowerShell and cmd', (word, quoted) => {
    expect(quoteWords([word], 'win32')).toBe(quoted);
  });
});

describe('quoteWords', () => {
  it('quotes for a POSIX shell on other systems', () => {
    expect(quoteWords(['batch', "O'Neill (new).csv"], 'linux')).toBe(
      "batch 'O'\\''Neill (new).csv'",
    );
  });
});
