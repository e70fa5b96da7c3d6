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

/* Far below it, no sum of doubles is infinite. */
const maxDouble = 1e250;

/** Adds up terms exactly. Doubles stay doubles: each as a decimal number would take much longer. */
class Sum {
  #units = 0n;
  #scale = 0;
  /* Doubles whose exact sum is that of all doubles (Shewchuk 1997); seldom more than three. */
  readonly #doubles: number[] = [];

  add(term: Decimal | number): void {
    if (typeof term !== 'number') this.#addDecimal(term);
    else if (Math.abs(term) < maxDouble) this.#addDouble(term);
    else this.#addDecimal(decimalOf(term));
  }

  #addDecimal({ units, scale }: Decimal): void {
    const more = scale - this.#scale;
    if (more > 0) {
      this.#units *= 10n ** BigInt(more);
      this.#scale = scale;
    }
    this.#units += more < 0 ? units * 10n ** BigInt(-more) : units;
  }

  #addDouble(term: number): void {
    const doubles = this.#doubles;
    let [sum, kept] = [term, 0];
    for (const other of doubles) {
      const isLarger = Math.abs(sum) >= Math.abs(other);
      const [large, small] = isLarger ? [sum, other] : [other, sum];
      sum = large + small;
      const lost = small - (sum - large);
      if (lost !== 0) doubles[kept++] = lost;
    }
    doubles.length = kept;
    doubles.push(sum);
  }

  get decimal(): Decimal {
    return sumOf({ units: this.#units, scale: this.#scale }, ...this.#doubles);
  }

  get value(): number {
    // Of two doubles, the second is the rounded sum, and the first what rounding lost.
    if (this.#units === 0n && this.#doubles.length <= 2) return (this.#doubles.at(-1) ?? 0) + 0;
    return numberOf(this.decimal);
  }
}

/** Returns the double nearest to a sum, whatever the order of its terms. */
export function totalOf(terms: Iterable<number>): number {
  const sum = new Sum();
  for (const term of terms) sum.add(term);
  return sum.value;
}

/** An exact sum for each key; 0 without terms. */
export class Sums<Key> {
  readonly #sums = new Map<Key, Sum>();

  keys(): IterableIterator<Key> {
    return this.#sums.keys();
  }

  add(key: Key, term: Decimal | number): void {
    let sum = this.#sums.get(key);
    if (sum === undefined) {
      sum = new Sum();
      this.#sums.set(key, sum);
    }
    sum.add(term);
  }

  /** Returns the exact sum. */
  get(key: Key): Decimal {
    return this.#sums.get(key)?.decimal ?? sumOf();
  }

  /** Returns the double nearest to the sum. */
  total(key: Key): number {
    return this.#sums.get(key)?.value ?? 0;
  }
}
