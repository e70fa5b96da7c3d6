/*
 * Prepares records for the reader of a tool result, which may be a language model. Their text is
 * untrusted: control and invisible characters could hide instructions.
 */
import { isObject } from '../api/ids.ts';
import { sanitize } from '../terminal/sanitize.ts';

/* A real record stays far below these limits. */
const maxDepth = 24;
const maxItems = 500;
const maxTextLength = 4_000;
const maxValues = 20_000;

/** A value whose text is safe, and the number of values that the limits cut or omitted. */
export interface PlainValue {
  readonly value: unknown;
  readonly omitted: number;
}

/**
 * Returns a JSON value whose text, including the names of members, contains no control or invisible
 * character.
 *
 * Cuts text after 4,000 characters. Omits items and members after the first 500 of a list or
 * object, values below the 24th level, and values after the first 20,000.
 */
export function toPlainValue(value: unknown): PlainValue {
  let omitted = 0;
  let values = 0;
  function plain(part: unknown, depth: number): unknown {
    values += 1;
    if (values > maxValues) {
      omitted += 1;
      return null;
    }
    if (typeof part === 'string') {
      if (part.length > maxTextLength) omitted += 1;
      return sanitize(part.slice(0, maxTextLength));
    }
    if (typeof part !== 'object' || part === null) return part;
    if (depth >= maxDepth) {
      omitted += 1;
      return null;
    }
    if (Array.isArray(part)) {
      if (part.length > maxItems) omitted += part.length - maxItems;
      return part.slice(0, maxItems).map((item) => plain(item, depth + 1));
    }
    const entries = isObject(part) ? Object.entries(part) : [];
    if (entries.length > maxItems) omitted += entries.length - maxItems;
    return Object.fromEntries(
      entries
        .slice(0, maxItems)
        .map(([name, item]) => [sanitize(name.slice(0, maxTextLength)), plain(item, depth + 1)]),
    );
  }
  return { value: plain(value, 0), omitted };
}
