/*
 * Reads amounts as people write them.
 *
 * Which of `.` and `,` is the decimal sign is decided for the entire column. `1,234.56` and `1,5`
 * each decide it; `1.234` alone fits both. Only the first cell of each kind is kept, so memory does
 * not grow with the file, and the order of the rows changes no decision.
 *
 * A column of amounts such as `12,50` decides for the comma. A cell `1,234` in it is then 1.234,
 * but probably means 1234. It contradicts the column unless another amount does not have two places
 * either.
 */
import { cellValue } from './cell.ts';

/** The character before the decimal places. */
export type DecimalSign = '.' | ',';

/** A cell with a number. */
export interface WrittenAmount {
  readonly isNegative: boolean;
  /** Digits with decimal sign and grouping signs, such as `1.234,50`. */
  readonly body: string;
  /** Power of ten of a number in scientific notation. */
  readonly exponent: number | undefined;
  /** The word or sign beside the number, such as `EUR` or `$`. */
  readonly currency: string | undefined;
}

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
const words = String.raw`${word}(?:\s${word})?`;
/*
 * A number with a currency, a sign or brackets on either side, in any order. V8 takes up to 5 ms to
 * construct this pattern and `dashOnly`.
 */
const partsPattern = [
  String.raw`^(?<open>\(?)\s?(?<sign>[-+]?)\s?(?<prefix>${words})?\s?(?<innerSign>[-+]?)\s?(?<innerOpen>\(?)`,
  String.raw`(?<body>[\d.,' ]*\d[.,]?)(?:e(?<exponent>[-+]?\d{1,2}))?`,
  String.raw`\s?(?<innerSignAfter>[-+]?)\s?(?<innerClose>\)?)\s?(?<suffix>${words})?\s?(?<signAfter>[-+]?)\s?(?<close>\)?)$`,
].join('');
let parts: RegExp | undefined;
/* Dashes instead of decimal places, as in `1234,-` and `CHF 5.--`. */
const dashedPlaces = /(\d[.,])-{1,2}(?=\s?[\p{L}\p{Sc}.]*$)/u;
/* A dash for zero beside a currency, as spreadsheets write it: `€ -`. */
let dashOnly: RegExp | undefined;

/**
 * Splits a cell into the parts of an amount.
 *
 * @returns undefined for a cell without an amount: blank, `-`, `n/a`
 */
export function splitAmount(cell: string): WrittenAmount | 'unreadable' | undefined {
  if (cell.length <= maxLength && plain.test(cell)) {
    const isNegative = cell.startsWith('-');
    const body = isNegative ? cell.slice(1) : cell;
    return { isNegative, body, exponent: undefined, currency: undefined };
  }
  const value = cellValue('spend', cell.replace(marks, ''));
  if (value === undefined) return undefined;
  if (value.length > maxLength) return 'unreadable';
  const text = toAscii(value);
  parts ??= new RegExp(partsPattern, 'iu');
  const match = parts.exec(text.replace(dashedPlaces, '$1'));
  if (match === null) {
    dashOnly ??= new RegExp(String.raw`^(?:${word}\s?)?-+(?:\s?${word})?$`, 'u');
    return dashOnly.test(text) ? undefined : 'unreadable';
  }
  const { body = '', exponent, prefix, suffix, ...around } = match.groups ?? {};
  const { sign, innerSign, innerSignAfter, signAfter } = around;
  const { open, innerOpen, innerClose, close } = around;
  const signs = [sign, innerSign, innerSignAfter, signAfter].filter(Boolean);
  const opened = [open, innerOpen].filter(Boolean).length;
  const closed = [innerClose, close].filter(Boolean).length;
  if (signs.length + opened > 1 || opened !== closed) return 'unreadable';
  const [currency, second = currency] = [prefix, suffix].filter(Boolean);
  if (currency !== second || currency?.includes(' ')) return 'unreadable';
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

/** Checks whether a number may be written with a given decimal sign. */
export function fits({ body, exponent }: WrittenAmount, decimal: DecimalSign): boolean {
  const [integer = '', fraction = '', ...others] = body.split(decimal);
  if (others.length > 0 || !/^\d*$/.test(fraction)) return false;
  return /^\d*$/.test(integer) || (exponent === undefined && grouped[decimal].test(integer));
}

/** Which decimal sign the amounts of a column have. */
export type SignVerdict<Cell> =
  /** No amount contains `.` or `,`. */
  | { readonly kind: 'none' }
  /** One sign fits all amounts, which the cell shows. */
  | { readonly kind: 'decided'; readonly sign: DecimalSign; readonly cell: Cell }
  /** Both signs fit all amounts, and the cell is another number with each. */
  | { readonly kind: 'ambiguous'; readonly cell: Cell }
  /** Two cells are not written in the same way, although `sign` may fit all amounts. */
  | {
      readonly kind: 'contradiction';
      readonly cells: readonly [Cell, Cell];
      readonly sign: DecimalSign | undefined;
    };

/** Collects what the amounts of a column show of its decimal sign, amount by amount. */
export class SignEvidence<Cell> {
  /** The first cell that only one decimal sign fits. */
  readonly only: Partial<Record<DecimalSign, Cell>> = {};
  /* The first cell with two different readings, by the sign that it contains. */
  readonly #either: Partial<Record<DecimalSign, Cell>> = {};
  /* Whether a cell that decides has decimal places, but not two. */
  #hasOtherPlaces = false;
  /* The first cell with spaces or apostrophes between thousands. */
  #otherGrouping: Cell | undefined;

  /**
   * Adds an amount; returns false if no decimal sign fits it.
   * @param cell returns what to keep of its cell
   */
  add(amount: WrittenAmount, cell: () => Cell): boolean {
    const [fitsPoint, fitsComma] = [fits(amount, '.'), fits(amount, ',')];
    if (!fitsPoint && !fitsComma) return false;
    const { body } = amount;
    if (/[ ']/.test(body)) this.#otherGrouping ??= cell();
    if (fitsPoint !== fitsComma) {
      const sign = fitsPoint ? '.' : ',';
      this.only[sign] ??= cell();
      const places = body.split(sign)[1]?.length ?? 0;
      this.#hasOtherPlaces ||= places > 0 && places !== 2;
    } else if (/[.,]/.test(body)) {
      this.#either[body.includes('.') ? '.' : ','] ??= cell();
    }
    return true;
  }

  /** The first cell that is another number with each sign. */
  get ambiguous(): Cell | undefined {
    return Object.values(this.#either)[0];
  }

  get verdict(): SignVerdict<Cell> {
    const { '.': point, ',': comma } = this.only;
    const contradiction = (one: Cell, other: Cell, sign?: DecimalSign) =>
      ({ kind: 'contradiction', cells: [one, other], sign }) as const;
    if (point !== undefined && comma !== undefined) return contradiction(point, comma);
    const cell = point ?? comma;
    if (cell === undefined) {
      const { ambiguous } = this;
      return ambiguous === undefined ? { kind: 'none' } : { kind: 'ambiguous', cell: ambiguous };
    }
    const [sign, otherSign] = point === undefined ? ([',', '.'] as const) : (['.', ','] as const);
    // With 1'234.50, the comma of 1,234 is not a grouping sign of the same column.
    const mixed = this.#either[otherSign];
    if (mixed !== undefined && this.#otherGrouping !== undefined)
      return contradiction(this.#otherGrouping, mixed, sign);
    const threePlaces = this.#either[sign];
    if (threePlaces !== undefined && !this.#hasOtherPlaces)
      return contradiction(cell, threePlaces, sign);
    return { kind: 'decided', sign, cell };
  }
}
