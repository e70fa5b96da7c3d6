import { setImmediate } from 'node:timers/promises';
import { SpillBuffer, type SpillBufferOptions } from './spill-buffer.ts';

interface Placed<Key> {
  readonly key: Key;
  readonly position: number;
}

const maxTextsPerTurn = 256;

/** Sorts texts by keys. Memory holds only the keys and positions, as `LatestRecords` does. */
export class SortedTexts<Key> {
  readonly #texts: SpillBuffer;
  readonly #compare: (a: Key, b: Key) => number;
  readonly #signal: AbortSignal;
  readonly #placed: Placed<Key>[] = [];

  constructor(compare: (a: Key, b: Key) => number, options: SpillBufferOptions) {
    this.#compare = compare;
    this.#signal = options.signal;
    this.#texts = new SpillBuffer(options);
  }

  /** @throws LocalError when the disk of the temporary file is full */
  add(key: Key, text: string): Promise<void> | undefined {
    const added = this.#texts.add(text);
    if (typeof added !== 'number') return added.then((position) => this.#place(key, position));
    this.#place(key, added);
    return undefined;
  }

  /**
   * Yields the texts in their order; texts with equal keys keep the order of `add`.
   * @throws the reason of the signal after an abort
   */
  async *sorted(): AsyncGenerator<string> {
    this.#placed.sort((a, b) => this.#compare(a.key, b.key));
    for (const [index, { position }] of this.#placed.entries()) {
      // Yields to the event loop, so that it can handle a signal.
      if (index % maxTextsPerTurn === 0) await setImmediate();
      this.#signal.throwIfAborted();
      yield this.#texts.at(position);
    }
  }

  #place(key: Key, position: number): void {
    this.#placed.push({ key, position });
  }

  /** Frees the disk space. */
  close(): Promise<void> {
    return this.#texts.close();
  }
}
