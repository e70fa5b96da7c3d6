import type { Key } from '../../organizations/key.ts';
import { SpillBuffer, type SpillBufferOptions } from './spill-buffer.ts';

/**
 * Keeps a text for the latest record of each organization.
 *
 * Memory holds only the keys (30 to 50 bytes for each numeric id) and one bit for each record: a
 * million organizations take some tens of megabytes, whatever the length of the texts.
 */
export class LatestRecords {
  readonly #texts: SpillBuffer;
  /* The index of each organization's latest record. */
  readonly #latest = new Map<Key, number>();
  #superseded = new Uint8Array(1 << 10);
  #records = 0;
  #hasSuperseded = false;

  constructor(options: SpillBufferOptions) {
    this.#texts = new SpillBuffer(options);
  }

  /**
   * Adds a record, which replaces an earlier one of its key. A record without a key counts as a
   * separate organization. The caller waits for the promise, if there is one.
   * @throws LocalError when the disk is full
   */
  add(text: string, key: Key | undefined): Promise<void> | undefined {
    const earlier = key === undefined ? undefined : this.#latest.get(key);
    if (earlier !== undefined) this.#supersede(earlier);
    if (key !== undefined) this.#latest.set(key, this.#records);
    this.#records += 1;
    const added = this.#texts.add(text);
    return typeof added === 'number' ? undefined : added.then(() => undefined);
  }

  /** Whether a record has replaced an earlier one. */
  get hasSuperseded(): boolean {
    return this.#hasSuperseded;
  }

  /** Yields the text of each organization, in the order of the latest records. */
  latest(): AsyncIterable<string> {
    return this.#texts.read(
      (index) => (((this.#superseded[index >> 3] ?? 0) >> (index & 7)) & 1) === 0,
    );
  }

  /** Frees the disk space. */
  close(): Promise<void> {
    return this.#texts.close();
  }

  #supersede(index: number): void {
    this.#hasSuperseded = true;
    const byte = index >> 3;
    if (byte >= this.#superseded.length) {
      const larger = new Uint8Array(2 * byte);
      larger.set(this.#superseded);
      this.#superseded = larger;
    }
    this.#superseded[byte] = (this.#superseded[byte] ?? 0) | (1 << (index & 7));
  }
}
