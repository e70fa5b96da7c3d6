/** An item that `OpenItems` can remove. */
export interface OpenItem {
  /** Where the item stands; only `OpenItems` uses it. */
  position: number;
}

/**
 * Holds the items that are open now, in no order.
 *
 * A Set or Map would replace its table after every few items. V8 links each old table to its
 * successor, so that one table among the old objects keeps all later ones and their items until a
 * full garbage collection; in a batch, that was two thirds of what moved to the old objects.
 */
export class OpenItems<Item extends OpenItem> {
  readonly #items: Item[] = [];

  /** The open items; changes with them. */
  get all(): readonly Item[] {
    return this.#items;
  }

  add(item: Item): void {
    item.position = this.#items.length;
    this.#items.push(item);
  }

  /** Removes an item; does nothing if it is not open. */
  remove(item: Item): void {
    if (this.#items[item.position] !== item) return;
    const last = this.#items.pop();
    if (last === undefined || last === item) return;
    last.position = item.position;
    this.#items[item.position] = last;
  }
}
