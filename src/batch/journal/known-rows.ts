/*
 * Keeps what is known about the rows of each key outside of the JavaScript heap, in about 40 bytes
 * a key. With a Map of objects, a batch of a million rows takes 500 MB; the memory benchmark of
 * `npm run bench` shows the difference.
 */
import type { OrganizationId } from '../../api/ids.ts';

const isDone = 1;
const isSettledNow = 2;
const hasFailed = 4;
const failedRunsShift = 3;
const failedRunsMask = 3;

/** What the journals and this run know about the rows with one key. */
export interface KnownRow {
  /** Line of the row that is sent for all rows with the key, 0 if there is none. */
  line: number;
  /** The id of a registered row. */
  id: OrganizationId | undefined;
  /** The journal line of a row that was refused or failed in too many runs. */
  refusal: string | undefined;
  /** Whether this run registered the row or recorded its refusal. */
  isSettledNow: boolean;
  /** Number of runs that registered other rows and failed on this one, up to 3. */
  failedRuns: number;
  /** Whether any run failed on the row, counted or not. */
  hasFailed: boolean;
}

/** Contains rows by their keys of 32 hexadecimal digits. */
export class KnownRows {
  #size = 0;
  /* An open-addressing hash table of entries plus 1, at most half full. */
  #slots = new Int32Array(1 << 12);
  #keys = new Uint32Array(1 << 13);
  lines = new Uint32Array(1 << 11);
  numbers = new Float64Array(1 << 11);
  states = new Uint8Array(1 << 11);
  readonly refusals = new Map<number, string>();
  /* Ids that are strings; the specified service has none. */
  readonly texts = new Map<number, OrganizationId>();
  readonly #bytes = Buffer.alloc(16);
  readonly #words = new Uint32Array(this.#bytes.buffer, this.#bytes.byteOffset, 4);

  /** Returns the row with this key; undefined if there is none. */
  get(key: string): KnownRow | undefined {
    const entry = (this.#slots[this.#slotOf(key)] ?? 0) - 1;
    return entry < 0 ? undefined : new StoredRow(this, entry);
  }

  /** Returns the row with this key; of a new one, nothing is known. */
  add(key: string): KnownRow {
    const slot = this.#slotOf(key);
    const known = (this.#slots[slot] ?? 0) - 1;
    if (known >= 0) return new StoredRow(this, known);
    const entry = this.#size;
    this.#size += 1;
    this.#keys.set(this.#words, entry * 4);
    this.#slots[slot] = this.#size;
    if (this.#size === this.lines.length) this.#grow();
    return new StoredRow(this, entry);
  }

  /* Returns the slot of the key, or the empty slot where it belongs. */
  #slotOf(key: string): number {
    this.#bytes.write(key, 'hex');
    const [a, b = 0, c, d] = this.#words;
    const mask = this.#slots.length - 1;
    // The first word determines the shard, so it varies little within one.
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
    this.states = extend(this.states, new Uint8Array(this.states.length * 2));
    this.#slots = new Int32Array(this.#slots.length * 2);
    const mask = this.#slots.length - 1;
    for (let entry = 0; entry < this.#size; entry += 1) {
      let slot = (this.#keys[entry * 4 + 1] ?? 0) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = entry + 1;
    }
  }
}

function extend<Numbers extends Uint32Array | Float64Array | Uint8Array>(
  numbers: Numbers,
  larger: Numbers,
): Numbers {
  larger.set(numbers);
  return larger;
}

/* Two objects of one key share what is stored. */
class StoredRow implements KnownRow {
  readonly #rows: KnownRows;
  readonly #entry: number;

  constructor(rows: KnownRows, entry: number) {
    this.#rows = rows;
    this.#entry = entry;
  }

  get #state(): number {
    return this.#rows.states[this.#entry] ?? 0;
  }

  #set(bit: number, value: boolean): void {
    this.#rows.states[this.#entry] = value ? this.#state | bit : this.#state & ~bit;
  }

  get line(): number {
    return this.#rows.lines[this.#entry] ?? 0;
  }

  set line(line: number) {
    this.#rows.lines[this.#entry] = line;
  }

  get id(): OrganizationId | undefined {
    if ((this.#state & isDone) === 0) return undefined;
    return this.#rows.texts.get(this.#entry) ?? this.#rows.numbers[this.#entry];
  }

  set id(id: OrganizationId | undefined) {
    this.#set(isDone, id !== undefined);
    this.#rows.texts.delete(this.#entry);
    if (typeof id === 'number') this.#rows.numbers[this.#entry] = id;
    else if (id !== undefined) this.#rows.texts.set(this.#entry, id);
  }

  get refusal(): string | undefined {
    return this.#rows.refusals.get(this.#entry);
  }

  set refusal(line: string | undefined) {
    if (line === undefined) this.#rows.refusals.delete(this.#entry);
    else this.#rows.refusals.set(this.#entry, line);
  }

  get isSettledNow(): boolean {
    return (this.#state & isSettledNow) !== 0;
  }

  set isSettledNow(value: boolean) {
    this.#set(isSettledNow, value);
  }

  get hasFailed(): boolean {
    return (this.#state & hasFailed) !== 0;
  }

  set hasFailed(value: boolean) {
    this.#set(hasFailed, value);
  }

  get failedRuns(): number {
    return (this.#state >> failedRunsShift) & failedRunsMask;
  }

  set failedRuns(runs: number) {
    this.#set(failedRunsMask << failedRunsShift, false);
    this.#set(Math.min(runs, failedRunsMask) << failedRunsShift, true);
  }
}
