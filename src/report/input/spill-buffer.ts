/*
 * Texts in their order, outside of the JavaScript heap: the latest megabytes in memory, the full
 * blocks before them in a temporary file. Where no such file can be made, as in a read-only
 * container, they stay in memory.
 */
import { tmpdir } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { TemporaryFile } from '../../runtime/temporary-file.ts';

/** How texts are kept. */
export interface SpoolOptions {
  /** Ends the reading. */
  readonly signal: AbortSignal;
  /** Bytes in memory, 8 MiB by default; a longer text is there as a whole. */
  readonly blockBytes?: number;
  /** Folder of the temporary file; by default the system's. */
  readonly folder?: string;
}

/* The length of a text in bytes stands before it. */
const lengthBytes = 4;
const minBlockBytes = 1 << 16;

/** A list of texts that is written, then read from its start. */
export class Spool {
  readonly #options: Required<SpoolOptions>;
  /* Full blocks, in the file with nothing but their length. */
  readonly #full: (Buffer | number)[] = [];
  #block = Buffer.allocUnsafe(0);
  #used = 0;
  /* Null where none can be made. */
  #file: TemporaryFile | null | undefined;

  constructor({ signal, blockBytes = 1 << 23, folder = tmpdir() }: SpoolOptions) {
    this.#options = { signal, blockBytes, folder };
  }

  /** @throws LocalError when the temporary file takes no more */
  async add(text: string): Promise<void> {
    const length = Buffer.byteLength(text);
    await this.#makeRoom(lengthBytes + length);
    this.#block.writeUInt32LE(length, this.#used);
    this.#block.write(text, this.#used + lengthBytes);
    this.#used += lengthBytes + length;
  }

  /**
   * Yields the texts whose places, counted from 0, are wanted.
   * @throws the signal's reason when it is aborted
   */
  async *read(isWanted: (place: number) => boolean): AsyncGenerator<string> {
    let place = 0;
    for await (const block of this.#blocks()) {
      for (let at = 0; at < block.length; place += 1) {
        const from = at + lengthBytes;
        at = from + block.readUInt32LE(at);
        if (isWanted(place)) yield block.toString('utf8', from, at);
      }
    }
  }

  async close(): Promise<void> {
    await this.#file?.close();
  }

  async #makeRoom(size: number): Promise<void> {
    const { blockBytes } = this.#options;
    if (this.#used + size > blockBytes) await this.#store();
    const needed = this.#used + size;
    if (needed <= this.#block.length) return;
    const doubled = Math.min(blockBytes, Math.max(minBlockBytes, 2 * this.#block.length));
    const larger = Buffer.allocUnsafe(Math.max(needed, doubled));
    this.#block.copy(larger, 0, 0, this.#used);
    this.#block = larger;
  }

  /* Empties the block. */
  async #store(): Promise<void> {
    const block = this.#block.subarray(0, this.#used);
    this.#used = 0;
    if (block.length === 0) return;
    if (this.#file === undefined) {
      this.#file = await TemporaryFile.open(this.#options.folder).catch(() => null);
    }
    await this.#file?.append(block);
    this.#full.push(this.#file === null ? block : block.length);
    if (this.#file === null) this.#block = Buffer.allocUnsafe(0);
  }

  async *#blocks(): AsyncGenerator<Buffer> {
    // Then there is room for each block of the file, one after the other.
    if (this.#file) await this.#store();
    let position = 0;
    for (const full of [...this.#full, this.#block.subarray(0, this.#used)]) {
      // Only between turns a signal can come.
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
