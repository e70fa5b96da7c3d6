/*
 * Keeps what is known about the rows of each key outside of the JavaScript heap, in about 40 bytes
 * a key. V8 lets garbage grow with what the heap holds: on a busy machine, a batch of a million
 * rows takes 333 MB, and with a Map of the keys 381 to 670 MB (Node 20; `npm run bench -- memory`).
 */
import type { OrganizationId } from '../../client/api/ids.ts';
import type { CarbonError } from '../../runtime/carbon-error.ts';

/** What the journals and this run know about the rows with one key. */
export interface KnownRow {
  readonly index: number;
  /** Line of the row that this run sends for all rows with the key, 0 if there is none. */
  readonly line: number;
  /** The id of a registered row. */
  readonly id: OrganizationId | undefined;
  /** Empty for a registered row. */
  readonly failures: RowFailures;
}

interface RowFailures {
  /** The journal line of a row that the service rejected. */
  readonly refusal?: string | undefined;
  /** Whether this run recorded the refusal. */
  readonly isRefusedNow?: boolean;
  /** The journal line of the first failure on a row that is sent again, or that is invalid. */
  readonly failure?: string | undefined;
  /** Why this run did not register the row, although it sent it. */
  readonly error?: CarbonError | undefined;
  /** Position in the journal of the last attempt at a row since which none was accepted. */
  readonly triedAt?: number | undefined;
}

const noFailures: RowFailures = {};
const keyBytes = 16;

/* What is known about the listing of a row, as bits. */
/* A run that finished found the row in the list. */
const listed = 1;
/* The row was registered for the list, and no run has finished since. */
const added = 2;
/* This run found the row in the list. */
const found = 4;

/** Contains rows by their keys of 32 hexadecimal digits; each key has an index. */
export class KnownRows {
  #size = 0;
  /* An open-addressing hash table of indexes plus 1, at most half full. */
  #slots = new Uint32Array(1 << 12);
  #keys = new Uint32Array(1 << 13);
  lines = new Uint32Array(1 << 11);
  /* Rows of the list that this run sends as one, by index. */
  #rows = new Uint32Array(1 << 11);
  /* Ids plus 1, 0 without one. */
  #numbers = new Float64Array(1 << 11);
  /* Ids that are strings; the specified service has none. */
  readonly #texts = new Map<number, string>();
  readonly failures = new Map<number, RowFailures>();
  #listings = new Uint8Array(1 << 11);
  /* All rows that were added have this index or a greater one. */
  #firstAdded = Number.POSITIVE_INFINITY;
  /** The number of keys that this run found in the list. */
  found = 0;
  /** Whether a row may have an id. */
  hasIds = false;
  readonly #bytes = Buffer.alloc(keyBytes);
  readonly #words = new Uint32Array(this.#bytes.buffer, this.#bytes.byteOffset, 4);

