/*
 * Formats JSON as text without parsing it, so that numbers, key order and repeated keys stay as the
 * service sent them. The text must be valid JSON. There is no recursion: any depth needs only a
 * counter.
 */
import { unsafeCharacter } from '../../display/terminal/sanitize.ts';

/* Deeper levels share this indentation, so that output stays proportional to its input. */
const maxIndent = 32;

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

const quote = 34;

/** Indents by two spaces, at most 32 levels; empty objects and lists stay on one line. */
export function indentJson(json: string): string {
  let out = '';
  let depth = 0;
  let before = '';
  const newLine = () => `\n${'  '.repeat(Math.max(0, Math.min(depth, maxIndent)))}`;
  forEachToken(json, (token) => {
    if (token === '}' || token === ']') {
      depth -= 1;
      if (!opens(before)) out += newLine();
    } else if (opens(before) || before === ',') {
      out += newLine();
    }
    out += token === ':' ? ': ' : token;
    if (opens(token)) depth += 1;
    before = token;
  });
  return out;
}

/** Escapes characters that are unsafe on a terminal as \uXXXX, which keeps the JSON value. */
export function escapeForTerminal(json: string): string {
  return json.replace(unsafeCharacter(), (character) => {
    if (character === '\n' || character === '\t') return character;
    if (character === '\r') return '\n';
    return Array.from({ length: character.length }, (_, index) => {
      return `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`;
    }).join('');
  });
}

function opens(token: string): boolean {
  return token === '{' || token === '[';
}

function forEachToken(json: string, visit: (token: string) => void): void {
  let start = skipSpace(json, 0);
  while (start < json.length) {
    const end = endOfToken(json, start);
    visit(json.slice(start, end));
    start = skipSpace(json, end);
  }
}

function skipSpace(json: string, from: number): number {
  let index = from;
  while (isSpace(json.charCodeAt(index))) index += 1;
  return index;
}

function isSpace(code: number): boolean {
  return code === 32 || (code < 14 && (code === 9 || code === 10 || code === 13));
}

function endOfToken(json: string, from: number): number {
  const first = json.charAt(from);
  if ('{}[],:'.includes(first)) return from + 1;
  let index = from + 1;
  if (first !== '"') {
    while (index < json.length && !' \t\n\r{}[],:"'.includes(json.charAt(index))) index += 1;
    return index;
  }
  while (index < json.length && json.charAt(index) !== '"')
    index += json.charAt(index) === '\\' ? 2 : 1;
  return Math.min(index + 1, json.length);
}
