/*
 * Exact decimal numbers. A sum of doubles depends on the order of its terms; a sum of these does
 * not.
 */

/** The number `units` × 10^-`scale`. */
export interface Decimal {
  readonly units: bigint;
  /** Number of decimal places, at least 0. */
  readonly scale: number;
}

/** The number 0 without decimal places. */
export const zero: Decimal = { units: 0n, scale: 0 };

/** Returns the exact sum of two numbers. */
export function addDecimals(a: Decimal, b: Decimal): Decimal {
  if (a.scale === b.scale) return { units: a.units + b.units, scale: a.scale };
  const scale = Math.max(a.scale, b.scale);
  return { units: unitsAt(a, scale) + unitsAt(b, scale), scale };
}

/** Returns the number with the opposite sign. */
export function negate({ units, scale }: Decimal): Decimal {
  return { units: -units, scale };
}

/** Returns a negative number, 0 or a positive number as `a` is less, equal or greater. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const { units } = addDecimals(a, negate(b));
  return units < 0n ? -1 : Number(units > 0n);
}

/* Returns the number of units of 10^-`scale`; `scale` is at least that of the number. */
function unitsAt({ units, scale: own }: Decimal, scale: number): bigint {
  return own === scale ? units : units * 10n ** BigInt(scale - own);
}

/**
 * Writes a number in plain notation with a decimal point, such as `-1234.5`, without trailing zeros
 * after it.
 */
export function formatDecimal({ units, scale }: Decimal): string {
  if (scale === 0) return units.toString();
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const fraction = digits.slice(-scale).replace(/0+$/, '');
  const text = digits.slice(0, -scale) + (fraction === '' ? '' : `.${fraction}`);
  return units < 0n ? `-${text}` : text;
}
