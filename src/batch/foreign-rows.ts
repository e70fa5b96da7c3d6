/*
 * With this set, a shard does not compute the keys of all other shards' rows again when it sends
 * its own: about a tenth of the processor time of one of eight shards of a million rows
 * (`npm run bench -- --only scale`).
 */

/** A set of row numbers, from 0, that needs one bit for each row of the file. */
export class ForeignRows {
  #bits = new Uint8Array(1 << 9);

  /** Adds the number of a row that belongs to another shard. */
  add(row: number): void {
    const at = row >>> 3;
    if (at >= this.#bits.length) {
      const grown = new Uint8Array(Math.max(at + 1, this.#bits.length * 2));
      grown.set(this.#bits);
      this.#bits = grown;
    }
    this.#bits[at] = (this.#bits[at] ?? 0) | (1 << (row & 7));
  }

  /** Returns whether the row belongs to another shard. */
  has(row: number): boolean {
    return ((this.#bits[row >>> 3] ?? 0) & (1 << (row & 7))) !== 0;
  }
}
