/* Exact decimal numbers: amounts of a user's file, as they are written. */

/** The number `units` × 10^-`scale`; the scale is at least 0. */
export interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

export const zero: Decimal = { units: 0n, scale: 0 };

export function negate({ units, scale }: Decimal): Decimal {
  return { units: -units, scale };
}

export function plus(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  const unitsOf = (each: Decimal) =>
    each.scale === scale ? each.units : each.units * 10n ** BigInt(scale - each.scale);
  return { units: unitsOf(a) + unitsOf(b), scale };
}

const powersOfTen = Array.from({ length: 23 }, (_, power) => Number(`1e${power}`));

/** Returns the double nearest to a number; never -0. */
export function numberOf({ units, scale }: Decimal): number {
  // Up to 2^53 and 10^22, both are doubles, so that their quotient is the nearest one.
  const whole = Number(units);
  const divisor = powersOfTen[scale];
  if (divisor !== undefined && Number.isSafeInteger(whole)) return whole / divisor + 0;
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
