import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { guardCell, isFormula, writeRow } from '../../src/table/output-cell.ts';
import { runs } from '../support/seed.ts';

const cell = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', ' ', '"', ';', '-1', 'a\r\nb', ' a ', '\ufeff', '\u2028', '=1', '\uff1d1'),
);

describe('writeRow', () => {
  it('writes the line that csv-stringify writes', { tags: ['property'] }, () => {
    const row = fc.array(cell, { minLength: 1, maxLength: 4 });
    const delimiters = fc.constantFrom(',', ';', '\t', '|', ':', '^');
    fc.assert(
      fc.property(row, delimiters, fc.constantFrom('\n', '\r\n'), (cells, delimiter, lineEnd) => {
        const expected = stringify([cells], {
          delimiter,
          record_delimiter: lineEnd,
          quoted_match: /[\r\n",;\t|]/,
        });
        expect(writeRow(cells, delimiter, lineEnd)).toBe(expected);
      }),
      { numRuns: runs(500) },
    );
  });
});

describe('guardCell', () => {
  it('leaves no text that a spreadsheet evaluates', { tags: ['property'] }, () => {
    fc.assert(
      fc.property(cell, (text) => {
        const parts = guardCell(text).split(/[,;|]/);
        expect(parts.slice(0, 1).filter(isFormula)).toEqual([]);
      }),
      { numRuns: runs(500) },
    );
  });
});
