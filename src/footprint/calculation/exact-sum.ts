/*
 * Adds up doubles exactly, so that the order of the addends changes no digit of the sum. (J. R.
 * Shewchuk, Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates,
 * Discrete & Computational Geometry 18, 1997. `math.fsum` of Python gives the same sums.)
 */

/* Below this magnitude, no step of an addition exceeds the range of doubles. */
const maxMagnitude = 2 ** 1022;

/** Adds up finite numbers; the result is the double nearest to the exact sum. */
export class ExactSum {
  /*
   * The exact sum is `#last` plus all of `#rest`: parts that do not overlap, in ascending order of
   * magnitude. Most sums of a register have one addend, and need no list.
   */
  #last = 0;
  #rest: number[] | undefined;
  /* The exact sum in units of 2^-1074 instead, after an addend near the end of the range. */
  #units: bigint | undefined;

  /** Adds a finite number. */
  add(addend: number): void {
    if (this.#units === undefined && isLarge(addend, this.#last)) this.#units = this.#toUnits();
    if (this.#units === undefined) this.#addPart(addend);
    else this.#units += unitsOf(addend);
  }

  /** Returns the sum, rounded half to even; never -0. */
  value(): number {
    return (this.#units === undefined ? this.#round() : fromUnits(this.#units)) + 0;
  }

  #addPart(addend: number): void {
    let carry = addend;
    const rest = this.#rest;
    if (rest !== undefined) {
      let kept = 0;
      for (let index = 0; index < rest.length; index++) {
        const part = rest[index] as number;
        const sum = carry + part;
        const error = errorOf(sum, carry, part);
        if (error !== 0) rest[kept++] = error;
        carry = sum;
      }
      rest.length = kept;
    }
    const sum = carry + this.#last;
    const error = errorOf(sum, carry, this.#last);
    if (error !== 0) {
      if (rest === undefined) this.#rest = [error];
      else rest.push(error);
    }
    this.#last = sum;
  }

  #round(): number {
    const rest = this.#rest ?? [];
    let sum = this.#last;
    for (let index = rest.length - 1; index >= 0; index--) {
      const part = rest[index] as number;
      const next = sum + part;
      const error = part - (next - sum);
      sum = next;
      if (error === 0) continue;
      // The addition rounded half to even, but smaller parts can lie beyond the half.
      const rounded = sum + 2 * error;
      const isHalf = rounded - sum === 2 * error;
      return isHalf && Math.sign(error) === Math.sign(rest[index - 1] ?? 0) ? rounded : sum;
    }
    return sum;
  }

  #toUnits(): bigint {
    return (this.#rest ?? []).reduce((sum, part) => sum + unitsOf(part), unitsOf(this.#last));
  }
}

function isLarge(a: number, b: number): boolean {
  return Math.abs(a) >= maxMagnitude || Math.abs(b) >= maxMagnitude;
}

/* Returns the rounding error of `sum`, exactly (D. E. Knuth, TAOCP 2, section 4.2.2). */
function errorOf(sum: number, a: number, b: number): number {
  const roundedB = sum - a;
  return a - (sum - roundedB) + (b - roundedB);
}

const double = new Float64Array(1);
const bits = new BigUint64Array(double.buffer);

function unitsOf(value: number): bigint {
  double[0] = Math.abs(value);
  const encoded = bits[0] as bigint;
  const exponent = encoded >> 52n;
  const fraction = encoded & (2n ** 52n - 1n);
  const units = exponent === 0n ? fraction : (fraction + 2n ** 52n) << (exponent - 1n);
  return value < 0 ? -units : units;
}

function fromUnits(units: bigint): number {
  const magnitude = units < 0n ? -units : units;
  // Number() rounds 64 bits correctly if the last one shows that lower bits follow.
  const shift = Math.max(0, magnitude.toString(2).length - 64);
  const top = magnitude >> BigInt(shift);
  const hasLowerBits = top << BigInt(shift) !== magnitude;
  const rounded = Number(hasLowerBits ? top | 1n : top) * 2 ** (shift - 1074);
  return units < 0n ? -rounded : rounded;
}
