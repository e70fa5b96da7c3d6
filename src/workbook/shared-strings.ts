/*
 * Holds the shared strings of a workbook as UTF-8 bytes with one offset for each string. As
 * JavaScript strings, 400,000 of them take 60 MiB more (`npm run bench -- --only workbook`).
 */
import type { Archive } from './archive.ts';
import { unescapeText } from './cell-text.ts';
import { invalidWorkbook } from './foreign-format.ts';
import { parseXml } from './xml.ts';

/* Larger than any one text that the XML parser accepts. A chunk takes memory only as it fills. */
const chunkBits = 24;
const chunkBytes = 2 ** chunkBits;
const maxChunks = 32;
const maxStrings = 2 ** 25;

/** A table of texts that takes little more memory than their UTF-8 bytes. */
export class StringTable {
  readonly #chunks: Buffer[] = [];
  readonly #ends: number[] = [];
  #starts = new Uint32Array(1024);
  #count = 0;

  /** The number of texts. */
  get length(): number {
    return this.#count;
  }

  /** Adds a text, or returns false if the table is full. */
  add(text: string): boolean {
    const length = Buffer.byteLength(text);
    let last = this.#chunks.length - 1;
    if (last < 0 || (this.#ends[last] ?? 0) + length > chunkBytes) {
      if (last + 1 === maxChunks || length > chunkBytes) return false;
      this.#chunks.push(Buffer.allocUnsafeSlow(chunkBytes));
      this.#ends.push(0);
      last += 1;
    }
    if (this.#count === maxStrings) return false;
    if (this.#count === this.#starts.length) this.#grow();
    const end = this.#ends[last] ?? 0;
    this.#starts[this.#count] = last * chunkBytes + end;
    this.#count += 1;
    this.#ends[last] = end + (this.#chunks[last]?.write(text, end) ?? 0);
    return true;
  }

  /** Returns a text by its index, or undefined beyond the last one. */
  get(index: number): string | undefined {
    if (!(index < this.#count)) return undefined;
    const start = this.#starts[index] ?? 0;
    const next = index + 1 < this.#count ? (this.#starts[index + 1] ?? 0) : Number.MAX_VALUE;
    const chunk = start >>> chunkBits;
    const isLast = next >= (chunk + 1) * chunkBytes;
    const end = isLast ? (this.#ends[chunk] ?? 0) : next - chunk * chunkBytes;
    return this.#chunks[chunk]?.toString('utf8', start - chunk * chunkBytes, end);
  }

  #grow(): void {
    const grown = new Uint32Array(this.#starts.length * 2);
    grown.set(this.#starts);
    this.#starts = grown;
  }
}

/**
 * Reads the shared strings of a workbook without their phonetic guides.
 *
 * @param part the name of the part; undefined for a workbook without shared strings
 * @throws UsageError if the texts take more than 512 MiB
 */
export async function readSharedStrings(
  archive: Archive,
  part: string | undefined,
): Promise<StringTable> {
  const table = new StringTable();
  if (part === undefined || !archive.has(part)) return table;
  let text = '';
  let isText = false;
  let isPhonetic = false;
  const parsing = parseXml(archive, part, {
    open(name) {
      if (name === 'si') text = '';
      else if (name === 'rPh') isPhonetic = true;
      else isText = name === 't' && !isPhonetic;
    },
    close(name) {
      if (name === 't') isText = false;
      else if (name === 'rPh') isPhonetic = false;
      else if (name === 'si' && !table.add(unescapeText(text))) {
        throw invalidWorkbook(
          `${archive.name} is too large: its texts take more than ${(maxChunks * chunkBytes) / 2 ** 20} MiB`,
          'Split the workbook, or save the sheet as CSV.',
        );
      }
    },
    text(content) {
      if (isText) text += content;
    },
  });
  for await (const _ of parsing);
  return table;
}
