/*
 * Exact decimal numbers and sums: a sum of doubles depends on the order of its terms, these do not.
 */

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

/** Returns the double nearest to the exact sum of doubles, which are below 1e300; never -0. */
export function totalOf(terms: Iterable<number>): number {
  // Doubles with the same exact sum (Shewchuk 1997), the smallest first; seldom more than three.
  const parts = [0];
  for (const term of terms) {
    let sum = term;
    let kept = 0;
    for (const other of parts) {
      const isLarger = Math.abs(sum) >= Math.abs(other);
      const large = isLarger ? sum : other;
      const small = isLarger ? other : sum;
      sum = large + small;
      const lost = small - (sum - large);
      if (lost !== 0) parts[kept++] = lost;
    }
    parts[kept] = sum;
    parts.length = kept + 1;
  }
  const [first = 0, second = 0, ...others] = parts;
  return others.length === 0 ? first + second + 0 : numberOf(parts.map(exact).reduce(plus, zero));
}

/* Every double is a decimal number. */
function exact(value: number): Decimal {
  let [whole, scale] = [value, 0];
  for (; !Number.isInteger(whole); whole *= 2) scale += 1;
  // value = whole / 2^scale = whole × 5^scale / 10^scale
  return { units: BigInt(whole) * 5n ** BigInt(scale), scale };
}
