import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFormula, renderCsvLine } from '../../src/table/output-cell.ts';
import { runs } from '../support/seed.ts';

const cell = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', ' ', '"', ';', '-1', 'a\r\nb', ' a ', '\ufeff', '\u2028', '=1', '\uff1d1'),
);

describe('renderCsvLine', () => {
  it('leaves no text that a spreadsheet evaluates', { tags: ['property'] }, () => {
    fc.assert(
      fc.property(cell, (text) => {
        const [[written = '']] = parse(renderCsvLine([text, 'x'])) as [string[]];
        expect(written.split(/[,;|]/).slice(0, 1).filter(isFormula)).toEqual([]);
      }),
      { numRuns: runs(500) },
    );
  });
});
