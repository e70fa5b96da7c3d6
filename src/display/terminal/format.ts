/*
 * Counts, shares, dates, durations and regions as people read them, in English. The formatters of
 * Intl are built on first use, because most commands need none of them.
 */
import type { ColumnValue } from '../query/query.ts';
import { sanitize } from './sanitize.ts';

/** Formats whole numbers with separators: 1,234,567. */
export const count = {
  format: (value: number): string => String(value).replace(/\B(?=(?:\d{3})+$)/g, ','),
};

/**
 * Counts things in words, such as "1 row" and "1,234 rows".
 *
 * @param singular the noun, with its verb where it has one
 */
export function plural(number: number, singular: string, several = `${singular}s`): string {
  return `${count.format(number)} ${number === 1 ? singular : several}`;
}

/**
 * Formats a number with the digits that were received, for programs and exact views.
 *
 * A whole number beyond 2^53 has lost its last digits, and JavaScript would write zeros in their
 * place. Scientific notation shows only received digits, the last of them rounded.
 */
export function numberText(value: number): string {
  const isRounded = Number.isInteger(value) && !Number.isSafeInteger(value);
  return isRounded ? value.toExponential() : String(value);
}

/** Writes a value in full on one line; missing data is empty. */
export function fieldText(value: ColumnValue): string {
  if (typeof value === 'number') return numberText(value);
  return sanitize(String(value ?? '')).trim();
}

/** Rounds half up. A quotient that should be half may be a double below it. */
export function roundHalf(value: number): number {
  return Math.round(Number(value.toPrecision(12)));
}

/**
 * Formats a share in whole percent, as sentences write the part of a whole. Tables, lists of all
 * parts, the share of one supplier, changes, and shares that are compared with a goal have tenths,
 * because less than one point matters there: `numberFormats.share` writes them. Only all of it is
 * 100%, and only nothing of it is 0%.
 */
export function percentText(part: number, total: number): string {
  if (part <= 0 || total <= 0) return '0%';
  const percent = roundHalf((100 * part) / total);
  if (percent === 0) return '<1%';
  return percent === 100 && part < total ? '>99%' : `${percent}%`;
}

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** Formats the day of an ISO 8601 date or time, such as `3 Mar 2025`; other text stays as it is. */
export function dateText(text: string | null | undefined): string | undefined {
  const day = /^[1-9]\d{3}-\d\d-\d\d(?![^T ])/.exec(text ?? '')?.[0];
  if (day === undefined) return text ?? undefined;
  const [year, month, date] = day.split('-');
  const name = months[Number(month) - 1];
  return name === undefined ? (text ?? undefined) : `${Number(date)} ${name} ${year}`;
}

const units = [
  { name: 'd', seconds: 86_400 },
  { name: 'h', seconds: 3_600 },
  { name: 'min', seconds: 60 },
  { name: 's', seconds: 1 },
] as const;

/**
 * Formats milliseconds in their two largest units, such as `8 s`, `2 min 5 s` or `1 h 3 min`.
 */
export function renderDuration(ms: number): string {
  let seconds = ms > 0 ? Math.floor(ms / 1_000) : 0;
  const largest = units.findIndex((unit) => seconds >= unit.seconds);
  if (largest === -1) return '0 s';
  const parts = units.slice(largest, largest + 2).map((unit) => {
    const amount = Math.floor(seconds / unit.seconds);
    seconds -= amount * unit.seconds;
    return amount > 0 ? `${amount} ${unit.name}` : '';
  });
  return parts.filter(Boolean).join(' ');
}

export function cut(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max)}…` : text;
}

/**
 * Lists the first names, each cut to 60 characters: "a, b, c and 1,234 more".
 * @param all number of names, if these are only some of them
 */
export function naming(names: readonly string[], max = 3, all = names.length): string {
  const named = names.slice(0, max).map((name) => cut(name, 60));
  return andMore(named.join(', '), all - named.length);
}

/** Adds how many others there are, if any: "a, b and 1,234 more". */
export function andMore(text: string, others: number): string {
  return others > 0 ? `${text} and ${count.format(others)} more` : text;
}

/** Names lines: "line 7", "lines 2, 3 and 9", "lines 2, 3, 9 and 4 more lines". */
export function linesText(lines: readonly number[]): string {
  const shown = lines.slice(0, 3);
  const others = lines.length - shown.length;
  if (others > 0) return `lines ${shown.join(', ')} and ${plural(others, 'more line')}`;
  return `${lines.length === 1 ? 'line' : 'lines'} ${listing(shown)}`;
}

/** Joins all words: "2023, 2024 and 2025". */
export function listing(words: readonly (string | number)[]): string {
  const last = words.at(-1);
  return words.length < 2 ? `${last ?? ''}` : `${words.slice(0, -1).join(', ')} and ${last}`;
}
