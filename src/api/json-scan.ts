/*
 * Finds a few members of a JSON object (RFC 8259) without creating the others. A batch needs two of
 * a record's hundreds, which saves 16 to 30 % of its CPU time (bench/throughput.ts). The scanner is
 * strict: it rejects everything that JSON.parse rejects.
 *
 * A scan allocates nothing, and valid JSON makes it read no byte beyond the end: a single such read
 * would make V8 compile slower code for all reads at that place.
 */

const byte = {
  space: 32,
  quote: 34,
  plus: 43,
  comma: 44,
  minus: 45,
  point: 46,
  zero: 48,
  colon: 58,
  upperE: 69,
  openingBracket: 91,
  backslash: 92,
  closingBracket: 93,
  lowerE: 101,
  lowerU: 117,
  openingBrace: 123,
  closingBrace: 125,
} as const;

/* Records have six levels. JSON.parse reads deeper ones. Each level is one bit of a number. */
const maxDepth = 32;

const spaces = bytesOf(' \t\n\r');
const escaped = bytesOf('"\\/bfnrt');
const digits = bytesOf('0123456789');
const hexDigits = bytesOf('0123456789abcdefABCDEF');

/* What a string contains without an escape: every byte except quotes and control characters. */
const plain = Uint8Array.from({ length: 256 }, (_, code) =>
  Number(code >= byte.space && code !== byte.quote && code !== byte.backslash),
);

/* Returns a table in which the code of each of the characters has the value 1. */
function bytesOf(characters: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}

/** Scans JSON objects for the members with given names, one text at a time. */
export class JsonScanner {
  readonly #names: readonly Uint8Array[];
  readonly #starts: number[];
  readonly #ends: number[];
  /* The index of the current member in these lists, -1 if it is another one. */
  #member = -1;
  #isCompact = true;

  /** @param names ASCII without characters that JSON escapes */
  constructor(names: readonly string[]) {
    this.#names = names.map((name) => new TextEncoder().encode(name));
    this.#starts = names.map(() => -1);
    this.#ends = names.map(() => -1);
  }

