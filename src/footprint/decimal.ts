/*
 * Exact decimal numbers and their sums. A sum of doubles depends on the order of its terms; a sum
 * of these does not. Amounts of money have any number of places, and every double is a decimal
 * number.
 */

/** The number `units` × 10^-`scale`. */
export interface Decimal {
  readonly units: bigint;
  /** Number of decimal places, at least 0. */
  readonly scale: number;
}

/** Returns the number with the opposite sign. */
export function negate({ units, scale }: Decimal): Decimal {
  return { units: -units, scale };
}

/** Returns the exact sum of numbers. */
export function sumOf(...terms: readonly (Decimal | number)[]): Decimal {
  const sum = new Sum();
  for (const term of terms) sum.add(term);
  return sum.decimal;
}

/** Returns the double nearest to a number; never -0. */
export function numberOf({ units, scale }: Decimal): number {
  // The conversion of a decimal text rounds correctly; a division of doubles would round twice.
  return Number(scale === 0 ? units : `${units}e-${scale}`) + 0;
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

/** Adds up decimal numbers and finite doubles exactly, in any order. */
export class Sum {
  #units = 0n;
  #scale = 0;
  /* Doubles whose exact sum is that of all doubles (Shewchuk 1997); seldom more than three. */
  readonly #doubles: number[] = [];

  add(term: Decimal | number): void {
    if (typeof term !== 'number') this.#addDecimal(term);
    else if (Math.abs(term) < maxDouble) this.#addDouble(term);
    else this.#addDecimal(decimalOf(term));
  }

  get decimal(): Decimal {
    for (const double of this.#doubles.splice(0)) this.#addDecimal(decimalOf(double));
    return { units: this.#units, scale: this.#scale };
  }

  /** The double nearest to the sum. */
  get value(): number {
    // Of two doubles, the second is the rounded sum, and the first what rounding lost.
    if (this.#units === 0n && this.#doubles.length <= 2) return (this.#doubles.at(-1) ?? 0) + 0;
    return numberOf(this.decimal);
  }

  #addDecimal({ units, scale }: Decimal): void {
    if (scale > this.#scale) {
      this.#units *= power(tens, 10n, scale - this.#scale);
      this.#scale = scale;
    }
    this.#units += scale === this.#scale ? units : units * power(tens, 10n, this.#scale - scale);
  }

  #addDouble(term: number): void {
    const doubles = this.#doubles;
    let sum = term;
    let kept = 0;
    for (let index = 0; index < doubles.length; index += 1) {
      const other = doubles[index] as number;
      const isLarger = Math.abs(sum) >= Math.abs(other);
      const [large, small] = isLarger ? [sum, other] : [other, sum];
      sum = large + small;
      const lost = small - (sum - large);
      if (lost !== 0) doubles[kept++] = lost;
    }
    doubles.length = kept;
    doubles.push(sum);
  }
}

/** A sum for each key. */
export class Sums<Key> extends Map<Key, Sum> {
  add(key: Key, term: Decimal | number): void {
    const known = this.get(key);
    const sum = known ?? new Sum();
    if (known === undefined) this.set(key, sum);
    sum.add(term);
  }

  /** Returns the double nearest to a sum, which is 0 without terms. */
  total(key: Key): number {
    return this.get(key)?.value ?? 0;
  }
}

/* Sums of fewer than 10^18 such doubles are finite. */
const maxDouble = 1e290;

const double = new Float64Array(1);
const bits = new BigUint64Array(double.buffer);

/** Returns the exact value of a finite double. */
export function decimalOf(value: number): Decimal {
  if (Number.isSafeInteger(value)) return { units: BigInt(value), scale: 0 };
  double[0] = Math.abs(value);
  const encoded = bits[0] as bigint;
  const exponent = Number(encoded >> 52n);
  const fraction = Number(encoded & (2n ** 52n - 1n));
  // The value is `mantissa` × 2^`shift`.
  let mantissa = exponent === 0 ? fraction : fraction + 2 ** 52;
  let shift = Math.max(exponent, 1) - 1075;
  while (shift < 0 && mantissa % 2 === 0) {
    mantissa /= 2;
    shift += 1;
  }
  const whole = BigInt(value < 0 ? -mantissa : mantissa);
  if (shift >= 0) return { units: whole << BigInt(shift), scale: 0 };
  return { units: whole * power(fives, 5n, -shift), scale: -shift };
}

/* Most sums need the same few powers. */
const tens: bigint[] = [];
const fives: bigint[] = [];

function power(known: bigint[], base: bigint, exponent: number): bigint {
  known[exponent] ??= base ** BigInt(exponent);
  return known[exponent];
}
