/*
 * Amounts, money, scores and percentiles as people read them, in English, with plain spaces. A
 * terminal rounds to what the eye can compare. Amounts carry no unit, because the specification
 * documents none.
 */
import { formatLocale } from 'd3-format';
import { count, numberText, roundHalf } from './format.ts';

export interface Figure {
  /** Up to 15 digits without separators, for a pipe. */
  readonly plain: string;
  /** Up to 15 digits with separators. */
  readonly exact: string;
  /** Whole numbers above 100, else three significant digits. */
  readonly rounded: string;
  /** Three significant digits and K, M, B or T, for narrow tables. */
  readonly compact: string;
}

/* Building the first number format of Intl takes a quarter of an everyday command. */
const locale = { decimal: '.', thousands: ',', grouping: [3] };
const { format } = formatLocale({ ...locale, currency: ['', ''], minus: '−' });

/** Formats numbers; the decimals of `share`, `amount` and `score` keep their zeros. */
export const numberFormats = {
  exact: format(',.15~r'),
  whole: format(',.0f'),
  short: format(',.3~r'),
  /** Three significant digits and k, M, G or T, for at least a thousand. */
  compact: format('.3s'),
  score: format('.1f'),
  /** A share from 0 to 1 in percent, rounded half up. */
  share: shareInTenths,
  amount: format(',.2f'),
  /** Six significant digits without separators. */
  plain: formatLocale({ ...locale, currency: ['', ''], minus: '-' }).format('.6~r'),
};

/* Only all of it is 100.0%, and only nothing of it is 0.0%. */
function shareInTenths(share: number): string {
  const sign = share < 0 ? '−' : '';
  const size = Math.abs(share);
  // With a minus sign, "<" would say the opposite.
  if (size > 0 && size < 0.000_5) return share < 0 ? '−0.0%' : '<0.1%';
  if (size < 1 && size >= 0.999_5) return `${sign}>99.9%`;
  return `${sign}${(roundHalf(1_000 * size) / 10).toFixed(1)}%`;
}

/* The letters of d3-format, those of English, and the words. */
const units = {
  k: ['K', 'thousand'],
  M: ['M', 'million'],
  G: ['B', 'billion'],
  T: ['T', 'trillion'],
} as const;

/** Formats an amount; each length is computed when it is read. */
export function figure(value: number): Figure {
  const size = Math.abs(value);
  const plain = value === 0 ? 0 : value;
  const isExtreme = size !== 0 && (size >= 1e15 || size < 1e-6);
  const shorten = (name: 'whole' | 'short' | 'compact') =>
    isExtreme ? withMinus(value.toExponential(2)) : numberFormats[name](plain);
  return {
    get plain() {
      return plainNumber(value);
    },
    get exact() {
      return isExtreme ? withMinus(plainNumber(value)) : numberFormats.exact(plain);
    },
    get rounded() {
      return shorten(size >= 100 ? 'whole' : 'short');
    },
    get compact() {
      return shorten(size >= 1_000 ? 'compact' : 'short').replace(
        /[kG]$/,
        (letter) => units[letter as 'k' | 'G'][0],
      );
    },
  };
}

/**
 * Formats an amount for a sentence: whole, such as `3,620`, and from a million with three
 * significant digits, such as `4.94 million`.
 */
export function amountInWords(value: number): string {
  const { compact, rounded } = figure(value);
  if (Math.abs(value) < 999_999.5) return rounded;
  const unit = Object.values(units).find(([letter]) => compact.endsWith(letter));
  if (unit === undefined) return compact;
  const size = Number(compact.replace('−', '').slice(0, -1));
  return `${value < 0 ? '−' : ''}${size} ${unit[1]}`;
}

/* People read a minus sign; an exponent keeps its hyphen. */
function withMinus(text: string): string {
  return text.replace(/^-/, '−');
}

/** Formats a number for programs: at most 15 digits, because sums of fractions err in the 16th. */
export function plainNumber(value: number): string {
  if (Number.isInteger(value)) return numberText(value + 0);
  return String(Number(value.toPrecision(15)));
}

/**
 * Formats a share as a change: `+10.1%` or `−38.0%`, `+0.03%` for one that would round to nothing;
 * a dash without one.
 */
export function changeText(share: number | null): string {
  if (share === null) return '–';
  // A quotient of equal sums may differ from 1 in its last digit.
  if (Math.abs(share) < 1e-12) return '+0.0%';
  const size = changeSize(share);
  if (size === undefined) return smallChange(share);
  return `${share < 0 ? '−' : '+'}${size}`;
}

/** Formats a change that one decimal would show as none: `+0.03%`. */
export function smallChange(share: number): string {
  return `${share < 0 ? '−' : '+'}${(roundHalf(10_000 * Math.abs(share)) / 100).toFixed(2)}%`;
}

/** Formats the size of a change: `10.1%`; undefined for one that rounds to nothing. */
export function changeSize(share: number): string | undefined {
  const size = roundHalf(1_000 * Math.abs(share)) / 10;
  if (size === 0) return undefined;
  if (size >= 1e6) return '>1,000,000%';
  return `${size < 1_000 ? size.toFixed(1) : count.format(roundHalf(100 * Math.abs(share)))}%`;
}

/** Formats money in the currency that the record names, if it names one. */
export function money(value: number, currency: string | undefined): Figure {
  const amount = figure(value);
  const compact = withCode(amount.compact, currency);
  return {
    plain: amount.plain,
    exact: withCode(amount.exact, currency),
    rounded: compact,
    compact,
  };
}

function withCode(amount: string, currency: string | undefined): string {
  return currency === undefined ? amount : `${amount} ${currency}`;
}

/** Marks a value that is out of its range, which would otherwise look like another one. */
export function invalidText(value: number): string {
  return `invalid: ${Number(value.toPrecision(6))}`;
}

/** Marks a value that is no number, as the service sent it, where a number is usual. */
export function notReadable(value: string): string {
  return `not readable: ${value}`;
}

/** Formats a score (0 to 1) from 0 to 100 with at most one decimal; marks any other value. */
export function scoreText(score: number): string {
  return scoreInColumn(score).replace(/\.0$/, '');
}

export function scoreInColumn(score: number): string {
  if (!(score >= 0 && score <= 1)) return invalidText(score);
  return numberFormats.score(Math.round(score * 1_000) / 10);
}

/** Describes a percentile (0 to 100); marks any other value. */
export function percentile(value: number): Pick<Figure, 'plain' | 'rounded'> {
  if (!(value >= 0 && value <= 100))
    return { plain: invalidText(value), rounded: invalidText(value) };
  return { plain: plainNumber(value), rounded: `${Math.round(value * 10) / 10} in its industry` };
}