  /**
   * Scans a text and records the positions of the members. Of a repeated name, the last one counts,
   * as in JSON.parse.
   *
   * Returns false if the text is not one complete JSON object, is nested more than 32 levels deep,
   * or has escapes in the name of a member: then the caller uses JSON.parse.
   * @param bytes UTF-8 without a byte order mark
   */
  scan(bytes: Uint8Array): boolean {
    this.#starts.fill(-1);
    this.#member = -1;
    this.#isCompact = true;
    const start = this.#skipSpaces(bytes, 0);
    if (bytes[start] !== byte.openingBrace) return false;
    const end = this.#skipObject(bytes, start);
    return end === bytes.length || (end > 0 && this.#skipSpaces(bytes, end) === bytes.length);
  }

  /** Whether the last text has no white space outside strings. */
  get isCompact(): boolean {
    return this.#isCompact;
  }

  /** Index of the first byte of a value in the last text, -1 if the member is absent. */
  start(name: number): number {
    return this.#starts[name] ?? -1;
  }

  /** Index after the last byte of a value in the last text. */
  end(name: number): number {
    return this.#ends[name] ?? -1;
  }

  /*
   * Returns the index after the object, -1 if it is invalid. Uses one loop for all levels, because
   * recursive calls would double the time.
   */
  #skipObject(bytes: Uint8Array, from: number): number {
    let index = from;
    let depth = 0;
    // 1 is an object, 0 an array. The lowest bit is the innermost level.
    let levels = 0;
    for (;;) {
      if ((levels & 1) === 1) {
        if (bytes[index] !== byte.quote) index = this.#skipSpaces(bytes, index);
        if (bytes[index] !== byte.quote) return -1;
        const nameStart = index + 1;
        index = skipPlain(bytes, nameStart);
        if (depth === 1 && !this.#startMember(bytes, nameStart, index)) return -1;
        if (bytes[index] === byte.backslash) index = skipEscapes(bytes, index);
        if (bytes[index] !== byte.quote) return -1;
        index += 1;
        if (bytes[index] !== byte.colon) index = this.#skipSpaces(bytes, index);
        if (bytes[index] !== byte.colon) return -1;
        index += 1;
      }
      let code = bytes[index] as number;
      if (code <= byte.space) {
        index = this.#skipSpaces(bytes, index);
        code = bytes[index] as number;
      }
      if (depth === 1 && this.#member >= 0) this.#starts[this.#member] = index;
      if (code === byte.quote) {
        index = skipPlain(bytes, index + 1);
        if (bytes[index] === byte.backslash) index = skipEscapes(bytes, index);
        if (bytes[index] !== byte.quote) return -1;
        index += 1;
      } else if (code === byte.openingBrace || code === byte.openingBracket) {
        if (depth === maxDepth) return -1;
        depth += 1;
        levels = (levels << 1) | (code === byte.openingBrace ? 1 : 0);
        index += 1;
        if ((bytes[index] as number) <= byte.space) index = this.#skipSpaces(bytes, index);
        if (bytes[index] !== code + 2) continue;
      } else {
        index = skipBare(bytes, index, code);
        if (index < 0) return -1;
      }
      // A value ends here, or an empty object or array is about to end.
      for (;;) {
        if (depth === 1 && this.#member >= 0) this.#ends[this.#member] = index;
        let next = bytes[index] as number;
        if (next <= byte.space) {
          index = this.#skipSpaces(bytes, index);
          next = bytes[index] as number;
        }
        index += 1;
        if (next === byte.comma) break;
        if (next !== ((levels & 1) === 1 ? byte.closingBrace : byte.closingBracket)) return -1;
        depth -= 1;
        if (depth === 0) return index;
        levels >>= 1;
      }
    }
  }

  /* Returns false for a name with escapes, which may be one of the names. */
  #startMember(bytes: Uint8Array, start: number, end: number): boolean {
    this.#member = -1;
    for (let index = 0; index < this.#names.length; index += 1)
      if (isSame(bytes, start, end, this.#names[index] as Uint8Array)) this.#member = index;
    return bytes[end] === byte.quote;
  }

  #skipSpaces(bytes: Uint8Array, from: number): number {
    let index = from;
    while (index < bytes.length && spaces[bytes[index] as number] === 1) index += 1;
    if (index > from) this.#isCompact = false;
    return index;
  }
}

function isSame(bytes: Uint8Array, start: number, end: number, name: Uint8Array): boolean {
  if (end - start !== name.length) return false;
  for (let index = 0; index < name.length; index += 1)
    if (bytes[start + index] !== name[index]) return false;
  return true;
}

/* Each `skip` function returns the index after what it skips, -1 if that is invalid. */

function skipPlain(bytes: Uint8Array, from: number): number {
  let index = from;
  while (plain[bytes[index] as number] === 1) index += 1;
  return index;
}

/* Skips the remaining string from its first escape to its closing quote. */
function skipEscapes(bytes: Uint8Array, from: number): number {
  let index = from;
  while (index > 0 && bytes[index] === byte.backslash) {
    index = skipEscape(bytes, index + 1);
    if (index > 0) index = skipPlain(bytes, index);
  }
  return index;
}

function skipEscape(bytes: Uint8Array, index: number): number {
  if (bytes[index] !== byte.lowerU) return escaped[bytes[index] as number] === 1 ? index + 1 : -1;
  for (let digit = index + 1; digit <= index + 4; digit += 1)
    if (hexDigits[bytes[digit] as number] !== 1) return -1;
  return index + 5;
}

/* Skips null, true, false or a number. */
function skipBare(bytes: Uint8Array, from: number, code: number): number {
  if (code === 0x6e) return isWord(bytes, from + 1, 0x75, 0x6c, 0x6c) ? from + 4 : -1;
  if (code === 0x74) return isWord(bytes, from + 1, 0x72, 0x75, 0x65) ? from + 4 : -1;
  if (code === 0x66 && bytes[from + 1] === 0x61)
    return isWord(bytes, from + 2, 0x6c, 0x73, 0x65) ? from + 5 : -1;
  let index = code === byte.minus ? from + 1 : from;
  index = bytes[index] === byte.zero ? index + 1 : skipDigits(bytes, index);
  if (bytes[index] === byte.point) index = skipDigits(bytes, index + 1);
  if (bytes[index] !== byte.lowerE && bytes[index] !== byte.upperE) return index;
  const isSigned = bytes[index + 1] === byte.plus || bytes[index + 1] === byte.minus;
  return skipDigits(bytes, isSigned ? index + 2 : index + 1);
}

/* A loop over the characters of a word would double the time of a record with many nulls. */
function isWord(bytes: Uint8Array, index: number, a: number, b: number, c: number): boolean {
  return bytes[index] === a && bytes[index + 1] === b && bytes[index + 2] === c;
}

function skipDigits(bytes: Uint8Array, from: number): number {
  let index = from;
  while (digits[bytes[index] as number] === 1) index += 1;
  return index > from ? index : -1;
}
