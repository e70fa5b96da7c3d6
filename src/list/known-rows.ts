/*
 * Keeps what is known about the rows of each key outside of the JavaScript heap, in about 40 bytes
 * a key. V8 lets garbage grow with what the heap holds: on a busy machine, a batch of a million
 * rows takes 333 MB, and with a Map of the keys 381 to 670 MB (Node 20; `npm run bench -- memory`).
 */
import type { OrganizationId } from '../api/ids.ts';

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
  /** Position in the journal of the last attempt at a row since which none was accepted. */
  readonly triedAt?: number | undefined;
}

const noFailures: RowFailures = {};
const keyBytes = 16;

/** Contains rows by their keys of 32 hexadecimal digits; each key has an index. */
export class KnownRows {
  #size = 0;
  /* An open-addressing hash table of indexes plus 1, at most half full. */
  #slots = new Uint32Array(1 << 12);
  #keys = new Uint32Array(1 << 13);
  lines = new Uint32Array(1 << 11);
  /* Ids plus 1, 0 without one. */
  #numbers = new Float64Array(1 << 11);
  /* Ids that are strings; the specified service has none. */
  readonly #texts = new Map<number, string>();
  readonly failures = new Map<number, RowFailures>();
  readonly #bytes = Buffer.alloc(keyBytes);
  readonly #words = new Uint32Array(this.#bytes.buffer, this.#bytes.byteOffset, 4);

  /** Returns what is known about the rows with a key; undefined if nothing is. */
  get(key: string): KnownRow | undefined {
    if (this.#bytes.write(key, 'hex') < keyBytes) return undefined;
    const index = (this.#slots[this.#slotOf(this.#words)] ?? 0) - 1;
    if (index < 0) return undefined;
    const number = this.#numbers[index] ?? 0;
    const id = number > 0 ? number - 1 : this.#texts.get(index);
    const failures = this.failures.get(index) ?? noFailures;
    return { index, line: this.lines[index] ?? 0, id, failures };
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

  /** Sets or removes the id of a row, which then has no failures any more. */
  setId(index: number, id: OrganizationId | undefined): void {
    this.failures.delete(index);
    this.#texts.delete(index);
    this.#numbers[index] = typeof id === 'number' ? id + 1 : 0;
    if (typeof id === 'string') this.#texts.set(index, id);
  }

  /** Notes an attempt at a row since which none was accepted. */
  noteTried({ index }: Pick<KnownRow, 'index'>, triedAt: number): void {
    this.failures.set(index, { failure: this.failures.get(index)?.failure, triedAt });
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
    this.#numbers = extend(this.#numbers, new Float64Array(this.#numbers.length * 2));
    this.#slots = new Uint32Array(this.#slots.length * 2);
    for (let index = 0; index < this.#size; index += 1)
      this.#slots[this.#slotOf(this.#keys.subarray(index * 4, index * 4 + 4))] = index + 1;
  }
}

function extend<Numbers extends Uint32Array | Float64Array>(
  numbers: Numbers,
  larger: Numbers,
): Numbers {
  larger.set(numbers);
  return larger;
}
