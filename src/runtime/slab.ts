/**
 * A few things that come and go a million times. What passes through a Map or Set lives until the
 * next full garbage collection: their outgrown tables keep the ones after them, and with them
 * everything that was ever in there.
 */
export class Slab<Item> {
  readonly #items: (Item | undefined)[] = [];
  readonly #free: number[] = [];

  /** How many things are there. */
  get size(): number {
    return this.#items.length - this.#free.length;
  }

  /** @returns its place, for `remove`; the place is another's after that */
  add(item: Item): number {
    const place = this.#free.pop() ?? this.#items.length;
    this.#items[place] = item;
    return place;
  }

  remove(place: number): void {
    this.#items[place] = undefined;
    this.#free.push(place);
  }

  /** What is there now, in no order. */
  all(): Item[] {
    return this.#items.filter((item) => item !== undefined);
  }
}
