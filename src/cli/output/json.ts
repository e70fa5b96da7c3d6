/*
 * JSON formatted as text, never parsed and written again: numbers, key order and repeated keys stay
 * as they were received. The text must be valid JSON. No recursion: depth costs nothing but a
 * counter.
 */

import { unsafeCharacter } from '../../terminal/sanitize.ts';
import type { Style } from '../../terminal/style.ts';

/* Deeper levels are indented no further, so that output stays in proportion to its input. */
const maxIndent = 32;

/** Drops the white space outside strings. */
export function compactJson(json: string): string {
  let out = '';
  forEachToken(json, (token) => {
    out += token;
  });
  return out;
}

/**
 * Indents by two spaces, 32 levels at most; empty objects and lists stay together. Colours when
 * given a style.
 */
export function indentJson(json: string, style?: Style): string {
  let out = '';
  let depth = 0;
  let before = '';
  const newLine = () => `\n${'  '.repeat(Math.max(0, Math.min(depth, maxIndent)))}`;
  forEachToken(json, (token, isKey) => {
    if (token === '}' || token === ']') {
      depth -= 1;
      if (!opens(before)) out += newLine();
    } else if (opens(before) || before === ',') {
      out += newLine();
    }
    out += style ? paint(token, isKey, style) : token;
    if (token === ':') out += ' ';
    if (opens(token)) depth += 1;
    before = token;
  });
  return out;
}

/**
 * Writes what is unsafe on a terminal as \uXXXX escapes: the same JSON value in other characters.
 */
export function escapeForTerminal(json: string): string {
  return json.replace(unsafeCharacter(), (character) => {
    if (character === '\n' || character === '\t') return character;
    if (character === '\r') return '\n';
    return Array.from({ length: character.length }, (_, at) => {
      return `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
    }).join('');
  });
}

function opens(token: string): boolean {
  return token === '{' || token === '[';
}

function paint(token: string, isKey: boolean, style: Style): string {
  const first = token.charAt(0);
  if (first === '"') return isKey ? style.blue(token) : style.green(token);
  if ('{}[],:'.includes(first)) return style.dim(token);
  return first === 'n' ? style.dim(token) : style.yellow(token);
}

function forEachToken(json: string, take: (token: string, isKey: boolean) => void): void {
  let at = skipSpace(json, 0);
  while (at < json.length) {
    const end = endOfToken(json, at);
    const next = skipSpace(json, end);
    take(json.slice(at, end), json[next] === ':');
    at = next;
  }
}

function skipSpace(json: string, from: number): number {
  let at = from;
  while (at < json.length && ' \t\n\r'.includes(json.charAt(at))) at += 1;
  return at;
}

function endOfToken(json: string, from: number): number {
  const first = json.charAt(from);
  if ('{}[],:'.includes(first)) return from + 1;
  let at = from + 1;
  if (first !== '"') {
    while (at < json.length && !' \t\n\r{}[],:"'.includes(json.charAt(at))) at += 1;
    return at;
  }
  while (at < json.length && json.charAt(at) !== '"') at += json.charAt(at) === '\\' ? 2 : 1;
  return Math.min(at + 1, json.length);
}
