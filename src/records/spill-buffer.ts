/*
 * A list of texts outside of the JavaScript heap: the latest megabytes are in memory, earlier
 * blocks in a temporary file. If the system cannot create the file, as in a read-only container,
 * all blocks stay in memory.
 */
import { tmpdir } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { TemporaryFile } from '../runtime/temporary-file.ts';

/** Options of `SpillBuffer`. */
export interface SpillBufferOptions {
  /** Aborts reading. */
  readonly signal: AbortSignal;
  /** Bytes in memory, 2 MiB by default; a longer text enlarges the block. */
  readonly blockBytes?: number;
  /** Directory of the temporary file, that of the system by default. */
  readonly folder?: string;
}

/* The length of each text in bytes precedes it. */
const lengthBytes = 4;
const minBlockBytes = 1 << 16;
const headBytes = 1 << 12;

/** Stores texts, then reads them in the same order. */
export class SpillBuffer {
  readonly #options: Required<SpillBufferOptions>;
  /* Full blocks, or the length of a block in the file. */
  readonly #full: (Buffer | number)[] = [];
  #block = Buffer.allocUnsafe(0);
  #used = 0;
  readonly #head = Buffer.allocUnsafe(headBytes);
  /* Bytes in full blocks. */
  #stored = 0;
  /* After a failed write, positions in the file are unknown. */
  #failure: unknown;
  /* Null when the system cannot create the file. */
  #file: TemporaryFile | null | undefined;

  constructor({ signal, blockBytes = 1 << 21, folder = tmpdir() }: SpillBufferOptions) {
    this.#options = { signal, blockBytes, folder };
  }

  /**
   * Adds a text and returns its position, for `at`; immediately if it fits into the block.
   * @throws LocalError when the disk of the temporary file is full
   */
  add(text: string): number | Promise<number> {
    const length = Buffer.byteLength(text);
    if (this.#used + lengthBytes + length <= this.#block.length) return this.#write(text, length);
    return this.#reserve(lengthBytes + length).then(() => this.#write(text, length));
  }

  #write(text: string, length: number): number {
    const position = this.#stored + this.#used;
    this.#block.writeUInt32LE(length, this.#used);
    this.#block.write(text, this.#used + lengthBytes);
    this.#used += lengthBytes + length;
    return position;
  }

  /** Returns the text at a position that `add` returned. */
  at(position: number): string {
    if (this.#failure !== undefined) throw this.#failure;
    if (position >= this.#stored) return textAt(this.#block, position - this.#stored);
    if (this.#file) return this.#readText(this.#file, position);
    let start = 0;
    for (const block of this.#full) {
      if (typeof block === 'number') continue;
      if (position < start + block.length) return textAt(block, position - start);
      start += block.length;
    }
    throw new RangeError(`no text at ${position}`);
  }

  /**
   * Yields the texts whose index, counted from 0, is wanted.
   * @throws the reason of the signal after an abort
   */
  async *read(isWanted: (index: number) => boolean): AsyncGenerator<string> {
    let index = 0;
    for await (const block of this.#blocks()) {
      for (let offset = 0; offset < block.length; index += 1) {
        const start = offset + lengthBytes;
        offset = start + block.readUInt32LE(offset);
        if (isWanted(index)) yield block.toString('utf8', start, offset);
      }
    }
  }

  /* Most texts take one reading, together with their length. */
  #readText(file: TemporaryFile, position: number): string {
    const head = this.#head.subarray(0, this.#stored - position);
    file.readNow(head, position);
    const end = lengthBytes + head.readUInt32LE();
    if (end <= head.length) return head.toString('utf8', lengthBytes, end);
    const text = Buffer.allocUnsafe(end - lengthBytes);
    file.readNow(text, position + lengthBytes);
    return text.toString('utf8');
  }

  async close(): Promise<void> {
    await this.#file?.close();
  }

  async #reserve(size: number): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    const { blockBytes } = this.#options;
    if (this.#used + size > blockBytes) await this.#store();
    const needed = this.#used + size;
    if (needed <= this.#block.length) return;
    const doubled = Math.min(blockBytes, Math.max(minBlockBytes, 2 * this.#block.length));
    const larger = Buffer.allocUnsafe(Math.max(needed, doubled));
    this.#block.copy(larger, 0, 0, this.#used);
    this.#block = larger;
  }

  /* Moves the current block to the file. */
  async #store(): Promise<void> {
    const block = this.#block.subarray(0, this.#used);
    this.#used = 0;
    if (block.length === 0) return;
    this.#stored += block.length;
    if (this.#file === undefined) {
      this.#file = await TemporaryFile.open(this.#options.folder).catch(() => null);
    }
    await this.#file?.append(block).catch((error: unknown) => {
      this.#failure = error;
      this.#block = Buffer.allocUnsafe(0);
      throw error;
    });
    this.#full.push(this.#file === null ? block : block.length);
    if (this.#file === null) this.#block = Buffer.allocUnsafe(0);
  }

  async *#blocks(): AsyncGenerator<Buffer> {
    // The emptied block then serves as the buffer for each block of the file.
    if (this.#file) await this.#store();
    let position = 0;
    for (const full of [...this.#full, this.#block.subarray(0, this.#used)]) {
      // Yields to the event loop, so that it can handle a signal.
      await setImmediate();
      this.#options.signal.throwIfAborted();
      const block = typeof full === 'number' ? this.#block.subarray(0, full) : full;
      if (typeof full === 'number') {
        await this.#file?.read(block, position);
        position += full;
      }
      yield block;
    }
  }
}

function textAt(block: Buffer, offset: number): string {
  const start = offset + lengthBytes;
  return block.toString('utf8', start, start + block.readUInt32LE(offset));
}
