/*
 * Reads a few members of a JSON object (RFC 8259) without creating the others. A batch needs two
 * of a record's hundreds, which saves 17 to 24 % of its CPU time (bench/throughput.ts). The scanner
 * is strict: it rejects everything that JSON.parse rejects.
 */

const byte = {
  tab: 9,
  lineFeed: 10,
  return: 13,
  space: 32,
  quote: 34,
  plus: 43,
  comma: 44,
  minus: 45,
  point: 46,
  zero: 48,
  nine: 57,
  colon: 58,
  upperE: 69,
  openingBracket: 91,
  backslash: 92,
  closingBracket: 93,
  lowerE: 101,
  u: 117,
  openingBrace: 123,
  closingBrace: 125,
} as const;

/* Records have six levels. JSON.parse reads deeper ones. */
const maxDepth = 32;

const utf8 = new TextDecoder();

const literals = ['null', 'true', 'false'];

/**
 * Reads the members of a JSON object that have the given names.
 *
 * Returns the last value of a repeated name, like JSON.parse. Returns undefined if the text is not
 * one complete JSON object, is nested more than 32 levels deep, or has escapes in a name: then the
 * caller uses JSON.parse.
 * @param bytes UTF-8 without a byte order mark
 * @param names ASCII without characters that JSON escapes
 * @param parse parses the JSON text of one value
 */
export function scanJsonMembers(
  bytes: Uint8Array,
  names: readonly string[],
  parse: (json: string) => unknown = JSON.parse,
): Record<string, unknown> | undefined {
  return scanJson(bytes, names, parse)?.members;
}

/** The members of a JSON object, and the form of its text. */
export interface ScannedJson {
  readonly members: Readonly<Record<string, unknown>>;
  /** Whether there is no white space outside strings. */
  readonly isCompact: boolean;
}

/** Reads members as `scanJsonMembers` does, and the form of the text. */
export function scanJson(
  bytes: Uint8Array,
  names: readonly string[],
  parse: (json: string) => unknown = JSON.parse,
): ScannedJson | undefined {
  const ranges = new MemberRanges(bytes, names);
  const start = skipSpace(bytes, 0, ranges);
  if (bytes[start] !== byte.openingBrace) return undefined;
  if (skipValue(bytes, start, ranges) !== bytes.length) return undefined;
  const members = ranges.read(parse);
  return members && { members, isCompact: !ranges.hasSpace };
}

/* Collects the byte ranges of the requested values. */
class MemberRanges {
  readonly bytes: Uint8Array;
  readonly names: readonly string[];
  readonly #ranges: (readonly [number, number] | undefined)[] = [];
  #nameIndex = -1;
  #valueStart = 0;
  #hasEscapes = false;
  /** Whether there is white space outside strings. */
  hasSpace = false;

  constructor(bytes: Uint8Array, names: readonly string[]) {
    this.bytes = bytes;
    this.names = names;
  }

  /* Starts a member; the range of the name includes its quotes. */
  begin(nameStart: number, nameEnd: number, valueStart: number): void {
    const { bytes, names } = this;
    this.#nameIndex = names.findIndex(
      (name) => nameEnd - nameStart - 2 === name.length && matches(bytes, nameStart + 1, name),
    );
    this.#valueStart = valueStart;
    for (let index = nameStart; index < nameEnd; index += 1)
      if (bytes[index] === byte.backslash) this.#hasEscapes = true;
  }

  end(valueEnd: number): void {
    if (this.#nameIndex >= 0) this.#ranges[this.#nameIndex] = [this.#valueStart, valueEnd];
  }

  read(parse: (json: string) => unknown): Record<string, unknown> | undefined {
    if (this.#hasEscapes) return undefined;
    const members: Record<string, unknown> = {};
    this.names.forEach((name, index) => {
      const range = this.#ranges[index];
      if (range !== undefined) members[name] = parse(utf8.decode(this.bytes.subarray(...range)));
    });
    return members;
  }
}

function matches(bytes: Uint8Array, start: number, text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (bytes[start + index] !== text.charCodeAt(index)) return false;
  }
  return true;
}

/*
 * Each `skip` function takes the index where a token starts and returns the index after it, or -1
 * if the token is incomplete or the index is -1.
 */

