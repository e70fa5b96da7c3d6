/* Says how to write the value of an option. Loaded only for a wrong one. */
import { type Hint, joinHints } from '../runtime/hint.ts';
import { nearestNames } from '../runtime/nearest.ts';
import { hintAtDay } from './day-hint.ts';
import { joinChoices, type WrongValue } from './options.ts';

/** @param now milliseconds since 1970 */
export function hintAtValue(value: WrongValue, now: number): Hint | undefined {
  const { flag, text, day, rate, year, duration, count, choices } = value;
  if (year) return hintAtYear(flag, text);
  if (duration) return hintAtDuration(flag, text);
  if (day) return hintAtDay(flag, text, now);
  if (rate) return hintAtRate(flag, text);
  if (count) return hintAtCount(flag, text, count);
  return choices && hintAtChoice(flag, text, choices);
}

function hintAtCount(
  flag: string,
  text: string,
  { min, max, example }: NonNullable<WrongValue['count']>,
): string {
  const meant = numberIn(text);
  return Number.isInteger(meant) && meant >= min && meant <= max
    ? `Did you mean ${flag} ${meant}?`
    : `Write a whole number, such as ${flag} ${example}.`;
}

/* Proposes the year that a text has, such as `FY25`, or the options for two. */
function hintAtYear(flag: string, text: string): string {
  const whole = text.match(/(?<!\d)(?:19|20)\d\d(?!\d)/g) ?? [];
  const short = text.match(/(?<!\d)\d\d(?!\d)/g) ?? [];
  const years = (whole.length > 0 ? whole : short.map((each) => `20${each}`)).sort();
  const [first, last] = [years[0], years.at(-1)];
  if (years.length === 2 && first !== last && flag === '--year')
    return `Write one year. To compare two: --year ${last} --compare ${first}.`;
  return years.length === 1
    ? `Did you mean ${flag} ${first}?`
    : `Write one year, such as ${flag} 2025.`;
}

const timeUnits: readonly (readonly [unit: string, words: RegExp])[] = [
  ['ms', /^(?:ms|msecs?|millis.*)$/],
  ['s', /^s(?:ec|ek)?/],
  ['m', /^m(?:in.*)?$/],
  ['h', /^(?:h(?:r|our)?s?|std|stunden?)$/],
  ['d', /^(?:d(?:ay)?s?|tage?)$/],
];
const weeks = /^w(?:eeks?|ochen?)?$/;

function hintAtDuration(flag: string, text: string): string {
  const parts = [...text.toLowerCase().matchAll(/(\d+(?:[.,]\d+)?)\s*([a-z]*)/g)].map(
    ([, amount = '', word = '']) => {
      if (weeks.test(word))
        return { amount: String(Number(amount.replace(',', '.')) * 7), word, unit: 'd' };
      const [unit] = timeUnits.find(([, words]) => words.test(word)) ?? [];
      return { amount: amount.replace(',', '.'), word, unit };
    },
  );
  const [only] = parts;
  if (parts.length === 1 && only?.word === '')
    return `Add the unit: ${flag} ${only.amount}s or ${flag} ${only.amount}m.`;
  const isRead = parts.length > 0 && parts.every(({ unit }) => unit !== undefined);
  return isRead
    ? `Did you mean ${flag} ${parts.map(({ amount, unit }) => amount + unit).join('')}?`
    : `Write a duration such as ${flag} 30s, 10m, 1h or 7d.`;
}

function hintAtRate(flag: string, text: string): string {
  const [, per = ''] = /(?:\/|per)\s*(?:1\s*)?([mh])/i.exec(text) ?? [];
  const seconds = { m: 60, h: 3600 }[per.toLowerCase()] ?? 1;
  const meant = Number((numberIn(text) / seconds).toPrecision(2));
  return meant > 0
    ? `Did you mean ${flag} ${Math.min(meant, 1_000_000)}?`
    : `Write the requests per second, such as ${flag} 10.`;
}

/* Returns the only number of a text, such as `3 years`, `-5` or `1,000`; otherwise NaN. */
function numberIn(text: string): number {
  const digits = text.replace(/(?<=\d)[,' ](?=\d{3})/g, '');
  return Number(/^[^\d.]*(\d+(?:\.\d+)?)[^\d.]*$/.exec(digits)?.[1] ?? Number.NaN);
}

function hintAtChoice(
  flag: string,
  text: string,
  { words, alsoCalled = {}, advice }: NonNullable<WrongValue['choices']>,
): Hint | undefined {
  const lower = text.toLowerCase();
  const called = words.filter((word) => word === lower || alsoCalled[word]?.includes(lower));
  const [meant, other] = called.length > 0 ? called : wordsLike(lower, words);
  return meant !== undefined && other === undefined
    ? `Did you mean ${flag} ${meant}?`
    : joinHints(hintAtChoices(flag, words), advice);
}

/* A text of one or two letters is near too many words. */
function wordsLike(text: string, words: readonly string[]): readonly string[] {
  if (text.length < 3) return [];
  const longer = words.filter((word) => word.startsWith(text));
  return longer.length > 0 ? longer : nearestNames(text, words);
}

/** Shows the values of an option as they are typed. */
export function hintAtChoices(flag: string, words: readonly string[]): string {
  const forms = words.map((word) => `${flag} ${word}`);
  return `Write ${joinChoices(forms)}.`;
}