  /** Returns what is known about the rows with a key; undefined if nothing is. */
  get(key: string): KnownRow | undefined {
    if (this.#bytes.write(key, 'hex') < keyBytes) return undefined;
    const index = (this.#slots[this.#slotOf(this.#words)] ?? 0) - 1;
    if (index < 0) return undefined;
    const failures = this.failures.get(index) ?? noFailures;
    return { index, line: this.lines[index] ?? 0, id: this.idAt(index), failures };
  }

  /** Returns the same; of a new key, nothing is known. */
  add(key: string): KnownRow {
    const known = this.get(key);
    if (known !== undefined) return known;
    const index = this.#size;
    this.#size += 1;
    this.#keys.set(this.#words, index * 4);
    this.#slots[this.#slotOf(this.#words)] = this.#size;
    if (this.#size === this.lines.length) this.#grow();
    return { index, line: 0, id: undefined, failures: noFailures };
  }

  /** Forgets what an earlier reading of the list found in it. */
  startReading(): void {
    this.lines.fill(0);
    this.#rows.fill(0);
    this.found = 0;
    for (let index = 0; index < this.#size; index += 1)
      this.#listings[index] = (this.#listings[index] ?? 0) & ~found;
  }

  /** Counts a row of the list that this run sends, itself or as an equal one. */
  countRow(index: number): void {
    this.#rows[index] = this.rowsOf(index) + 1;
  }

  /** Returns the number of rows that this run sends as one. */
  rowsOf(index: number): number {
    return this.#rows[index] ?? 0;
  }

  /** Sets or removes the id of a row, which then has no failures any more. */
  setId(index: number, id: OrganizationId | undefined): void {
    this.failures.delete(index);
    this.#texts.delete(index);
    this.hasIds ||= id !== undefined;
    this.#numbers[index] = typeof id === 'number' ? id + 1 : 0;
    if (typeof id === 'string') this.#texts.set(index, id);
  }

  /** Notes an attempt at a row since which none was accepted. */
  noteTried({ index }: Pick<KnownRow, 'index'>, triedAt: number): void {
    const { failure, error } = this.failures.get(index) ?? noFailures;
    this.failures.set(index, { failure, error, triedAt });
  }

  /** The number of keys. */
  get size(): number {
    return this.#size;
  }

  idAt(index: number): OrganizationId | undefined {
    const number = this.#numbers[index] ?? 0;
    return number > 0 ? number - 1 : this.#texts.get(index);
  }

  /** Checks whether a condition applies to the index of a registered row. */
  some(condition: (index: number) => boolean): boolean {
    if (!this.hasIds) return false;
    for (let index = 0; index < this.#size; index += 1)
      if (condition(index) && this.idAt(index) !== undefined) return true;
    return false;
  }

  keyAt(index: number): string {
    this.#words.set(this.#keys.subarray(index * 4, index * 4 + 4));
    return this.#bytes.toString('hex');
  }

  /** Notes that a row was registered for the list. */
  noteAdded(index: number): void {
    if (((this.#listings[index] ?? 0) & (listed | added)) > 0) return;
    this.#listings[index] = (this.#listings[index] ?? 0) | added;
    this.#firstAdded = Math.min(this.#firstAdded, index);
  }

  /** Notes that a run found the row in the list, or that it found it no longer. */
  noteListed(index: number, isListed: boolean): void {
    const others = (this.#listings[index] ?? 0) & found;
    this.#listings[index] = isListed ? others | listed : others;
  }

  /** Notes that a run finished: from now on, the list had the rows that were added. */
  noteFinished(): void {
    const first = this.#firstAdded;
    this.#firstAdded = Number.POSITIVE_INFINITY;
    for (let index = first; index < this.#size; index += 1) {
      if (!this.wasAdded(index)) continue;
      // A row without an ID is registered later.
      if (this.idAt(index) === undefined) this.#firstAdded = Math.min(this.#firstAdded, index);
      else this.noteListed(index, true);
    }
  }

  /** Notes that this run found a row in the list. */
  noteFound(index: number): void {
    if (!this.isFound(index)) this.found += 1;
    this.#listings[index] = (this.#listings[index] ?? 0) | found;
  }

  wasListed(index: number): boolean {
    return ((this.#listings[index] ?? 0) & listed) > 0;
  }

  wasAdded(index: number): boolean {
    return ((this.#listings[index] ?? 0) & added) > 0;
  }

  isFound(index: number): boolean {
    return ((this.#listings[index] ?? 0) & found) > 0;
  }

  /* Returns the slot of the key, or the empty slot where it belongs. */
  #slotOf([a, b = 0, c, d]: Uint32Array): number {
    const keys = this.#keys;
    const mask = this.#slots.length - 1;
    for (let slot = b & mask; ; slot = (slot + 1) & mask) {
      const at = ((this.#slots[slot] ?? 0) - 1) * 4;
      const isEmpty = at < 0;
      if (
        isEmpty ||
        (keys[at + 1] === b && keys[at] === a && keys[at + 2] === c && keys[at + 3] === d)
      )
        return slot;
    }
  }

  #grow(): void {
    this.#keys = extend(this.#keys, new Uint32Array(this.#keys.length * 2));
    this.lines = extend(this.lines, new Uint32Array(this.lines.length * 2));
    this.#listings = extend(this.#listings, new Uint8Array(this.#listings.length * 2));
    this.#rows = extend(this.#rows, new Uint32Array(this.#rows.length * 2));
    this.#numbers = extend(this.#numbers, new Float64Array(this.#numbers.length * 2));
    this.#slots = new Uint32Array(this.#slots.length * 2);
    for (let index = 0; index < this.#size; index += 1)
      this.#slots[this.#slotOf(this.#keys.subarray(index * 4, index * 4 + 4))] = index + 1;
  }
}

function extend<Numbers extends Uint8Array | Uint32Array | Float64Array>(
  numbers: Numbers,
  larger: Numbers,
): Numbers {
  larger.set(numbers);
  return larger;
}
