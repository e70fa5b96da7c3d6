/** A queue of things ordered by time; things of the same time leave in the order they came. */
export class Timeline<Thing> {
  readonly #entries: { readonly at: number; readonly thing: Thing }[] = [];

  /** The time of the first thing; Infinity for an empty queue. */
  get firstAt(): number {
    return this.#entries.at(-1)?.at ?? Infinity;
  }

  /** Adds a thing behind all others of the same time. */
  add(at: number, thing: Thing): void {
    let [low, high] = [0, this.#entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#entries[middle]?.at ?? 0) > at) low = middle + 1;
      else high = middle;
    }
    this.#entries.splice(low, 0, { at, thing });
  }

  /** Removes and returns the first thing. */
  take(): Thing | undefined {
    return this.#entries.pop()?.thing;
  }
}
