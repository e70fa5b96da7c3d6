/* The one way to add up figures: a plain sum of doubles depends on the order of its terms. */

/** The exact sum of doubles (Shewchuk 1997), which are below 1e300. */
export class ExactSum {
  /* The sum is these two and `#parts`, which seldom has any and is slower. */
  #high = 0;
  #low = 0;
  /* Doubles with the same exact sum, the smallest first. */
  readonly #parts: number[] = [];

  add(term: number): void {
    const high = this.#high + term;
    const added = high - this.#high;
    const lost = this.#high - (high - added) + (term - added);
    const low = this.#low + lost;
    const kept = low - this.#low;
    const rest = this.#low - (low - kept) + (lost - kept);
    this.#high = high;
    this.#low = low;
    if (rest !== 0) addTo(this.#parts, rest);
  }

  /** The double nearest to the sum; never -0, not finite beyond the range of doubles. */
  get value(): number {
    const parts = [...this.#parts];
    addTo(parts, this.#low);
    addTo(parts, this.#high);
    let at = parts.length - 1;
    let high = parts[at] ?? 0;
    let low = 0;
    while (at > 0 && low === 0) {
      at -= 1;
      const part = parts[at] ?? 0;
      const sum = high + part;
      low = part - (sum - high);
      high = sum;
    }
    // Halfway between two doubles, the next part decides.
    const next = parts[at - 1] ?? 0;
    const other = high + 2 * low;
    const isHalfway = low !== 0 && Math.sign(low) === Math.sign(next);
    return (isHalfway && other - high === 2 * low ? other : high) + 0;
  }

  /**
   * The sum of the figures as they are written: ten times 0.1 is 1, and 0.1 + 0.2 is 0.3. It has
   * the 15 digits that every double keeps; a whole number has all of them.
   */
  get written(): number {
    const { value } = this;
    return Number.isInteger(value) ? value : Number(value.toPrecision(15));
  }
}

/** Returns the double nearest to the exact sum of doubles, which are below 1e300; never -0. */
export function totalOf(terms: Iterable<number>): number {
  const sum = new ExactSum();
  for (const term of terms) sum.add(term);
  return sum.value;
}

/* Adds a term to parts without losing a digit. */
function addTo(parts: number[], term: number): void {
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
