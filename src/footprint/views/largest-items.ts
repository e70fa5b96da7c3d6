/*
 * The list may exceed its maximum by this factor before it drops the smallest items, so that
 * sorting stays rare.
 */
const slack = 1.5;

/** Keeps a maximum number of the largest items; equal ones stay in their order. */
export class LargestItems<Item> {
  readonly #maxCount: number;
  readonly #size: (item: Item) => number;
  #items: Item[] = [];
  #seen = 0;

  constructor(maxCount: number, size: (item: Item) => number) {
    this.#maxCount = maxCount;
    this.#size = size;
  }

  add(item: Item): void {
    this.#seen += 1;
    this.#items.push(item);
    if (this.#items.length > this.#maxCount * slack) this.#cut();
  }

  /** The number of added items that the result leaves out. */
  get omitted(): number {
    return Math.max(0, this.#seen - this.#maxCount);
  }

  /** Returns the largest items, the largest first. */
  result(): readonly Item[] {
    this.#cut();
    return this.#items;
  }

  #cut(): void {
    const size = this.#size;
    // Equal sizes may be infinite, whose difference is not a number.
    this.#items.sort((a, b) => (size(a) === size(b) ? 0 : size(b) - size(a)));
    this.#items.length = Math.min(this.#items.length, this.#maxCount);
  }
}
