interface Entry<Item> {
  readonly item: Item;
  readonly due: number;
  readonly sequence: number;
}

/**
 * Orders items by due time, and items with the same due time by insertion (a binary heap).
 */
export class DelayQueue<Item> implements Iterable<Item> {
  readonly #heap: Entry<Item>[] = [];
  #sequence = 0;

  get size(): number {
    return this.#heap.length;
  }

  /** Due time of the first item; Infinity if the queue is empty. */
  get due(): number {
    return this.#heap[0]?.due ?? Number.POSITIVE_INFINITY;
  }

  add(item: Item, due: number): void {
    const entry = { item, due, sequence: this.#sequence++ };
    let index = this.#heap.length;
    while (index > 0) {
      const parentIndex = (index - 1) >> 1;
      const parent = this.#heap[parentIndex] as Entry<Item>;
      if (!isBefore(entry, parent)) break;
      this.#heap[index] = parent;
      index = parentIndex;
    }
    this.#heap[index] = entry;
  }

  /** Removes and returns the first item. */
  take(): Item | undefined {
    const first = this.#heap[0];
    const last = this.#heap.pop();
    if (last !== undefined && last !== first) this.#sink(last);
    return first?.item;
  }

  /** Removes and returns all items, in no particular order. */
  drain(): Item[] {
    return this.#heap.splice(0).map(({ item }) => item);
  }

  /** Yields the items, in no particular order. */
  *[Symbol.iterator](): Iterator<Item> {
    for (const { item } of this.#heap) yield item;
  }

  #sink(entry: Entry<Item>): void {
    let index = 0;
    for (;;) {
      const left = this.#heap[2 * index + 1];
      const right = this.#heap[2 * index + 2];
      const next =
        right !== undefined && left !== undefined && isBefore(right, left) ? right : left;
      if (next === undefined || !isBefore(next, entry)) break;
      this.#heap[index] = next;
      index = 2 * index + (next === left ? 1 : 2);
    }
    this.#heap[index] = entry;
  }
}

function isBefore(a: Entry<unknown>, b: Entry<unknown>): boolean {
  return a.due < b.due || (a.due === b.due && a.sequence < b.sequence);
}
