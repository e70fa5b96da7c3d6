/* Says how to write the value of an option. Loaded only for a wrong one. */
import { type Hint, joinHints } from '../runtime/hint.ts';
import { nearestNames } from '../runtime/nearest.ts';
import { hintAtDay } from './day-hint.ts';
import { joinChoices, type WrongValue } from './options.ts';

/** @param now milliseconds since 1970 */
export function hintAtValue(value: WrongValue, now: number): Hint | undefined {
  const { flag, text, day, rate, count, choices } = value;
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
    : `Write a whole number from ${min} to ${max}, such as ${flag} ${example}.`;
}

function hintAtRate(flag: string, text: string): string {
  const meant = numberIn(text);
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
  const called = words.filter((word) => alsoCalled[word]?.includes(lower));
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
