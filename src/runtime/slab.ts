/**
 * Stores a few items that are added and removed millions of times (a free list).
 *
 * Keeps the memory of a batch flat (bench/memory.ts). The outgrown tables of a Map or Set would
 * keep every item that was ever in it until the next full garbage collection.
 */
export class Slab<Item> {
  readonly #items: (Item | undefined)[] = [];
  readonly #free: number[] = [];

  /** Number of items. */
  get size(): number {
    return this.#items.length - this.#free.length;
  }

  /** Adds an item and returns its index, valid until the item is removed. */
  add(item: Item): number {
    const index = this.#free.pop() ?? this.#items.length;
    this.#items[index] = item;
    return index;
  }

  /** Removes the item with this index. */
  remove(index: number): void {
    this.#items[index] = undefined;
    this.#free.push(index);
  }

  /** Returns the items, in no particular order. */
  all(): Item[] {
    return this.#items.filter((item) => item !== undefined);
  }
}
