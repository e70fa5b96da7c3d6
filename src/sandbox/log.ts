import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createDirectory } from '../config/paths.ts';
import { LocalError } from '../runtime/carbon-error.ts';
import { explainSystemError } from '../runtime/system-error.ts';

const hint = 'Set CARBON_DATA_DIR to another directory for the sandbox log.';

/** An append-only file, which several processes may share. */
export interface Log {
  /** Reads bytes from `position` into the buffer and returns their number, 0 at the end. */
  read(into: Buffer, position: number): number;
  /** Appends all bytes in one write, or throws. */
  append(bytes: Buffer): void;
  close(): void;
}

/**
 * Opens `sandbox.log` in a directory. A new directory and file are accessible to this user only.
 * Each append is one write to an O_APPEND descriptor, which POSIX makes atomic among the processes
 * of one machine.
 *
 * @throws LocalError if the log cannot be opened, and later if it cannot be read or written
 */
export function openLog(dataDir: string): Log {
  const path = join(dataDir, 'sandbox.log');
  const { O_APPEND, O_CREAT, O_RDWR } = constants;
  createDirectory(dataDir, hint);
  let descriptor = guarded(path, 'opened', () =>
    openSync(path, O_RDWR | O_APPEND | O_CREAT, 0o600),
  );
  return {
    read: (into, position) =>
      guarded(path, 'read', () => readSync(descriptor, into, 0, into.length, position)),
    append(bytes) {
      const written = guarded(path, 'written', () => writeSync(descriptor, bytes));
      if (written < bytes.length) throw failed(path, 'written', new Error('the disk is full'));
    },
    close() {
      if (descriptor >= 0) closeSync(descriptor);
      // The system reuses the descriptor for the next file that is opened: never write to it.
      descriptor = -1;
    },
  };
}

/** Creates a log in memory. */
export function memoryLog(): Log {
  let bytes = Buffer.alloc(64 * 1024);
  let length = 0;
  return {
    read: (into, position) =>
      bytes.copy(into, 0, position, Math.max(position, Math.min(length, position + into.length))),
    append(added) {
      if (length + added.length > bytes.length) {
        bytes = Buffer.concat([bytes.subarray(0, length)], 2 * (length + added.length));
      }
      length += added.copy(bytes, length);
    },
    close: () => undefined,
  };
}

function guarded<Result>(path: string, what: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw failed(path, what, error);
  }
}

function failed(path: string, what: string, cause: unknown): LocalError {
  return new LocalError(`${path} cannot be ${what}: ${explainSystemError(cause)}`, { hint });
}

/** The time of a log entry, and where the log holds its body. */
export interface LogEntry {
  readonly at: number;
  readonly offset: number;
  readonly length: number;
}

/**
 * Indexes the log: ids by identity, and entries by id. Ids are 1, 2, 3 in order of addition.
 *
 * A million entries need about 50 MB, because typed arrays hold all numbers. An identity is four
 * 32-bit words in an open-addressing hash table that is at most half full.
 */
export class LogIndex {
  #count = 0;
  #words = new Uint32Array(4 * 1024);
  #times = new Float64Array(1024);
  #offsets = new Float64Array(1024);
  #lengths = new Uint32Array(1024);
  #slots = new Uint32Array(2 * 1024);

  /** The number of entries, which is also the last id. */
  get count(): number {
    return this.#count;
  }

  /** Finds the id of an identity of 32 hex digits; returns 0 if it has none. */
  find(identity: string): number {
    return this.#slots[this.#slotOf(wordsOf(identity))] ?? 0;
  }

  /** Assigns the next id to a new identity. */
  add(identity: string, { at, offset, length }: LogEntry): void {
    const words = wordsOf(identity);
    if (this.#slots[this.#slotOf(words)] !== 0) return;
    if (this.#count === this.#times.length) this.#grow();
    const index = this.#count++;
    this.#words.set(words, 4 * index);
    this.#times[index] = at;
    this.#offsets[index] = offset;
    this.#lengths[index] = length;
    this.#slots[this.#slotOf(words)] = index + 1;
  }

  /** Returns the entry of an id with its identity; undefined for an unknown id. */
  get(id: number): (LogEntry & { readonly identity: string }) | undefined {
    const index = id - 1;
    const at = this.#times[index];
    const offset = this.#offsets[index];
    const length = this.#lengths[index];
    if (index >= this.#count || at === undefined || offset === undefined || length === undefined)
      return undefined;
    const identity = [...this.#words.subarray(4 * index, 4 * index + 4)]
      .map((word) => word.toString(16).padStart(8, '0'))
      .join('');
    return { at, offset, length, identity };
  }

  /** Finds the slot that holds the id of an identity, or the empty slot where it belongs. */
  #slotOf(words: Words): number {
    const mask = this.#slots.length - 1;
    let slot = words[0] & mask;
    for (let id = this.#slots[slot]; id; id = this.#slots[slot]) {
      if (this.#isAt(id - 1, words)) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #isAt(index: number, words: Words): boolean {
    return words.every((word, offset) => this.#words[4 * index + offset] === word);
  }

  #grow(): void {
    const capacity = 2 * this.#times.length;
    this.#words = copied(new Uint32Array(4 * capacity), this.#words);
    this.#times = copied(new Float64Array(capacity), this.#times);
    this.#offsets = copied(new Float64Array(capacity), this.#offsets);
    this.#lengths = copied(new Uint32Array(capacity), this.#lengths);
    this.#slots = new Uint32Array(2 * capacity);
    for (let index = 0; index < this.#count; index++) {
      const [a = 0, b = 0, c = 0, d = 0] = this.#words.subarray(4 * index, 4 * index + 4);
      this.#slots[this.#slotOf([a, b, c, d])] = index + 1;
    }
  }
}

type Words = readonly [number, number, number, number];

function wordsOf(identity: string): Words {
  const word = (from: number) => Number.parseInt(identity.slice(from, from + 8), 16);
  return [word(0), word(8), word(16), word(24)];
}

function copied<Numbers extends Uint32Array | Float64Array>(to: Numbers, from: Numbers): Numbers {
  to.set(from);
  return to;
}
