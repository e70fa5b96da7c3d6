/*
 * Splits a cell into sign, number and currency. Which of `.` and `,` is the decimal sign is decided
 * later, for the entire column.
 */
import { cellValue } from '../../table/cell.ts';
import { type Decimal, negate } from './decimal.ts';
import { isScaleWord } from './spend-header.ts';

/** The character before the decimal places. */
export type DecimalSign = '.' | ',';

/** A cell with a number. */
export interface WrittenAmount {
  readonly isNegative: boolean;
  /** Digits with decimal sign and grouping signs, such as `1.234,50`. */
  readonly body: string;
  /** Power of ten of a number in scientific notation. */
  readonly exponent: number | undefined;
  /** The currency code or sign beside the number, such as `EUR` or `$`. */
  readonly currency: string | undefined;
}

/** Why a cell is not an amount: its form is unknown, or it contains a word such as `Mio`. */
export type AmountProblem = 'unreadable' | 'scale';

/* Limits the time of the patterns below, which grows with the square of the length. */
const maxLength = 100;

/* Most cells are a bare number and need none of the longer patterns. */
const plain = /^-?\d[\d.,]*$/;

/* Characters of full-width forms are U+FEE0 above their ASCII forms. */
const fullWidth = /[\uff01-\uff5e]/g;
const apostrophes = /[\u2018\u2019\u02bc\u00b4`\u2032\u02b9]/g;
/* Spreadsheets mark a text with it, and carbon writes it before text that looks like a formula. */
const leadingApostrophe = /^'(?=\S)/;
const dashes = /[\u2010-\u2015\u2212\ufe63]/g;
/* Left-to-right and right-to-left marks, which some programs write around negative numbers. */
const marks = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

const word = String.raw`[\p{L}\p{Sc}][\p{L}\p{Sc}.]*`;
const words = String.raw`(${word}(?:\s${word})?)?`;
const parts = new RegExp(
  String.raw`^(\(?)\s?([-+]?)\s?${words}\s?([-+]?)\s?(\(?)([\d.,' ]*\d[.,]?)(?:e([-+]?\d{1,2}))?\s?([-+]?)\s?(\)?)\s?${words}\s?([-+]?)\s?(\)?)$`,
  'iu',
);
/* Dashes instead of decimal places, as in `1234,-` and `CHF 5.--`. */
const dashedPlaces = /(\d[.,])-{1,2}(?=\s?[\p{L}\p{Sc}.]*$)/u;
/* A dash for zero beside a currency, as spreadsheets write it: `€ -`. */
const dashOnly = new RegExp(String.raw`^(?:${word}\s?)?-+(?:\s?${word})?$`, 'u');

/**
 * Splits a cell into the parts of an amount.
 *
 * @returns undefined for a cell without an amount: blank, `-`, `n/a`
 */
export function splitAmount(cell: string): WrittenAmount | AmountProblem | undefined {
  if (cell.length <= maxLength && plain.test(cell)) {
    const isNegative = cell.startsWith('-');
    const body = isNegative ? cell.slice(1) : cell;
    return { isNegative, body, exponent: undefined, currency: undefined };
  }
  const value = cellValue('spend', cell.replace(marks, ''));
  if (value === undefined) return undefined;
  if (value.length > maxLength) return 'unreadable';
  const text = toAscii(value);
  const match = parts.exec(text.replace(dashedPlaces, '$1'));
  if (match === null) return dashOnly.test(text) ? undefined : 'unreadable';
  const [, open, before, prefix, ...rest] = match;
  const [inner, open2, body = '', exponent, after, close, suffix, last, close2] = rest;
  const signs = [before, inner, after, last].filter(Boolean);
  const opened = [open, open2].filter(Boolean).length;
  const closed = [close, close2].filter(Boolean).length;
  if (signs.length + opened > 1 || opened !== closed) return 'unreadable';
  const beside = [...(prefix ?? '').split(' '), ...(suffix ?? '').split(' ')].filter(Boolean);
  if (beside.some(isScaleWord)) return 'scale';
  if (beside.length > 2 || (prefix?.includes(' ') ?? false) || (suffix?.includes(' ') ?? false))
    return 'unreadable';
  const [currency, second = currency] = beside;
  if (currency !== second) return 'unreadable';
  return {
    isNegative: opened > 0 || signs[0] === '-',
    body: body.trim(),
    exponent: exponent === undefined ? undefined : Number(exponent),
    currency,
  };
}

function toAscii(text: string): string {
  return text
    .replace(fullWidth, (character) => String.fromCharCode(character.charCodeAt(0) - 0xfee0))
    .replace('\uffe5', '\u00a5')
    .replace(apostrophes, "'")
    .replace(leadingApostrophe, '')
    .replace(dashes, '-');
}

const grouped: Readonly<Record<DecimalSign, RegExp>> = {
  // The second form is the Indian grouping, 12,34,567.
  '.': /^[1-9]\d{0,2}(?:([, '])\d{3})(?:\1\d{3})*$|^[1-9]\d?(?:,\d{2})+,\d{3}$/,
  ',': /^[1-9]\d{0,2}(?:([. '])\d{3})(?:\1\d{3})*$/,
};

/** Reads a number with a given decimal sign; returns undefined if it is not written so. */
export function readNumber(amount: WrittenAmount, decimal: DecimalSign): Decimal | undefined {
  if (!fits(amount, decimal)) return undefined;
  const { body, exponent, isNegative } = amount;
  const signIndex = body.indexOf(decimal);
  const units = BigInt(/^\d+$/.test(body) ? body : body.replace(/\D/g, ''));
  const number = shift(
    { units, scale: signIndex < 0 ? 0 : body.length - signIndex - 1 },
    exponent ?? 0,
  );
  return isNegative ? negate(number) : number;
}

/** Checks whether a number may be written with a given decimal sign. */
export function fits({ body, exponent }: WrittenAmount, decimal: DecimalSign): boolean {
  const signIndex = body.indexOf(decimal);
  const integer = signIndex < 0 ? body : body.slice(0, signIndex);
  if (signIndex >= 0 && !isDigits(body.slice(signIndex + 1))) return false;
  return isDigits(integer) || (exponent === undefined && grouped[decimal].test(integer));
}

function isDigits(text: string): boolean {
  return /^\d*$/.test(text);
}

function shift({ units, scale }: Decimal, exponent: number): Decimal {
  if (exponent <= scale) return { units, scale: scale - exponent };
  return { units: units * 10n ** BigInt(exponent - scale), scale: 0 };
}
