import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DecimalSign, splitAmount } from '../../../../src/lists/table/amounts.ts';
import { formatDecimal } from '../../../../src/portfolio/footprint/decimal.ts';
import {
  AmountFormatEvidence,
  readNumber,
} from '../../../../src/portfolio/footprint/spend/amounts.ts';
import type { UsageError } from '../../../../src/runtime/carbon-error.ts';
import { runs } from '../../../support/seed.ts';

/* Returns number and currency; undefined where the decimal sign does not fit. */
function read(cell: string, decimal: DecimalSign): string | undefined {
  const amount = splitAmount(cell);
  if (typeof amount !== 'object') return amount;
  const number = readNumber(amount, decimal);
  return number && [formatDecimal(number), amount.currency].filter(Boolean).join(' ');
}

describe('splitAmount', () => {
  it.each<[string, DecimalSign, string]>([
    ['€ (1,234.00)', '.', '-1234 €'],
    ['€-5', '.', '-5 €'],
    ['1.2E+06', '.', '1200000'],
    ['1,2E+06', ',', '1200000'],
    ['1.5E-02', '.', '0.015'],
    ['￥１，２３４', '.', '1234 ¥'],
    ["CHF 1'234.-", '.', '1234 CHF'],
    ['1.234,— €', ',', '1234 €'],
    ['Fr. 5.50', '.', '5.5 Fr.'],
    ['.5', '.', '0.5'],
    ["'-7.5", '.', '-7.5'],
    ['\u200e-7', '.', '-7'],
  ])('reads %j with the decimal sign %s as %s', (cell, decimal, expected) => {
    expect(read(cell, decimal)).toBe(expected);
  });

  it.each(['', ' ', '-', '--', '–', 'n/a', '#N/A', 'none', 'TBD', '€ -', '- €', '.'])(
    'finds no amount in %j',
    (cell) => {
      expect(splitAmount(cell)).toBeUndefined();
    },
  );

  it.each(
    'abc|12 %|3 Mio. €|#REF!|--5|-5-|(5|-(5)|5 EUR 6|EUR 5 USD|1234²|1/2|5 EUR net|12:30'.split(
      '|',
    ),
  )('rejects %j', (cell) => {
    expect(splitAmount(cell)).toBe('unreadable');
  });
});

describe('splitAmount of hostile cells', () => {
  it.each([
    `${'1'.repeat(200_000)}${'a'.repeat(200_000)}!`,
    '1'.repeat(400_000),
    `${'a'.repeat(200_000)} ${'a'.repeat(200_000)}`,
    `1${',111'.repeat(100_000)}x`,
  ])('rejects a long cell (%#)', (cell) => {
    expect(splitAmount(cell)).toBe('unreadable');
  });
});

describe('readNumber', () => {
  it.each<[string, string | undefined, string | undefined]>([
    ['1.234', '1.234', '1234'],
    ['1,234', '1234', '1.234'],
    ['1.234.567', undefined, '1234567'],
    ['1,234,567', '1234567', undefined],
    ['12,34,567', '1234567', undefined],
    ['1234,567', undefined, '1234.567'],
    ['0,123', undefined, '0.123'],
    ['0.123', '0.123', undefined],
    ['1,23', undefined, '1.23'],
    ['1.5', '1.5', undefined],
    ['1 234', '1234', '1234'],
    ['1 23', undefined, undefined],
    ['1.234.56', undefined, undefined],
    ["1'234 567", undefined, undefined],
    ['1,234 567', undefined, undefined],
    ['1.234E+05', '123400', undefined],
  ])('reads %j as %s with a point and as %s with a comma', (cell, point, comma) => {
    expect([read(cell, '.'), read(cell, ',')]).toEqual([point, comma]);
  });

  it('reads every amount back exactly that was written in any convention', {
    tags: ['property'],
  }, () => {
    fc.assert(
      fc.property(writings, ({ cell, decimal, expected }) => {
        expect(read(cell, decimal)?.split(' ')[0]).toBe(expected);
      }),
      { numRuns: runs(4000) },
    );
  });
});

const groupings: Readonly<Record<DecimalSign, readonly string[]>> = {
  '.': ['', ',', ' ', '\u00a0', '\u202f', "'", '’', 'indian'],
  ',': ['', '.', ' ', '\u00a0', '\u2009', "'", '’'],
};

