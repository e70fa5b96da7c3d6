interface Entry<Item> {
  readonly item: Item;
  readonly due: number;
  readonly sequence: number;
}

/**
 * Items by the time when they are due, those of the same time in the order in which they came (a
 * binary heap).
 */
export class DelayQueue<Item> implements Iterable<Item> {
  readonly #heap: Entry<Item>[] = [];
  #sequence = 0;

  get size(): number {
    return this.#heap.length;
  }

  /** The time of the first item, Infinity when there is none. */
  get due(): number {
    return this.#heap[0]?.due ?? Number.POSITIVE_INFINITY;
  }

  add(item: Item, due: number): void {
    const entry = { item, due, sequence: this.#sequence++ };
    let at = this.#heap.length;
    while (at > 0) {
      const parent = this.#heap[(at - 1) >> 1] as Entry<Item>;
      if (!isBefore(entry, parent)) break;
      this.#heap[at] = parent;
      at = (at - 1) >> 1;
    }
    this.#heap[at] = entry;
  }

  /** Takes the first item out. */
  take(): Item | undefined {
    const first = this.#heap[0];
    const last = this.#heap.pop();
    if (last !== undefined && last !== first) this.#sink(last);
    return first?.item;
  }

  /** Takes every item out, in no order that means anything. */
  drain(): Item[] {
    return this.#heap.splice(0).map(({ item }) => item);
  }

  /** The items, in no order that means anything. */
  *[Symbol.iterator](): Iterator<Item> {
    for (const { item } of this.#heap) yield item;
  }

  #sink(entry: Entry<Item>): void {
    let at = 0;
    for (;;) {
      const left = this.#heap[2 * at + 1];
      const right = this.#heap[2 * at + 2];
      const next =
        right !== undefined && left !== undefined && isBefore(right, left) ? right : left;
      if (next === undefined || !isBefore(next, entry)) break;
      this.#heap[at] = next;
      at = 2 * at + (next === left ? 1 : 2);
    }
    this.#heap[at] = entry;
  }
}

function isBefore(one: Entry<unknown>, other: Entry<unknown>): boolean {
  return one.due < other.due || (one.due === other.due && one.sequence < other.sequence);
}
