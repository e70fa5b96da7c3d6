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
  it.each([
    ['suppliers.csv', 'suppliers.csv'],
    // Every shell removes double quotes.
    ["O'Neill (new).csv", '"O\'Neill (new).csv"'],
    ['name=Dee GmbH', '"name=Dee GmbH"'],
    ['score<40', '"score<40"'],
    ['', '""'],
    // In double quotes, bash would replace or interpret these.
    ['a $HOME', "'a $HOME'"],
    ['a `b`', "'a `b`'"],
    ['sbti_near_term!=set', "'sbti_near_term!=set'"],
    ['a "b"', '\'a "b"\''],
    ["O'Neill \\", "'O'\\''Neill \\'"],
  ])('quotes %j for a POSIX shell on other systems', (word, quoted) => {
    expect(quoteWords([word], 'linux')).toBe(quoted);
  });
});
