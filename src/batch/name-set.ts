/*
 * A set of names that needs at most 27 bytes per name, outside of the JavaScript heap: an
 * open-addressing table of 63-bit hashes. A `Set` of a million names would take more than 100 MB.
 * Two names with the same hash cause a wrong warning; in a file of a million names the probability
 * is below one in a million.
 */

const firstSize = 1 << 12;
const maxLoad = 0.6;

const upperA = 65;
const upperZ = 90;
const toLower = 32;

/** A case-insensitive set of names with one mark per name. */
export class NameSet {
  #words = newWords(firstSize * 2);
  #size = 0;
  #high = 0;
  #low = 0;

  /**
   * Adds a name.
   *
   * @returns undefined for a new name, else whether this or an earlier addition was marked
   */
  add(name: string, isMarked: boolean): boolean | undefined {
    if (!this.#hash(name)) this.#hash(name.toLowerCase());
    const slot = this.#slot(this.#words, this.#high, this.#low);
    const isNew = this.#words[slot] === 0;
    const marked = (isNew ? 0 : (this.#words[slot + 1] ?? 0) & 1) | (isMarked ? 1 : 0);
    this.#words[slot] = this.#high;
    this.#words[slot + 1] = this.#low | marked;
    if (isNew) {
      this.#size += 1;
      if (this.#size > (this.#words.length / 2) * maxLoad) this.#grow();
    }
    return isNew ? undefined : marked === 1;
  }

  /*
   * Computes two multiplicative hashes (FNV-1a, the second with other constants) and mixes them.
   * The lowest bit stays free for the mark. Returns false for a text that the caller must convert
   * to lower case first, so that ASCII needs no copy.
   */
  #hash(text: string): boolean {
    let a = 0x811c9dc5;
    let b = 0x9747b28c;
    let all = 0;
    for (let index = 0; index < text.length; index += 1) {
      let code = text.charCodeAt(index);
      all |= code;
      if (code >= upperA && code <= upperZ) code += toLower;
      a = Math.imul(a ^ code, 0x01000193);
      b = Math.imul(b ^ code, 0x5bd1e995) ^ (b >>> 13);
    }
    a = Math.imul(a ^ (a >>> 16) ^ b, 0xc2b2ae35);
    this.#high = (a ^ (a >>> 15)) >>> 0 || 1;
    this.#low = ((b ^ (b >>> 16)) & ~1) >>> 0;
    return all < 128 || text === text.toLowerCase();
  }

  #slot(words: Uint32Array, high: number, low: number): number {
    const mask = words.length - 1;
    for (let slot = (high * 2) & mask & ~1; ; slot = (slot + 2) & mask) {
      if (words[slot] === 0) return slot;
      if (words[slot] === high && ((words[slot + 1] ?? 0) & ~1) >>> 0 === low) return slot;
    }
  }

  #grow(): void {
    const old = this.#words;
    const words = newWords(old.length * 2);
    for (let index = 0; index < old.length; index += 2) {
      const high = old[index] ?? 0;
      if (high === 0) continue;
      const low = old[index + 1] ?? 0;
      const slot = this.#slot(words, high, (low & ~1) >>> 0);
      words[slot] = high;
      words[slot + 1] = low;
    }
    this.#words = words;
    release(old);
  }

  /** Frees the memory immediately. Do not use the set afterwards. */
  release(): void {
    release(this.#words);
  }
}

/*
 * A resizable buffer can be freed immediately. An unreferenced array stays until the next full
 * garbage collection, which may come after the peak of the run (`bench --only memory`: 17 MiB less
 * for a million rows).
 */
function newWords(length: number): Uint32Array<ArrayBuffer> {
  const bytes = length * Uint32Array.BYTES_PER_ELEMENT;
  return new Uint32Array(new ResizableBuffer(bytes, { maxByteLength: bytes }));
}

/* Node 20 supports resizable buffers; TypeScript's ES2023 library does not declare them. */
interface Resizable extends ArrayBuffer {
  resize(length: number): void;
}
const ResizableBuffer = ArrayBuffer as unknown as new (
  length: number,
  options: { maxByteLength: number },
) => Resizable;

function release({ buffer }: Uint32Array<ArrayBuffer>): void {
  (buffer as Resizable).resize(0);
}
