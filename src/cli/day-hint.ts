/* Says how to write a day, which people write in many ways, and programs in one. */
import { dayAt } from '../runtime/clock.ts';

/**
 * Proposes the days that a text seems to mean, otherwise yesterday.
 * @param now milliseconds since 1970
 */
export function hintAtDay(flag: string, text: string, now: number): string {
  const today = dayAt(now);
  const meant = [...new Set(meantDays(text.trim().toLowerCase(), today))];
  return meant.length === 0
    ? `Write a day as YYYY-MM-DD, such as ${flag} ${before(today, 1, 'd')}.`
    : `Write the day as YYYY-MM-DD: ${meant.map((day) => `${flag} ${day}`).join(' or ')}.`;
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const ago = /^(\d+|an?|one|last|past)? ?(d|w|m|y)(?:ay|eek|onth|ear)?s?(?: ago)?$/;

/* Returns the days that a text may mean, such as the first and the last one of a month. */
function meantDays(text: string, today: string): string[] {
  if (/^(today|now)$/.test(text)) return [today];
  if (text === 'yesterday') return [before(today, 1, 'd')];
  const [, number = 'one', unit] = ago.exec(text) ?? [];
  if (unit !== undefined) return number === '0' ? [] : [before(today, Number(number) || 1, unit)];
  const [first = 0, second = 0, third = 0] = numbersIn(text);
  const word = months.indexOf(/\p{L}{3}/u.exec(text)?.[0] ?? '') + 1;
  if (word > 0) return known(dayOf(second, word, first));
  if (/^\d{4}$/.test(text)) return [`${text}-01-01`, `${text}-12-31`];
  if (/^\d{4}-\d\d?$/.test(text)) return known(dayOf(first, second, 1), lastOf(first, second));
  if (/^\d{8}$/.test(text)) return meantDays(text.replace(/(..)(..)$/, '-$1-$2'), today);
  if (/^\d{4}\D/.test(text)) return known(dayOf(first, second, third) ?? lastOf(first, second));
  const dayFirst = dayOf(third, second, first);
  // Slashes do not say which of the two is the month.
  return text.includes('/') ? known(dayOf(third, first, second), dayFirst) : known(dayFirst);
}

function known(...days: readonly (string | undefined)[]): string[] {
  return days.filter((day) => day !== undefined);
}

function numbersIn(text: string): number[] {
  return (text.match(/\d+/g) ?? []).map(Number);
}

/* Returns a day of the calendar, `YYYY-MM-DD`; undefined if there is no such day. */
function dayOf(year = 0, month = 0, day = 0): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  const isDay = year >= 1000 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isDay ? date.toISOString().slice(0, 10) : undefined;
}

function lastOf(year: number, month: number): string | undefined {
  return [31, 30, 29, 28].map((day) => dayOf(year, month, day)).find((day) => day !== undefined);
}

function before(today: string, number: number, unit: string): string {
  const [year = 0, month = 0, day = 0] = numbersIn(today);
  const days = { d: 1, w: 7 }[unit];
  if (days !== undefined) return dayAt(Date.UTC(year, month - 1, day - days * number));
  const sum = 12 * year + month - 1 - number * (unit === 'y' ? 12 : 1);
  const [then, of] = [Math.floor(sum / 12), (sum % 12) + 1];
  return dayOf(then, of, day) ?? lastOf(then, of) ?? today;
}
