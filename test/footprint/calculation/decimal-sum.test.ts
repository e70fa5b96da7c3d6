import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DecimalSum, toDecimal } from '../../../src/footprint/calculation/decimal-sum.ts';
import '../../support/seed.ts';

function sum(amounts: readonly string[]): DecimalSum {
  const total = new DecimalSum();
  for (const amount of amounts) total.add(toDecimal(amount));
  return total;
}

const amount = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(fc.nat().map(String), fc.bigInt({ min: 0n, max: 10n ** 25n }).map(String)),
    fc.oneof(fc.constant(''), fc.stringMatching(/^\.[0-9]{1,8}$/)),
  )
  .map((parts) => parts.join(''));

describe('DecimalSum', () => {
  it('returns the double nearest to the exact sum', () => {
    fc.assert(
      fc.property(fc.array(amount, { maxLength: 20 }), (amounts) => {
        const units = amounts.reduce((total, text) => {
          const [integer = '', fraction = ''] = text.split('.');
          return total + BigInt(`${integer}${fraction.padEnd(8, '0')}`);
        }, 0n);
        expect(sum(amounts).value()).toBe(Number(`${units}e-8`) + 0);
        expect(sum(amounts).isNegative()).toBe(units < 0n);
      }),
    );
  });

  it('adds up cents without a trace of binary fractions', () => {
    expect(sum(['0.1', '0.2']).value()).toBe(0.3);
    expect(sum(['0.1', '0.2', '-0.3']).isNegative()).toBe(false);
    expect(sum(['-0.00']).value()).toBe(0);
  });

  it('stays exact when the sum exceeds the integers of a double', () => {
    const amounts = Array<string>(2_000).fill('9999999999');
    expect(sum([...amounts, '0.1']).value()).toBe(Number('19999999998000.1'));
  });
});