/* Uses one loop for all levels, because recursive calls would double the time. */
function skipValue(bytes: Uint8Array, from: number, members: MemberRanges): number {
  const closing = new Uint8Array(maxDepth);
  let depth = 0;
  let index = from;
  for (;;) {
    index = skipSpace(bytes, index, members);
    const code = bytes[index] as number;
    if (code === byte.openingBrace || code === byte.openingBracket) {
      if (depth === maxDepth) return -1;
      const close = code + 2;
      closing[depth] = close;
      depth += 1;
      index = skipSpace(bytes, index + 1, members);
      if (bytes[index] !== close) {
        if (code === byte.openingBrace) index = skipName(bytes, index, depth, members);
        continue;
      }
    } else {
      index = code === byte.quote ? skipString(bytes, index) : skipBare(bytes, index);
      if (index < 0) return -1;
    }
    // A value ends here, or an empty object or array is about to end.
    for (;;) {
      index = skipSpace(bytes, index, members);
      if (depth === 0) return index;
      if (depth === 1) members.end(index);
      const close = closing[depth - 1];
      if (bytes[index] === byte.comma) {
        index += 1;
        if (close === byte.closingBrace)
          index = skipName(bytes, skipSpace(bytes, index, members), depth, members);
        break;
      }
      if (bytes[index] !== close) return -1;
      index += 1;
      depth -= 1;
    }
  }
}

/* Skips a name and its colon. */
function skipName(bytes: Uint8Array, from: number, depth: number, members: MemberRanges): number {
  const end = skipString(bytes, from);
  const colon = skipSpace(bytes, end, members);
  if (bytes[colon] !== byte.colon) return -1;
  if (depth === 1) members.begin(from, end, colon + 1);
  return colon + 1;
}

/* Skips a number, true, false or null. */
function skipBare(bytes: Uint8Array, index: number): number {
  const code = bytes[index] as number;
  if (code === byte.minus || isDigit(code)) return skipNumber(bytes, index);
  const literal = literals.find((text) => matches(bytes, index, text));
  return literal === undefined ? -1 : index + literal.length;
}

/* Small enough for V8 to inline, because there is usually no space. */
function skipSpace(bytes: Uint8Array, index: number, members: MemberRanges): number {
  return (bytes[index] as number) > byte.space ? index : skipSpaces(bytes, index, members);
}

function skipSpaces(bytes: Uint8Array, from: number, members: MemberRanges): number {
  let index = from;
  while (isSpace(bytes[index] as number)) index += 1;
  if (index > from) members.hasSpace = true;
  return index;
}

function isSpace(code: number): boolean {
  return code === byte.space || code === byte.lineFeed || code === byte.return || code === byte.tab;
}

function skipString(bytes: Uint8Array, from: number): number {
  if (bytes[from] !== byte.quote) return -1;
  let index = from + 1;
  for (;;) {
    let code = bytes[index] as number;
    while (code >= byte.space && code !== byte.quote && code !== byte.backslash) {
      index += 1;
      code = bytes[index] as number;
    }
    if (code === byte.quote) return index + 1;
    index = code === byte.backslash ? skipEscape(bytes, index + 1) : -1;
    if (index < 0) return -1;
  }
}

function skipEscape(bytes: Uint8Array, index: number): number {
  if (bytes[index] !== byte.u) return isOneOf('"\\/bfnrt', bytes[index]) ? index + 1 : -1;
  for (let digit = index + 1; digit <= index + 4; digit += 1) {
    if (!isOneOf('0123456789abcdefABCDEF', bytes[digit])) return -1;
  }
  return index + 5;
}

function isOneOf(characters: string, code: number | undefined): boolean {
  for (let index = 0; index < characters.length; index += 1)
    if (characters.charCodeAt(index) === code) return true;
  return false;
}

function skipNumber(bytes: Uint8Array, from: number): number {
  let index = bytes[from] === byte.minus ? from + 1 : from;
  index = bytes[index] === byte.zero ? index + 1 : skipDigits(bytes, index);
  if (bytes[index] === byte.point) index = skipDigits(bytes, index + 1);
  if (bytes[index] !== byte.lowerE && bytes[index] !== byte.upperE) return index;
  const isSigned = bytes[index + 1] === byte.plus || bytes[index + 1] === byte.minus;
  return skipDigits(bytes, isSigned ? index + 2 : index + 1);
}

function skipDigits(bytes: Uint8Array, from: number): number {
  let index = from;
  while (isDigit(bytes[index] as number)) index += 1;
  return index > from ? index : -1;
}

function isDigit(code: number): boolean {
  return code >= byte.zero && code <= byte.nine;
}
