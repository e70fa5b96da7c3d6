interface Entry<Item> {
  readonly item: Item;
  readonly due: number;
}

/** Orders items by due time, and items with the same due time by insertion. */
export class DelayQueue<Item> implements Iterable<Item> {
  /* In this order. An insertion moves the later entries, which is fast even for 100,000 of them. */
  readonly #entries: Entry<Item>[] = [];

  get size(): number {
    return this.#entries.length;
  }

  /** Due time of the first item; Infinity if the queue is empty. */
  get due(): number {
    return this.#entries[0]?.due ?? Number.POSITIVE_INFINITY;
  }

  add(item: Item, due: number): void {
    let index = 0;
    for (let end = this.#entries.length; index < end; ) {
      const middle = (index + end) >> 1;
      if ((this.#entries[middle]?.due ?? 0) <= due) index = middle + 1;
      else end = middle;
    }
    this.#entries.splice(index, 0, { item, due });
  }

  take(): Item | undefined {
    return this.#entries.shift()?.item;
  }

  drain(): Item[] {
    return this.#entries.splice(0).map(({ item }) => item);
  }

  *[Symbol.iterator](): Iterator<Item> {
    for (const { item } of this.#entries) yield item;
  }
}
