/** An event of a simulation. */
interface Event {
  /** Virtual time in milliseconds. */
  readonly at: number;
  run(): void;
}

/** Orders the events of a simulation by their time, in a binary heap. */
export class VirtualEvents {
  readonly #heap: Event[] = [];

  /** Adds an event. */
  add(at: number, run: () => void): void {
    const heap = this.#heap;
    let index = heap.push({ at, run }) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if ((heap[parent] as Event).at <= at) break;
      [heap[index], heap[parent]] = [heap[parent] as Event, heap[index] as Event];
      index = parent;
    }
  }

  /** Removes and returns the first event; undefined without any. */
  take(): Event | undefined {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    heap[0] = last;
    for (let index = 0; ; ) {
      const left = 2 * index + 1;
      const right = left + 1;
      let least = index;
      if (left < heap.length && (heap[left] as Event).at < (heap[least] as Event).at) least = left;
      if (right < heap.length && (heap[right] as Event).at < (heap[least] as Event).at)
        least = right;
      if (least === index) return first;
      [heap[index], heap[least]] = [heap[least] as Event, heap[index] as Event];
      index = least;
    }
  }
}
