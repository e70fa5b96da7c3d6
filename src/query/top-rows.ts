import type { Order, RowKeys } from './order.ts';

interface Kept<Item> {
  readonly keys: RowKeys;
  readonly item: Item;
}

/* The list may grow by this factor before carbon sorts it and drops rows. */
const slack = 2;
const minRows = 64;

/** Keeps a maximum number of rows that come first in an order. */
export class TopRows<Item> {
  readonly #compare: Order<never>['compare'];
  readonly #maxCount: number;
  #kept: Kept<Item>[] = [];
  /* The keys of the last row that is kept; a row that comes later in the order is not kept. */
  #last: RowKeys | undefined;

  constructor(order: Pick<Order<never>, 'compare'>, maxCount: number) {
    this.#compare = order.compare;
    this.#maxCount = maxCount;
  }

  add(keys: RowKeys, item: Item): void {
    if (this.#last !== undefined && this.#compare(keys, this.#last) >= 0) return;
    this.#kept.push({ keys, item });
    if (this.#kept.length > Math.max(minRows, this.#maxCount * slack)) this.#cut();
  }

  /** Returns the rows in their order; rows with equal keys keep the order of `add`. */
  result(): readonly Item[] {
    this.#cut();
    return this.#kept.map(({ item }) => item);
  }

  #cut(): void {
    // Sorting is stable, so rows with equal keys keep their order.
    this.#kept.sort((a, b) => this.#compare(a.keys, b.keys));
    if (this.#kept.length < this.#maxCount) return;
    this.#kept.length = this.#maxCount;
    this.#last = this.#kept.at(-1)?.keys;
  }
}
