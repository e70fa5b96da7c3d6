/** Locates the journal line with the error of a refused row. */
export interface RefusalLine {
  readonly entry: number;
  /** Offset of the line in bytes. */
  readonly offset: number;
}

const usualBytes = 256 * 1024;

/**
 * Collects journal lines as bytes until they are written.
 *
 * Strings would live long enough to reach the old generation of the heap; the batch benchmark of
 * `npm run bench` shows the cost in memory.
 */
export class LineBuffer {
  #room = Buffer.allocUnsafeSlow(usualBytes);
  #length = 0;
  #refusals: RefusalLine[] = [];

  /** The collected lines, valid until the next `clear`. */
  get bytes(): Buffer {
    return this.#room.subarray(0, this.#length);
  }

  /** The lines of refused rows, with their offsets in `bytes`. */
  get refusals(): readonly RefusalLine[] {
    return this.#refusals;
  }

  /**
   * Adds a line.
   *
   * @param refused the entry of the row, for the line of a refused row
   */
  add(line: string, refused?: number): void {
    if (refused !== undefined) this.#refusals.push({ entry: refused, offset: this.#length });
    const atMost = this.#length + 3 * line.length;
    if (atMost > this.#room.length) {
      const room = Buffer.allocUnsafeSlow(2 * atMost);
      this.#room.copy(room, 0, 0, this.#length);
      this.#room = room;
    }
    this.#length += this.#room.write(line, this.#length);
  }

  /** Removes all lines. */
  clear(): void {
    if (this.#room.length > 4 * usualBytes) this.#room = Buffer.allocUnsafeSlow(usualBytes);
    this.#length = 0;
    this.#refusals = [];
  }
}