/* The number is where the pattern has an N. */
const signs = ['-N', '−N', 'N-', '(N)', '- N'];
const currencies = ['N', '€ N', '€N', 'N EUR', 'CHF N', 'N€', 'US$N'];
const toFullWidth = (text: string) =>
  text.replace(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0));

const writings = fc
  .record({
    units: fc.bigInt({ min: 0n, max: 10n ** 15n }),
    places: fc.nat(4),
    decimal: fc.constantFrom<DecimalSign>('.', ','),
    grouping: fc.nat(7),
    sign: fc.option(fc.constantFrom(...signs), { nil: undefined }),
    currency: fc.constantFrom(...currencies),
    isFullWidth: fc.boolean(),
  })
  .map(({ units, places, decimal, grouping, sign, currency, isFullWidth }) => {
    const separators = groupings[decimal];
    const number = write(units, places, decimal, separators[grouping % separators.length] ?? '');
    const signed = currency.replace('N', () => (sign ?? 'N').replace('N', () => number));
    const value = formatDecimal({ units: sign === undefined ? units : -units, scale: places });
    return { cell: isFullWidth ? toFullWidth(signed) : signed, decimal, expected: value };
  });

function write(units: bigint, places: number, decimal: DecimalSign, grouping: string): string {
  const digits = units.toString().padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  const fraction = places === 0 ? '' : decimal + digits.slice(-places);
  if (grouping !== 'indian') return whole.replace(/\B(?=(\d{3})+$)/g, grouping) + fraction;
  return whole.replace(/\B(?=(\d{2})*\d{3}$)/g, ',') + fraction;
}

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
    [['12,50', '1,234', '0,5'], ','],
    [['12,34,567'], '.'],
    [['5,-'], ','],
    [['1,2E+06'], ','],
  ])('decides the decimal sign of %j as %s', (cells, decimal) => {
    expect(decide(cells).decimal).toBe(decimal);
  });

  it('names cell, line, column and what to do', () => {
    const messages = [
      rejection(['12', '1.234', '5.678']),
      rejection(['1,234.56', '5', '1.234,56']),
      rejection(['5', '1.234,56'], '.'),
      rejection(['5', 'see note']),
    ].map(({ message, hint, code }) => `${code}: ${message}\n${hint}`);
    expect(messages).toMatchInlineSnapshot(`
      [
        "invalid_input: a.csv, line 3, column "Amount": "1.234" is 1.234 or 1234, and no other cell shows which
      Use --decimal "." to read 1.234, or --decimal "," to read 1234.",
        "invalid_input: a.csv, column "Amount": the amounts "1,234.56" (line 2) and "1.234,56" (line 4) use different decimal or grouping signs
      Write all amounts of the column in the same way, or use --decimal if one sign fits all of them.",
        "invalid_input: a.csv, line 3, column "Amount": "1.234,56" does not fit --decimal .
      Correct the cell, or leave --decimal out.",
        "invalid_input: a.csv, line 3, column "Amount": "see note" is not an amount
      Correct the cell, or choose another column with --map spend=<column>.",
      ]
    `);
  });

  it.each(['12,50', "1'234.50", '1.234.567'])('rejects 1,234 in a column with %s', (cell) => {
    expect(rejection([cell, '1,234']).message).toContain('"1,234" (line 3) use different');
  });

  it('reads a column with --decimal that does not decide it', () => {
    expect(decide(['12,50', '1,234'], ',').decimal).toBe(',');
    expect(decide(['1.234'], ',')).toEqual({
      decimal: ',',
      example: { line: 2, text: '1.234', value: '1234' },
    });
  });

  it('decides the same in every order of the rows', { tags: ['property'] }, () => {
    const cells = fc.constantFrom(
      ...['5', '1.234', '1,234', '1.5', '1,5', '1 234', "1'234", '1.234.567', '1,2E+05', '', '7-'],
    );
    const orders = (column: string[]) =>
      fc.tuple(fc.constant(column), fc.shuffledSubarray(column, { minLength: column.length }));
    fc.assert(
      fc.property(fc.array(cells, { maxLength: 6 }).chain(orders), ([column, shuffled]) => {
        const outcome = (given: readonly string[]) => {
          try {
            return decide(given).decimal;
          } catch (error) {
            return (error as UsageError).message.replace(/.*(which|signs)$/, '$1');
          }
        };
        expect(outcome(shuffled)).toBe(outcome(column));
      }),
      { numRuns: runs(2000) },
    );
  });
});
