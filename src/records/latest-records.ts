import type { OrganizationId } from '../api/ids.ts';
import { SpillBuffer, type SpillBufferOptions } from './spill-buffer.ts';

/** Options of `LatestRecords`. */
export interface LatestRecordsOptions extends SpillBufferOptions {
  /** Whether to keep the position of each text for `at`, in 8 bytes; false by default. */
  readonly withPositions?: boolean;
}

/**
 * Keeps a text for the latest record of each organization.
 *
 * Memory holds only the keys (30 to 50 bytes for each numeric id) and one bit for each record: a
 * million organizations take some tens of megabytes, whatever the length of the texts.
 */
export class LatestRecords {
  readonly #texts: SpillBuffer;
  readonly #positions: number[] | undefined;
  /* The index of each organization's latest record. */
  readonly #latest = new Map<OrganizationId, number>();
  #superseded = new Uint8Array(1 << 10);
  #records = 0;
  #hasSuperseded = false;

  constructor(options: LatestRecordsOptions) {
    this.#texts = new SpillBuffer(options);
    this.#positions = options.withPositions ? [] : undefined;
  }

  /**
   * Adds a record, which replaces an earlier one of its key. A record without a key counts as a
   * separate organization. The caller waits for the promise, if there is one.
   * @throws LocalError when the disk is full
   */
  add(text: string, key: OrganizationId | undefined): Promise<void> | undefined {
    const earlier = key === undefined ? undefined : this.#latest.get(key);
    if (earlier !== undefined) this.#supersede(earlier);
    if (key !== undefined) this.#latest.set(key, this.#records);
    this.#records += 1;
    const added = this.#texts.add(text);
    if (typeof added !== 'number') return added.then((position) => this.#place(position));
    this.#place(added);
    return undefined;
  }

  /** Whether a record has replaced an earlier one. */
  get hasSuperseded(): boolean {
    return this.#hasSuperseded;
  }

  /** Number of records that were added. */
  get size(): number {
    return this.#records;
  }

  /** Checks whether no later record replaced the one with this index, counted from 0. */
  isLatest(index: number): boolean {
    return (((this.#superseded[index >> 3] ?? 0) >> (index & 7)) & 1) === 0;
  }

  /** Returns the text of the record with this index; needs the option `withPositions`. */
  at(index: number): string {
    return this.#texts.at(this.#positions?.[index] ?? Number.NaN);
  }

  /** Yields the text of each organization, in the order of the latest records. */
  latest(): AsyncIterable<string> {
    return this.#texts.read((index) => this.isLatest(index));
  }

  /** Frees the disk space. */
  close(): Promise<void> {
    return this.#texts.close();
  }

  #place(position: number): void {
    this.#positions?.push(position);
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
