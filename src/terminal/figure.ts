/*
 * Amounts, money, scores and percentiles as people read them, in English, with plain spaces. A pipe
 * shows every digit, a terminal rounds to what the eye can compare. Amounts carry no unit, because
 * the specification documents none.
 */
import { numberText } from './format.ts';

/** A number in two lengths. */
export interface Figure {
  /** All digits, for a pipe. */
  readonly exact: string;
  /** Whole numbers above 100, else three significant digits. */
  readonly rounded: string;
  /** Three significant digits and K, M, B or T, for narrow tables. */
  readonly compact: string;
}

const exactFormat = new Intl.NumberFormat('en', { maximumFractionDigits: 20 });
const wholeFormat = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const shortFormat = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });
const compactFormat = new Intl.NumberFormat('en', {
  notation: 'compact',
  minimumSignificantDigits: 3,
  maximumSignificantDigits: 3,
});
const tenthFormat = new Intl.NumberFormat('en', {
  maximumFractionDigits: 1,
  signDisplay: 'negative',
});
const fixedFormat = new Intl.NumberFormat('en', {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
  signDisplay: 'negative',
});
const ordinalEndings = { one: 'st', two: 'nd', few: 'rd', many: 'th', zero: 'th', other: 'th' };
const ordinals = new Intl.PluralRules('en', { type: 'ordinal' });

/** Formats an amount; each length is computed when it is read. */
export function figure(value: number): Figure {
  const size = Math.abs(value);
  const plain = value === 0 ? 0 : value;
  const isExtreme = size !== 0 && (size >= 1e15 || size < 1e-6);
  const write = (format: Intl.NumberFormat) =>
    isExtreme ? value.toExponential(2) : format.format(plain);
  return {
    get exact() {
      return isExtreme ? numberText(value) : exactFormat.format(plain);
    },
    get rounded() {
      return write(size >= 100 ? wholeFormat : shortFormat);
    },
    get compact() {
      return write(size >= 1_000 ? compactFormat : shortFormat);
    },
  };
}

/**
 * Formats money with the code of the currency that the record names; without a currency only the
 * amount.
 */
export function money(value: number, currency: string | undefined): Figure {
  const amount = figure(value);
  if (currency === undefined)
    return { exact: amount.exact, rounded: amount.compact, compact: amount.compact };
  const known =
    Math.abs(value) < 1e15
      ? currencyFormat(currency, Math.abs(value) >= 1_000)?.format(value + 0)
      : undefined;
  const named = plainSpaces(known ?? `${amount.compact} ${currency}`);
  const compact = named.includes(currency) ? named : `${named} ${currency}`;
  return { exact: `${amount.exact} ${currency}`, rounded: compact, compact };
}

function currencyFormat(currency: string, isLarge: boolean): Intl.NumberFormat | undefined {
  if (!/^[A-Z]{3}$/.test(currency)) return undefined;
  return new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    notation: 'compact',
    minimumSignificantDigits: isLarge ? 3 : 1,
    maximumSignificantDigits: 3,
  });
}

function plainSpaces(text: string): string {
  return text.replace(/[\u00a0\u202f]/g, ' ');
}

/**
 * Formats a score (0 to 1) from 0 to 100 with at most one decimal; a score out of range stays as
 * the service sent it.
 */
export function scoreText(score: number): string {
  return isScore(score) ? tenthFormat.format(score * 100) : scoreAsSent(score);
}

/** Formats a score like `scoreText`, but always with one decimal, for columns of scores. */
export function scoreInColumn(score: number): string {
  return isScore(score) ? fixedFormat.format(score * 100) : scoreAsSent(score);
}

function isScore(score: number): boolean {
  return score >= 0 && score <= 1;
}

function scoreAsSent(score: number): string {
  return `${figure(score).exact} (not from 0 to 1, shown as sent)`;
}

/** Describes a percentile (0 to 100); one out of range stays as the service sent it. */
export function percentileText(percentile: number): string {
  if (percentile < 0 || percentile > 100)
    return `${figure(percentile).exact} (not from 0 to 100, shown as sent)`;
  if (percentile === 100) return '100th, among the highest of the industry';
  if (percentile === 0) return '0th, among the lowest of the industry';
  const shown = Math.min(99.9, Math.max(0.1, Math.round(percentile * 10) / 10));
  const share = `higher than about ${shown}% of the industry`;
  // English has no ordinals of fractions.
  if (!Number.isInteger(shown)) return `${shown}, ${share}`;
  return `${shown}${ordinalEndings[ordinals.select(shown)]}, ${share}`;
}
