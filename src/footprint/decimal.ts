/*
 * Exact decimal numbers and their sums: a sum of doubles depends on the order of its terms, a sum
 * of these does not. Every double is a decimal number.
 */

/** The number `units` × 10^-`scale`; the scale is at least 0. */
export interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

export function negate({ units, scale }: Decimal): Decimal {
  return { units: -units, scale };
}

/** Returns the double nearest to a number; never -0. */
export function numberOf({ units, scale }: Decimal): number {
  // The conversion of a decimal text rounds correctly; a division of doubles would round twice.
  return Number(scale === 0 ? units : `${units}e-${scale}`) + 0;
}

/** Writes a number in plain notation, such as `-1234.5`, without trailing zeros. */
export function formatDecimal({ units, scale }: Decimal): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  const split = digits.length - scale;
  const text = `${digits.slice(0, split)}.${digits.slice(split)}`.replace(/\.?0*$/, '');
  return units < 0n ? `-${text}` : text;
}

/** Returns the exact value of a finite double. */
export function decimalOf(value: number): Decimal {
  let [whole, scale] = [value, 0];
  for (; !Number.isInteger(whole); whole *= 2) scale += 1;
  // value = whole / 2^scale = whole × 5^scale / 10^scale
  return { units: BigInt(whole) * 5n ** BigInt(scale), scale };
}

/** Returns the exact sum of numbers. */
export function sumOf(...terms: readonly (Decimal | number)[]): Decimal {
  const decimals = terms.map((term) => (typeof term === 'number' ? decimalOf(term) : term));
  const scale = decimals.reduce((most, each) => Math.max(most, each.scale), 0);
  const unitsOf = (each: Decimal) => each.units * 10n ** BigInt(scale - each.scale);
  return { units: decimals.reduce((sum, each) => sum + unitsOf(each), 0n), scale };
}

/** An exact sum for each key; the double nearest to it is 0 without terms. */
export class Sums<Key> extends Map<Key, Decimal> {
  add(key: Key, term: Decimal | number): void {
    this.set(key, sumOf(this.get(key) ?? zero, term));
  }

  total(key: Key): number {
    return numberOf(this.get(key) ?? zero);
  }
}

const zero: Decimal = { units: 0n, scale: 0 };
