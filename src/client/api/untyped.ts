/*
 * Fields whose types the specification does not give. Any JSON value passes. A value of another
 * type than the usual one becomes that type where nothing is lost. Otherwise it stays as text,
 * which people see as it came, and which no calculation uses.
 */
import { isObject } from './ids.ts';

/* The grammar of a number in JSON: `1,5` and `1.234,5` could mean several numbers. */
const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** Returns a number, also one that is a JSON text such as `"2024"`; otherwise the value as text. */
export function numberOrText(value: unknown): number | string {
  if (Number.isFinite(value)) return value as number;
  const text = anyText(value);
  const number = jsonNumber.test(text.trim()) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : text;
}

/** Returns a boolean, also `"true"` and `"false"`; otherwise the value as text. */
export function flagOrText(value: unknown): boolean | string {
  if (typeof value === 'boolean') return value;
  const text = anyText(value);
  return text === 'true' || (text !== 'false' && text);
}

/** Returns a value as it came: a text without its quotes, anything else as JSON. */
export function anyText(value: unknown): string {
  if (typeof value === 'string') return value;
  // JSON.parse reads a number beyond the range of a double, such as 1e999, as infinite.
  if (value === Number.POSITIVE_INFINITY) return 'above 1.8e308';
  if (value === Number.NEGATIVE_INFINITY) return 'below -1.8e308';
  return JSON.stringify(value);
}

/**
 * Returns a value instead of an object as the one member that it stands for: `123` of emissions is
 * their total, `"Committed"` of a target its status.
 *
 * @param main the member; a boolean of a target is `has_target`
 */
export function asMember(value: unknown, main: string): Readonly<Record<string, unknown>> {
  if (isObject(value)) return value;
  return { [typeof value === 'boolean' && main !== 'total' ? 'has_target' : main]: value };
}
