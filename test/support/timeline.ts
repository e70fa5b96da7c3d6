interface Entry<Thing> {
  readonly at: number;
  /** Things of the same time leave in the order in which they came. */
  readonly order: number;
  readonly thing: Thing;
}

/** A queue of things ordered by time: a binary heap, because a thousand workers fill it. */
export class Timeline<Thing> {
  readonly #heap: Entry<Thing>[] = [];
  #added = 0;

  /** The time of the first thing; Infinity for an empty queue. */
  get firstAt(): number {
    return this.#heap[0]?.at ?? Infinity;
  }

  /** Adds a thing behind all others of the same time. */
  add(at: number, thing: Thing): void {
    const heap = this.#heap;
    const entry = { at, order: this.#added++, thing };
    let index = heap.length;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = heap[parent] as Entry<Thing>;
      if (!isBefore(entry, above)) break;
      heap[index] = above;
      index = parent;
    }
    heap[index] = entry;
  }

  /** Removes and returns the first thing. */
  take(): Thing | undefined {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first?.thing;
    let index = 0;
    for (;;) {
      const left = heap[2 * index + 1];
      const right = heap[2 * index + 2];
      const isRight = left !== undefined && right !== undefined && isBefore(right, left);
      const below = isRight ? right : left;
      if (below === undefined || !isBefore(below, last)) break;
      heap[index] = below;
      index = 2 * index + (isRight ? 2 : 1);
    }
    heap[index] = last;
    return first.thing;
  }
}

function isBefore(a: Entry<unknown>, b: Entry<unknown>): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}
