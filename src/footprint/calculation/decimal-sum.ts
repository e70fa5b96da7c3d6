/** Adds up decimal numbers in plain notation exactly, such as amounts of money. */
export class DecimalSum {
  /* The sum is `#units` divided by 10^`#places`. */
  #units = 0n;
  #places = 0;

  /** Adds a number such as `-1234.50`. */
  add(decimal: string): void {
    const point = decimal.indexOf('.');
    if (point === -1) {
      this.#add(BigInt(decimal), 0);
      return;
    }
    const digits = decimal.slice(0, point) + decimal.slice(point + 1);
    this.#add(BigInt(digits), decimal.length - point - 1);
  }

  /** Checks whether the sum is below zero. */
  isNegative(): boolean {
    return this.#units < 0n;
  }

  /** Returns the double nearest to the sum. */
  value(): number {
    // The conversion of a decimal text rounds correctly; a division of doubles would round twice.
    return Number(`${this.#units}e-${this.#places}`) + 0;
  }

  #add(units: bigint, places: number): void {
    if (places > this.#places) {
      this.#units *= 10n ** BigInt(places - this.#places);
      this.#places = places;
    }
    this.#units += units * 10n ** BigInt(this.#places - places);
  }
}
