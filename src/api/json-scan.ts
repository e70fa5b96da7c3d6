/*
 * A few members of a JSON object (RFC 8259), without building the rest of it: a batch needs two of
 * a record's hundreds. Strict: what JSON.parse would refuse is not read here either.
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

/* Records have six levels; deeper ones are for JSON.parse. */
const deepest = 32;

const utf8 = new TextDecoder();

const words = ['null', 'true', 'false'];

/**
 * Reads members of a JSON object by their names; of one that is repeated, the last, as JSON.parse
 * does.
 * @param bytes UTF-8 without a byte order mark
 * @param names ASCII, without characters that JSON escapes
 * @param parse reads the JSON text of one value
 * @returns the members that are there; undefined when this is no whole JSON object, and for what is
 * better left to JSON.parse: very deep ones, and names with escapes
 */
export function scanJsonMembers(
  bytes: Uint8Array,
  names: readonly string[],
  parse: (json: string) => unknown = JSON.parse,
): Record<string, unknown> | undefined {
  const places = new JsonMembers(bytes, names);
  const start = skipSpace(bytes, 0);
  if (bytes[start] !== byte.openingBrace) return undefined;
  return skipValue(bytes, start, places) === bytes.length ? places.read(parse) : undefined;
}

/* Where the members that are looked for have their values. */
class JsonMembers {
  readonly bytes: Uint8Array;
  readonly names: readonly string[];
  readonly #found: (readonly [number, number] | undefined)[] = [];
  #name = -1;
  #valueAt = 0;
  #hasEscapes = false;

  constructor(bytes: Uint8Array, names: readonly string[]) {
    this.bytes = bytes;
    this.names = names;
  }

  /* A member has its name from here to there, quotes included, and then its value. */
  begin(nameAt: number, nameEnd: number, valueAt: number): void {
    const { bytes, names } = this;
    this.#name = names.findIndex(
      (name) => nameEnd - nameAt - 2 === name.length && isAt(bytes, nameAt + 1, name),
    );
    this.#valueAt = valueAt;
    for (let at = nameAt; at < nameEnd; at += 1)
      if (bytes[at] === byte.backslash) this.#hasEscapes = true;
  }

  /* Its value ends here. */
  end(at: number): void {
    if (this.#name >= 0) this.#found[this.#name] = [this.#valueAt, at];
  }

  read(parse: (json: string) => unknown): Record<string, unknown> | undefined {
    if (this.#hasEscapes) return undefined;
    const members: Record<string, unknown> = {};
    this.names.forEach((name, place) => {
      const found = this.#found[place];
      if (found !== undefined) members[name] = parse(utf8.decode(this.bytes.subarray(...found)));
    });
    return members;
  }
}

function isAt(bytes: Uint8Array, at: number, name: string): boolean {
  for (let place = 0; place < name.length; place += 1) {
    if (bytes[at + place] !== name.charCodeAt(place)) return false;
  }
  return true;
}

/*
 * Each `skip` takes the place where something begins and returns the one behind it, -1 when it is
 * not there whole; at -1 nothing begins.
 */

/* One loop for all levels: calls for each would cost as much as the rest. */
function skipValue(bytes: Uint8Array, from: number, places: JsonMembers): number {
  const closing = new Uint8Array(deepest);
  let depth = 0;
  let at = from;
  for (;;) {
    at = skipSpace(bytes, at);
    const code = bytes[at] as number;
    if (code === byte.openingBrace || code === byte.openingBracket) {
      if (depth === deepest) return -1;
      const close = code + 2;
      closing[depth] = close;
      depth += 1;
      at = skipSpace(bytes, at + 1);
      if (bytes[at] !== close) {
        if (code === byte.openingBrace) at = skipName(bytes, at, depth, places);
        continue;
      }
    } else {
      at = code === byte.quote ? skipString(bytes, at) : skipBare(bytes, at);
      if (at < 0) return -1;
    }
    // Here something has ended, or is empty and about to.
    for (;;) {
      at = skipSpace(bytes, at);
      if (depth === 0) return at;
      if (depth === 1) places.end(at);
      const close = closing[depth - 1];
      if (bytes[at] === byte.comma) {
        at += 1;
        if (close === byte.closingBrace) at = skipName(bytes, skipSpace(bytes, at), depth, places);
        break;
      }
      if (bytes[at] !== close) return -1;
      at += 1;
      depth -= 1;
    }
  }
}

/* A name and its colon. */
function skipName(bytes: Uint8Array, from: number, depth: number, places: JsonMembers): number {
  const end = skipString(bytes, from);
  const colon = skipSpace(bytes, end);
  if (bytes[colon] !== byte.colon) return -1;
  if (depth === 1) places.begin(from, end, colon + 1);
  return colon + 1;
}

/* A number, true, false or null. */
function skipBare(bytes: Uint8Array, at: number): number {
  const code = bytes[at] as number;
  if (code === byte.minus || isDigit(code)) return skipNumber(bytes, at);
  const word = words.find((text) => isAt(bytes, at, text));
  return word === undefined ? -1 : at + word.length;
}

/* So small that it is always inlined: mostly there is no space. */
function skipSpace(bytes: Uint8Array, at: number): number {
  return (bytes[at] as number) > byte.space ? at : skipSpaces(bytes, at);
}

function skipSpaces(bytes: Uint8Array, from: number): number {
  let at = from;
  while (isSpace(bytes[at] as number)) at += 1;
  return at;
}

function isSpace(code: number): boolean {
  return code === byte.space || code === byte.lineFeed || code === byte.return || code === byte.tab;
}

function skipString(bytes: Uint8Array, from: number): number {
  if (bytes[from] !== byte.quote) return -1;
  let at = from + 1;
  for (;;) {
    let code = bytes[at] as number;
    while (code >= byte.space && code !== byte.quote && code !== byte.backslash) {
      at += 1;
      code = bytes[at] as number;
    }
    if (code === byte.quote) return at + 1;
    at = code === byte.backslash ? skipEscape(bytes, at + 1) : -1;
    if (at < 0) return -1;
  }
}

function skipEscape(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== byte.u) return isOneOf('"\\/bfnrt', bytes[at]) ? at + 1 : -1;
  for (let digit = at + 1; digit <= at + 4; digit += 1) {
    if (!isOneOf('0123456789abcdefABCDEF', bytes[digit])) return -1;
  }
  return at + 5;
}

function isOneOf(characters: string, code: number | undefined): boolean {
  for (let at = 0; at < characters.length; at += 1)
    if (characters.charCodeAt(at) === code) return true;
  return false;
}

function skipNumber(bytes: Uint8Array, from: number): number {
  let at = bytes[from] === byte.minus ? from + 1 : from;
  at = bytes[at] === byte.zero ? at + 1 : skipDigits(bytes, at);
  if (bytes[at] === byte.point) at = skipDigits(bytes, at + 1);
  if (bytes[at] !== byte.lowerE && bytes[at] !== byte.upperE) return at;
  const isSigned = bytes[at + 1] === byte.plus || bytes[at + 1] === byte.minus;
  return skipDigits(bytes, isSigned ? at + 2 : at + 1);
}

function skipDigits(bytes: Uint8Array, from: number): number {
  let at = from;
  while (isDigit(bytes[at] as number)) at += 1;
  return at > from ? at : -1;
}

function isDigit(code: number): boolean {
  return code >= byte.zero && code <= byte.nine;
}
