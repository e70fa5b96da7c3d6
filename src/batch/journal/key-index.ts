/*
 * Stores the state of every key in about 40 bytes outside of the JavaScript heap. Blocks that are
 * never copied hold 16 bytes of key, 8 of id, 4 of line and 1 of state. An open-addressing hash
 * table, at most half full, has 4 bytes per slot. A Map of strings takes about 200 bytes per key;
 * the memory benchmark of `npm run bench` shows the difference.
 */
import type { OrganizationId } from '../../api/ids.ts';

const blockBits = 15;
const blockSize = 1 << blockBits;
const blockMask = blockSize - 1;

/* The value of each byte as a hexadecimal digit, -1 for any other byte. */
const hexDigits = Int8Array.from({ length: 256 }, (_, code) =>
  '0123456789abcdef'.indexOf(String.fromCharCode(code)),
);

interface KeyBlock {
  readonly words: Uint32Array;
  readonly ids: Float64Array;
  readonly lines: Uint32Array;
  readonly states: Uint8Array;
}

/** The state of a key, as bits because a refused row may be done later. */
export const State = {
  /** Registered by an earlier run or this one; the entry has the id. */
  done: 1,
  /** Refused by the service or failed in too many runs; the entry has the place of its line. */
  refused: 2,
  /** Done or refused in this run. */
  settledNow: 4,
  /** Failed in a run that did not count the attempt. */
  failed: 64,
} as const;

/* Bits 4 and 5 count the runs that registered other rows and failed on this one. */
const failedRunsShift = 4;
const failedRunsMask = 3;

/** Maps keys to entries, which are numbers from 0 in the order of adding. */
export class KeyIndex {
  #size = 0;
  readonly #blocks: KeyBlock[] = [];
  #slots = new Int32Array(1 << 12);
  readonly #key = new Uint32Array(4);
  /* Ids that are strings; the specified service has none. */
  readonly #textIds = new Map<number, string>();

  get size(): number {
    return this.#size;
  }

  /** Returns the entry of a key of 32 hexadecimal digits, -1 when there is none. */
  find(key: string): number {
    this.#read(key);
    return (this.#slots[this.#slot()] ?? 0) - 1;
  }

  /** Returns the entry of a key and adds the key when it is new. */
  add(key: string): number {
    this.#read(key);
    return this.#put();
  }

  /** Adds a key from the hexadecimal digits in a buffer; returns -1 when they are not digits. */
  addFrom(bytes: Uint8Array, offset: number): number {
    for (let word = 0; word < 4; word += 1) {
      let value = 0;
      for (let digit = 0; digit < 8; digit += 1) {
        const nibble = hexDigits[bytes[offset + word * 8 + digit] ?? 0] ?? -1;
        if (nibble < 0) return -1;
        value = (value << 4) | nibble;
      }
      this.#key[word] = value;
    }
    return this.#put();
  }

  state(entry: number): number {
    return this.#block(entry).states[entry & blockMask] ?? 0;
  }

  setState(entry: number, state: number): void {
    this.#block(entry).states[entry & blockMask] = state;
  }

  /** Returns the number of runs that registered other rows and failed on this one, up to 3. */
  failedRuns(entry: number): number {
    return (this.state(entry) >> failedRunsShift) & failedRunsMask;
  }

  /** Returns whether any run failed on this row, counted or not. */
  hasFailed(entry: number): boolean {
    return (this.state(entry) & State.failed) !== 0 || this.failedRuns(entry) > 0;
  }

  /** Counts one more run that registered other rows and failed on this one. */
  addFailedRun(entry: number): void {
    if (this.failedRuns(entry) === failedRunsMask) return;
    this.setState(entry, this.state(entry) + (1 << failedRunsShift));
  }

  /** Returns the first line of the file with this key, 0 when there is none. */
  line(entry: number): number {
    return this.#block(entry).lines[entry & blockMask] ?? 0;
  }

  setLine(entry: number, line: number): void {
    this.#block(entry).lines[entry & blockMask] = line;
  }

  /** Returns the id of an entry that is done. */
  id(entry: number): OrganizationId {
    return this.#textIds.get(entry) ?? this.#number(entry);
  }

  setId(entry: number, id: OrganizationId): void {
    if (typeof id === 'number') {
      if (this.#textIds.size > 0) this.#textIds.delete(entry);
      this.#setNumber(entry, id);
    } else this.#textIds.set(entry, id);
  }

  /** Returns the place of the journal line of an entry that is refused. */
  refusalPlace(entry: number): number {
    return this.#number(entry);
  }

  setRefusalPlace(entry: number, place: number): void {
    this.#setNumber(entry, place);
  }

  /* An entry has either an id or the place of a refusal, in the same 8 bytes. */
  #number(entry: number): number {
    return this.#block(entry).ids[entry & blockMask] ?? 0;
  }

  #setNumber(entry: number, value: number): void {
    this.#block(entry).ids[entry & blockMask] = value;
  }

  #block(entry: number): KeyBlock {
    return this.#blocks[entry >> blockBits] as KeyBlock;
  }

  #read(key: string): void {
    for (let word = 0; word < 4; word += 1) {
      let value = 0;
      for (let digit = word * 8; digit < word * 8 + 8; digit += 1) {
        value = (value << 4) | (hexDigits[key.charCodeAt(digit)] ?? 0);
      }
      this.#key[word] = value;
    }
  }

  #put(): number {
    const slot = this.#slot();
    const known = (this.#slots[slot] ?? 0) - 1;
    if (known >= 0) return known;
    const entry = this.#size;
    if (entry >> blockBits === this.#blocks.length) this.#blocks.push(newBlock());
    this.#block(entry).words.set(this.#key, (entry & blockMask) * 4);
    this.#slots[slot] = entry + 1;
    this.#size += 1;
    if (this.#size * 2 > this.#slots.length) this.#grow();
    return entry;
  }

  /* Returns the slot of the current key, or the empty slot where it belongs. */
  #slot(): number {
    const mask = this.#slots.length - 1;
    const key = this.#key;
    const a = key[0];
    const b = key[1] ?? 0;
    const c = key[2];
    const d = key[3];
    // The first word determines the shard, so it varies little within one: hash by the second.
    for (let slot = b & mask; ; slot = (slot + 1) & mask) {
      const entry = (this.#slots[slot] ?? 0) - 1;
      if (entry < 0) return slot;
      const { words } = this.#block(entry);
      const i = (entry & blockMask) * 4;
      if (words[i + 1] === b && words[i] === a && words[i + 2] === c && words[i + 3] === d)
        return slot;
    }
  }

  #grow(): void {
    this.#slots = new Int32Array(this.#slots.length * 2);
    const mask = this.#slots.length - 1;
    for (let entry = 0; entry < this.#size; entry += 1) {
      let slot = (this.#block(entry).words[(entry & blockMask) * 4 + 1] ?? 0) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = entry + 1;
    }
  }
}

function newBlock(): KeyBlock {
  return {
    words: new Uint32Array(blockSize * 4),
    ids: new Float64Array(blockSize),
    lines: new Uint32Array(blockSize),
    states: new Uint8Array(blockSize),
  };
}
