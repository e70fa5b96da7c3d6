import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AmountFormatEvidence, type DecimalSign } from '../../../src/footprint/spend/amounts.ts';
import type { UsageError } from '../../../src/runtime/carbon-error.ts';
import { runs } from '../../support/seed.ts';

function decide(cells: readonly string[], option?: DecimalSign) {
  const evidence = new AmountFormatEvidence('a.csv', 'Amount');
  for (const [index, cell] of cells.entries()) evidence.add(index + 2, cell);
  return evidence.decide(option);
}

function rejection(cells: readonly string[], option?: DecimalSign): UsageError {
  try {
    decide(cells, option);
  } catch (error) {
    return error as UsageError;
  }
  throw new Error('no error');
}

describe('AmountFormatEvidence', () => {
  it.each<[string[], DecimalSign | undefined]>([
    [['1,234.56'], '.'],
    [['1.234,56'], ','],
    [['1.234', '0,5'], ','],
    [['1.234', '2.345.678'], ','],
    [['1,234', '2,345,678'], '.'],
    [['1.234', '2.5'], '.'],
    [['1,234', '7.50'], '.'],
    [["1'234", "CHF 5'000.-"], '.'],
    [['12', '(5)', '1 234', 'n/a', ''], undefined],
    [['12,34,567'], '.'],
    [['5,-'], ','],
    [['1,2E+06'], ','],
  ])('decides the decimal sign of %j as %s', (cells, decimal) => {
    expect(decide(cells).decimal).toBe(decimal);
  });

  it('shows the cell that decided', () => {
    expect(decide(['7', '1.234', '1.234,50']).example).toEqual({
      line: 4,
      text: '1.234,50',
      value: '1234.5',
    });
  });

  it('names both readings of a column that fits both decimal signs', () => {
    const { message, hint, code } = rejection(['12', '1.234', '5.678']);
    expect({ message, hint, code }).toMatchInlineSnapshot(`
      {
        "code": "invalid_input",
        "hint": "Use --decimal . to read 1.234, or --decimal , to read 1234.",
        "message": "a.csv, line 3, column "Amount": "1.234" is 1.234 or 1234, and no other cell shows which",
      }
    `);
  });

  it('names the lines of two cells that contradict each other', () => {
    const { message, hint } = rejection(['1,234.56', '5', '1.234,56']);
    expect({ message, hint }).toMatchInlineSnapshot(`
      {
        "hint": "Write all amounts of the column in the same way.",
        "message": "a.csv, column "Amount": the amounts "1,234.56" (line 2) and "1.234,56" (line 4) use different decimal or grouping signs",
      }
    `);
  });

  it('rejects three decimal places beside amounts that all have two', () => {
    const { message, hint } = rejection(['12,50', '1,234']);
    expect({ message, hint }).toMatchInlineSnapshot(`
      {
        "hint": "Write all amounts of the column in the same way, or use --decimal , to read "1,234" as 1.234.",
        "message": "a.csv, column "Amount": the amounts "12,50" (line 2) and "1,234" (line 3) use different decimal or grouping signs",
      }
    `);
    expect(rejection(['1.234.567', '1,234']).message).toContain('"1,234" (line 3)');
    expect(decide(['12,50', '1,234'], ',').decimal).toBe(',');
    expect(decide(['12,50', '1,234', '0,5']).decimal).toBe(',');
  });

  it('rejects a comma that groups thousands beside apostrophes that do', () => {
    expect(rejection(["1'234.50", '1,234']).message).toContain('"1\'234.50" (line 2) and "1,234"');
  });

  it('reads a column with --decimal that does not decide it', () => {
    expect(decide(['1.234'], ',')).toEqual({
      decimal: ',',
      decidedBy: 'option',
      example: { line: 2, text: '1.234', value: '1234' },
    });
  });

  it('names a cell that does not fit --decimal', () => {
    expect(rejection(['5', '1.234,56'], '.').message).toBe(
      'a.csv, line 3, column "Amount": "1.234,56" does not fit --decimal .',
    );
  });

  it('names line, column and value of a cell that is not an amount', () => {
    const { message, hint } = rejection(['5', 'see note']);
    expect({ message, hint }).toMatchInlineSnapshot(`
      {
        "hint": "Correct the cell, or choose another column with --map spend=<column>.",
        "message": "a.csv, line 3, column "Amount": "see note" is not an amount",
      }
    `);
  });

  it('rejects a cell with a scale', () => {
    const { message, hint } = rejection(['5', '1.2k']);
    expect({ message, hint }).toMatchInlineSnapshot(`
      {
        "hint": "Write the number in full in this cell, such as 1200 instead of 1.2k.",
        "message": "a.csv, line 3, column "Amount": "1.2k" is an abbreviated number",
      }
    `);
  });

  it('always rejects a column in which every cell fits both decimal signs', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 999 }), fc.nat(999)), { minLength: 1 }),
        fc.constantFrom('.', ','),
        (amounts, sign) => {
          const cells = amounts.map(
            ([integer, rest]) => `${integer}${sign}${String(rest).padStart(3, '0')}`,
          );
          const { message, hint = '' } = rejection(cells);
          const [integer = 0, rest = 0] = amounts[0] ?? [];
          expect(message).toContain(` or `);
          expect(`${message} ${hint}`).toContain(`${integer * 1000 + rest}`);
          expect(hint).toContain('--decimal .');
          expect(hint).toContain('--decimal ,');
        },
      ),
      { numRuns: runs(300) },
    );
  });

  it('decides the same in every order of the rows', () => {
    const cells = fc.constantFrom(
      ...['5', '1.234', '1,234', '1.5', '1,5', '1 234', "1'234", '1.234.567', '1,2E+05', '', '7-'],
    );
    fc.assert(
      fc.property(
        fc
          .array(cells, { maxLength: 6 })
          .chain((column) =>
            fc.tuple(
              fc.constant(column),
              fc.shuffledSubarray(column, { minLength: column.length }),
            ),
          ),
        ([column, shuffled]) => {
          const outcome = (given: readonly string[]) => {
            try {
              return decide(given).decimal;
            } catch (error) {
              return (error as UsageError).message.replace(/.*(which|signs)$/, '$1');
            }
          };
          expect(outcome(shuffled)).toBe(outcome(column));
        },
      ),
      { numRuns: runs(2000) },
    );
  });
});
