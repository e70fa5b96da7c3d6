/** Where the journal says why a row was refused. */
export interface RefusalLine {
  readonly entry: number;
  /** Place in bytes. */
  readonly offset: number;
}

const usualBytes = 256 * 1024;

/**
 * Journal lines that wait to be written, as bytes: as texts they would live long enough to burden
 * the garbage collector.
 */
export class LineBuffer {
  #room = Buffer.allocUnsafeSlow(usualBytes);
  #length = 0;
  #refusals: RefusalLine[] = [];

  /** The lines one after another, until the next `clear`. */
  get bytes(): Buffer {
    return this.#room.subarray(0, this.#length);
  }

  /** Which of the lines are refusals, with their places among these bytes. */
  get refusals(): readonly RefusalLine[] {
    return this.#refusals;
  }

  /** @param refused the entry of a row that the line says is refused */
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

  /** Begins anew. */
  clear(): void {
    if (this.#room.length > 4 * usualBytes) this.#room = Buffer.allocUnsafeSlow(usualBytes);
    this.#length = 0;
    this.#refusals = [];
  }
}
