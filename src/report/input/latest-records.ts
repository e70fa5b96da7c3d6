import type { Key } from '../../organizations/key.ts';
import { Spool, type SpoolOptions } from './spill-buffer.ts';

/**
 * What is told of the latest record of each organization, as text. In memory are the keys, some 30
 * to 50 bytes each where they are numbers, and a bit for each record: however much is told, a
 * million organizations are some tens of megabytes.
 */
export class Portfolio {
  readonly #spool: Spool;
  /* The place of each organization's latest record. */
  readonly #latest = new Map<Key, number>();
  #superseded = new Uint8Array(1 << 10);
  #records = 0;

  constructor(options: SpoolOptions) {
    this.#spool = new Spool(options);
  }

  /**
   * Adds a record, which takes the place of an earlier one of its key; without a key it is an
   * organization of its own.
   * @throws LocalError when the disk takes no more
   */
  async add(text: string, key: Key | undefined): Promise<void> {
    const earlier = key === undefined ? undefined : this.#latest.get(key);
    if (earlier !== undefined) this.#supersede(earlier);
    if (key !== undefined) this.#latest.set(key, this.#records);
    this.#records += 1;
    await this.#spool.add(text);
  }

  /** Yields what is told of each organization, in the order of the latest records. */
  latest(): AsyncIterable<string> {
    return this.#spool.read(
      (place) => (((this.#superseded[place >> 3] ?? 0) >> (place & 7)) & 1) === 0,
    );
  }

  /** Lets go of what is on the disk. */
  close(): Promise<void> {
    return this.#spool.close();
  }

  #supersede(place: number): void {
    const at = place >> 3;
    if (at >= this.#superseded.length) {
      const larger = new Uint8Array(2 * at);
      larger.set(this.#superseded);
      this.#superseded = larger;
    }
    this.#superseded[at] = (this.#superseded[at] ?? 0) | (1 << (place & 7));
  }
}
