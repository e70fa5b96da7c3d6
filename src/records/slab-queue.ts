/*
 * Reads slabs on two threads, this one and another, and passes on their records in order. Memory
 * holds a fixed number of slabs, which both threads share.
 */
import type { OrganizationId } from '../api/ids.ts';
import type { Counts } from './record-counter.ts';
import { type RecordReduction, readSlab, type SlabResult } from './record-slab.ts';
import { lineFeed } from './text-lines.ts';

/** Reads slabs on another thread, in order. */
export interface SlabThread<Reduced> {
  /**
   * Rejects if the thread ended; the slab is then unread.
   * @param slab a view of memory that the threads share
   */
  read(slab: Uint8Array): Promise<SlabResult<Reduced>>;
}

/** How to read slabs, and what receives their records. */
export interface SlabOptions<Reduced> extends RecordReduction<Reduced> {
  readonly thread: SlabThread<Reduced>;
  /** Size of a slab. */
  readonly slabBytes: number;
  /** Receives the counts of a slab, then each of its records. */
  readonly onCounts: (counts: Counts) => void;
  readonly onReduced: (reduced: Reduced, key: OrganizationId | undefined) => Promise<void> | void;
}

/** The part of the input that was not read. */
export interface Unread {
  /** Number of the first line. */
  readonly line: number;
  readonly chunks: Buffer[];
}

interface Task<Reduced> {
  /** The memory of the slab, and the part to read. */
  readonly memory: Buffer;
  readonly slab: Buffer;
  result: SlabResult<Reduced> | undefined;
  readonly done: Promise<void> | undefined;
}

const maxSlabs = 8;
/* The other thread must not wait while this one reads a slab. */
const maxInFlight = 3;

/** A queue of slabs. */
export class SlabQueue<Reduced> {
  readonly #options: SlabOptions<Reduced>;
  readonly #free: Buffer[];
  readonly #tasks: Task<Reduced>[] = [];
  #inFlight = 0;
  #isThreadUsable = true;
  /* The slab that is filled. Its bytes are those from `#from` to `#used`. */
  #slab: Buffer;
  #from = 0;
  #used = 0;
  #line: number;

  /** @param line number of the first line that `add` receives */
  constructor(options: SlabOptions<Reduced>, line: number) {
    this.#options = options;
    this.#line = line;
    this.#free = Array.from({ length: maxSlabs }, () =>
      Buffer.from(new SharedArrayBuffer(options.slabBytes)),
    );
    this.#slab = this.#free.pop() as Buffer;
  }

  /** Adds bytes. Returns what is unread if a slab needs the reader of the entire input. */
  async add(bytes: Buffer): Promise<Unread | undefined> {
    for (let offset = 0; offset < bytes.length; ) {
      const copied = bytes.copy(this.#slab, this.#used, offset);
      offset += copied;
      this.#used += copied;
      const isFull = this.#used === this.#slab.length;
      const unread = isFull ? await this.#dispatch(bytes.byteOffset + offset) : undefined;
      if (unread === undefined) continue;
      unread.chunks.push(bytes.subarray(offset));
      return unread;
    }
    return undefined;
  }

  /** Waits for all slabs, and returns the rest of the input. */
  async end(): Promise<Unread> {
    const unread = await this.#take(0);
    if (unread !== undefined) return unread;
    return { line: this.#line, chunks: [this.#filled] };
  }

  get #filled(): Buffer {
    return this.#slab.subarray(this.#from, this.#used);
  }

  /* `next` is the address of the bytes that follow in the input. */
  async #dispatch(next: number): Promise<Unread | undefined> {
    const memory = this.#slab;
    const slab = this.#filled;
    const length = slab.lastIndexOf(lineFeed) + 1;
    // A line that is longer than a slab.
    if (length === 0) return this.end();
    if (this.#free.length === 0) {
      const unread = await this.#take(this.#tasks.length - 1);
      if (unread !== undefined) return unread;
    }
    this.#slab = this.#free.pop() as Buffer;
    const rest = slab.length - length;
    // V8 copies to shared memory by words, eight times as fast, if both addresses allow it.
    this.#from = Math.min((next - rest) & 7, length);
    this.#used = this.#from + slab.copy(this.#slab, this.#from, length);
    this.#start(memory, slab.subarray(0, length));
    return this.#take(this.#tasks.length);
  }

  #start(memory: Buffer, slab: Buffer): void {
    const { thread } = this.#options;
    if (this.#inFlight >= maxInFlight || !this.#isThreadUsable) {
      const result = readSlab(slab, this.#options);
      this.#tasks.push({ memory, slab, result, done: undefined });
      return;
    }
    this.#inFlight += 1;
    const done = thread
      .read(slab)
      .catch(() => {
        this.#isThreadUsable = false;
        return readSlab(slab, this.#options);
      })
      .then((result) => {
        this.#inFlight -= 1;
        task.result = result;
      });
    const task: Task<Reduced> = { memory, slab, result: undefined, done };
    this.#tasks.push(task);
  }

  /* Passes on the first slabs that are read, and waits until at most `maxTasks` are left. */
  async #take(maxTasks: number): Promise<Unread | undefined> {
    for (;;) {
      const [task] = this.#tasks;
      if (task === undefined) return undefined;
      if (task.result === undefined && this.#tasks.length <= maxTasks) return undefined;
      if (task.result === undefined) await task.done;
      const result = task.result as unknown as SlabResult<Reduced>;
      await this.#pass(result);
      if (result.bytes < task.slab.length) return this.#unread(result.bytes);
      this.#tasks.shift();
      this.#free.push(task.memory);
    }
  }

  async #pass({ counts, keys, reduced, lines }: SlabResult<Reduced>): Promise<void> {
    const { onCounts, onReduced } = this.#options;
    this.#line += lines;
    onCounts(counts);
    for (let index = 0; index < reduced.length; index += 1) {
      const taken = onReduced(reduced[index] as Reduced, keys[index]);
      if (taken !== undefined) await taken;
    }
  }

  /* Returns what follows a number of bytes of the first slab. */
  #unread(bytes: number): Unread {
    const chunks = this.#tasks.map(({ slab }) => slab);
    const [first = Buffer.alloc(0)] = chunks;
    chunks[0] = first.subarray(bytes);
    return { line: this.#line, chunks: [...chunks, this.#filled] };
  }
}
