/*
 * What is known of every key, in about 40 bytes each and outside of the JavaScript heap: 16 bytes
 * of key, 8 of id, 4 of line, 1 of state in blocks that are never copied, and 4 bytes per slot of
 * an open-addressing hash table at most half full. A Map of strings would take some 200 bytes a
 * key.
 */
import type { OrganizationId } from '../../api/reference.ts';

const blockBits = 15;
const blockSize = 1 << blockBits;
const blockMask = blockSize - 1;

/* What each byte is worth as a hexadecimal digit, -1 for one that is none. */
const hexDigits = Int8Array.from({ length: 256 }, (_, code) =>
  '0123456789abcdef'.indexOf(String.fromCharCode(code)),
);

interface KeyBlock {
  readonly words: Uint32Array;
  readonly ids: Float64Array;
  readonly lines: Uint32Array;
  readonly states: Uint8Array;
}

/** What became of a key: bits, because a refused row may be done later. */
export const State = {
  /** Registered by an earlier run or this one; the entry has the id. */
  done: 1,
  /**
   * Refused by the service, or failed in too many runs; the entry has the place of the journal line
   * that says why.
   */
  refused: 2,
  /** Settled in this run, so not by an earlier one. */
  now: 4,
  /** Being sent. */
  sent: 8,
  /** Failed in a run in which that did not count. */
  failed: 64,
} as const;

/* The two bits between these count the runs that registered other rows and failed on this one. */
const failedRunsShift = 4;
const failedRunsMask = 3;

/** An index of keys; an entry is a number from 0, in the order of adding. */
export class KeyIndex {
  #size = 0;
  readonly #blocks: KeyBlock[] = [];
  #slots = new Int32Array(1 << 12);
  readonly #key = new Uint32Array(4);
  /* Ids that are text: none with a service of the specification. */
  readonly #textIds = new Map<number, string>();

  get size(): number {
    return this.#size;
  }

  /** The entry of a key of 32 hexadecimal digits, -1 when there is none. */
  find(key: string): number {
    this.#read(key);
    return (this.#slots[this.#slot()] ?? 0) - 1;
  }

  /** The entry of a key, made when there is none. */
  add(key: string): number {
    this.#read(key);
    return this.#put();
  }

  /** The same for a key that stands in a buffer as hexadecimal digits, -1 when they are not. */
  addFrom(bytes: Uint8Array, at: number): number {
    for (let word = 0; word < 4; word += 1) {
      let value = 0;
      for (let digit = 0; digit < 8; digit += 1) {
        const nibble = hexDigits[bytes[at + word * 8 + digit] ?? 0] ?? -1;
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

  /** How many runs that registered other rows failed on this one, up to 3. */
  failedRuns(entry: number): number {
    return (this.state(entry) >> failedRunsShift) & failedRunsMask;
  }

  /** Whether any run failed on this one, counted or not. */
  hasFailed(entry: number): boolean {
    return (this.state(entry) & State.failed) !== 0 || this.failedRuns(entry) > 0;
  }

  /** Counts one more such run. */
  addFailedRun(entry: number): void {
    if (this.failedRuns(entry) === failedRunsMask) return;
    this.setState(entry, this.state(entry) + (1 << failedRunsShift));
  }

  /** The first line of the file that has the key, 0 while none was seen. */
  line(entry: number): number {
    return this.#block(entry).lines[entry & blockMask] ?? 0;
  }

  setLine(entry: number, line: number): void {
    this.#block(entry).lines[entry & blockMask] = line;
  }

  /** The id of a done entry. */
  id(entry: number): OrganizationId {
    return this.#textIds.get(entry) ?? this.number(entry);
  }

  setId(entry: number, id: OrganizationId): void {
    if (typeof id === 'number') {
      if (this.#textIds.size > 0) this.#textIds.delete(entry);
      this.setNumber(entry, id);
    } else this.#textIds.set(entry, id);
  }

  /** The number of an entry: its id, or for a refused one whatever was set. */
  number(entry: number): number {
    return this.#block(entry).ids[entry & blockMask] ?? 0;
  }

  setNumber(entry: number, value: number): void {
    this.#block(entry).ids[entry & blockMask] = value;
  }

  #block(entry: number): KeyBlock {
    return this.#blocks[entry >> blockBits] as KeyBlock;
  }

  #read(key: string): void {
    for (let word = 0; word < 4; word += 1) {
      let value = 0;
      for (let at = word * 8; at < word * 8 + 8; at += 1) {
        value = (value << 4) | (hexDigits[key.charCodeAt(at)] ?? 0);
      }
      this.#key[word] = value;
    }
  }

  #put(): number {
    const slot = this.#slot();
    const found = (this.#slots[slot] ?? 0) - 1;
    if (found >= 0) return found;
    const entry = this.#size;
    if (entry >> blockBits === this.#blocks.length) this.#blocks.push(newBlock());
    this.#block(entry).words.set(this.#key, (entry & blockMask) * 4);
    this.#slots[slot] = entry + 1;
    this.#size += 1;
    if (this.#size * 2 > this.#slots.length) this.#grow();
    return entry;
  }

  /* The slot of the key that was read, or the empty one where it belongs. */
  #slot(): number {
    const mask = this.#slots.length - 1;
    const key = this.#key;
    const a = key[0];
    const b = key[1] ?? 0;
    const c = key[2];
    const d = key[3];
    // The second word: the first one decides the shard, and is much the same for all keys of one.
    for (let slot = b & mask; ; slot = (slot + 1) & mask) {
      const entry = (this.#slots[slot] ?? 0) - 1;
      if (entry < 0) return slot;
      const { words } = this.#block(entry);
      const at = (entry & blockMask) * 4;
      if (words[at + 1] === b && words[at] === a && words[at + 2] === c && words[at + 3] === d)
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
