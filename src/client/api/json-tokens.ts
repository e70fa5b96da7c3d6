/*
 * Finds the tokens of JSON without parsing it, so that text passes through as it was written:
 * numbers, key order and repeated keys unchanged. The text must be valid JSON. There is no
 * recursion: any depth needs only a counter.
 */

/** Visits the tokens in order, with the positions of their first and after their last character. */
export function forEachToken(json: string, visit: (start: number, end: number) => void): void {
  let start = skipSpace(json, 0);
  while (start < json.length) {
    const end = endOfToken(json, start);
    visit(start, end);
    start = skipSpace(json, end);
  }
}

/** Drops the white space between tokens. */
export function compactJson(json: string): string {
  let out = '';
  let copied = 0;
  for (let index = 0; index < json.length; ) {
    const next = skipSpace(json, index);
    if (next > index) {
      out += json.slice(copied, index);
      copied = next;
    }
    index = json.charCodeAt(next) === quote ? endOfToken(json, next) : next + 1;
  }
  return out + json.slice(copied);
}

/** Returns the text of a member of a JSON object; the last one counts if the name repeats. */
export function memberText(json: string, wanted: string): string | undefined {
  let found: string | undefined;
  let depth = 0;
  let name: string | undefined;
  // Where the current name or value begins, and where the token before ends.
  let first = 0;
  let last = 0;
  forEachToken(json, (start, end) => {
    const token = json[start];
    if (token === '}' || token === ']') depth -= 1;
    if (depth === 1 && token === ':') {
      name = JSON.parse(json.slice(first, last));
      first = end;
    } else if (token === ',' ? depth === 1 : depth === 0 && token === '}') {
      if (name === wanted) found = json.slice(first, last).trim();
      first = end;
    }
    if (token === '{' || token === '[') {
      depth += 1;
      if (depth === 1) first = end;
    }
    last = end;
  });
  return found;
}

const quote = 34;
const backslash = 92;

/* Whether a character ends a number or a word: white space, a quote, or a token of its own. */
const ends = new Uint8Array(128);
for (const character of ' \t\n\r{}[],:"') ends[character.charCodeAt(0)] = 1;

function skipSpace(json: string, from: number): number {
  let index = from;
  while (isSpace(json.charCodeAt(index))) index += 1;
  return index;
}

function isSpace(code: number): boolean {
  return code === 32 || (code < 14 && (code === 9 || code === 10 || code === 13));
}

function endOfToken(json: string, from: number): number {
  const first = json.charCodeAt(from);
  let index = from + 1;
  if (first === quote) {
    for (let code = json.charCodeAt(index); index < json.length && code !== quote; ) {
      index += code === backslash ? 2 : 1;
      code = json.charCodeAt(index);
    }
    return Math.min(index + 1, json.length);
  }
  if (ends[first]) return index;
  while (index < json.length && !ends[json.charCodeAt(index)]) index += 1;
  return index;
}
