/*
 * Keeps what is known about the rows of each key outside of the JavaScript heap, in about 40 bytes
 * a key. With a Map of objects, a batch of a million rows takes 530 MB instead of 285 MB (Node 20);
 * `npm run bench -- memory` shows the peak.
 */
import type { OrganizationId } from '../api/ids.ts';

export interface RowFailures {
  /** The journal line of a row that the service rejected. */
  readonly refusal?: string | undefined;
  /** Whether this run recorded the refusal. */
  readonly isRefusedNow?: boolean;
  /** The journal line of the first failure on a row that is sent again, or that is invalid. */
  readonly failure?: string | undefined;
}

/** Contains rows by their keys of 32 hexadecimal digits. */
export class KnownRows {
  #size = 0;
  /* An open-addressing hash table of entries plus 1, at most half full. */
  #slots = new Int32Array(1 << 12);
  #keys = new Uint32Array(1 << 13);
  lines = new Uint32Array(1 << 11);
  /* Ids plus 1, 0 without one. */
  numbers = new Float64Array(1 << 11);
  /* Ids that are strings; the specified service has none. */
  readonly texts = new Map<number, string>();
  readonly failures = new Map<number, RowFailures>();
  readonly #bytes = Buffer.alloc(16);
  readonly #words = new Uint32Array(this.#bytes.buffer, this.#bytes.byteOffset, 4);

  /** Returns the row with this key; undefined if there is none. */
  get(key: string): KnownRow | undefined {
    const entry = (this.#slots[this.#slotOf(key)] ?? 0) - 1;
    return entry < 0 ? undefined : new KnownRow(this, entry);
  }

  /** Returns the row with this key; of a new one, nothing is known. */
  add(key: string): KnownRow {
    const slot = this.#slotOf(key);
    const known = (this.#slots[slot] ?? 0) - 1;
    if (known >= 0) return new KnownRow(this, known);
    const entry = this.#size;
    this.#size += 1;
    this.#keys.set(this.#words, entry * 4);
    this.#slots[slot] = this.#size;
    if (this.#size === this.lines.length) this.#grow();
    return new KnownRow(this, entry);
  }

  /* Returns the slot of the key, or the empty slot where it belongs. */
  #slotOf(key: string): number {
    this.#bytes.write(key, 'hex');
    const [a, b = 0, c, d] = this.#words;
    const mask = this.#slots.length - 1;
    for (let slot = b & mask; ; slot = (slot + 1) & mask) {
      const at = ((this.#slots[slot] ?? 0) - 1) * 4;
      const keys = this.#keys;
      if (at < 0) return slot;
      if (keys[at + 1] === b && keys[at] === a && keys[at + 2] === c && keys[at + 3] === d)
        return slot;
    }
  }

  #grow(): void {
    this.#keys = extend(this.#keys, new Uint32Array(this.#keys.length * 2));
    this.lines = extend(this.lines, new Uint32Array(this.lines.length * 2));
    this.numbers = extend(this.numbers, new Float64Array(this.numbers.length * 2));
    this.#slots = new Int32Array(this.#slots.length * 2);
    const mask = this.#slots.length - 1;
    for (let entry = 0; entry < this.#size; entry += 1) {
      let slot = (this.#keys[entry * 4 + 1] ?? 0) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = entry + 1;
    }
  }
}

function extend<Numbers extends Uint32Array | Float64Array>(
  numbers: Numbers,
  larger: Numbers,
): Numbers {
  larger.set(numbers);
  return larger;
}

const noFailures: RowFailures = {};

/** What the journals and this run know about the rows with one key. */
export class KnownRow {
  readonly #rows: KnownRows;
  readonly #entry: number;

  constructor(rows: KnownRows, entry: number) {
    this.#rows = rows;
    this.#entry = entry;
  }

  /** Line of the row that this run sends for all rows with the key, 0 if there is none. */
  get line(): number {
    return this.#rows.lines[this.#entry] ?? 0;
  }

  set line(line: number) {
    this.#rows.lines[this.#entry] = line;
  }

  /** The id of a registered row. A row that gets one has no failures any more. */
  get id(): OrganizationId | undefined {
    const number = this.#rows.numbers[this.#entry] ?? 0;
    return number > 0 ? number - 1 : this.#rows.texts.get(this.#entry);
  }

  set id(id: OrganizationId | undefined) {
    this.#rows.failures.delete(this.#entry);
    this.#rows.texts.delete(this.#entry);
    this.#rows.numbers[this.#entry] = typeof id === 'number' ? id + 1 : 0;
    if (typeof id === 'string') this.#rows.texts.set(this.#entry, id);
  }

  get failures(): RowFailures {
    return this.#rows.failures.get(this.#entry) ?? noFailures;
  }

  fail(failures: Partial<RowFailures>): void {
    this.#rows.failures.set(this.#entry, { ...this.failures, ...failures });
  }
}
