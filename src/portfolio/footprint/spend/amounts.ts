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

import { cut } from '../../../display/terminal/format.ts';
import { cellValue } from '../../../lists/table/cell.ts';
import {
  type Choice,
  type FindChoices,
  invalidInput,
  type UsageError,
} from '../../../runtime/carbon-error.ts';
import { flattenString } from '../../../runtime/flatten-string.ts';
import { type Decimal, formatDecimal, negate } from '../decimal.ts';

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

/** Reads a number with a given decimal sign; returns undefined if it is not written so. */
export function readNumber(amount: WrittenAmount, decimal: DecimalSign): Decimal | undefined {
  if (!fits(amount, decimal)) return undefined;
  const { body, exponent = 0, isNegative } = amount;
  const signIndex = body.indexOf(decimal);
  const units = BigInt(/^\d+$/.test(body) ? body : body.replace(/\D/g, ''));
  const scale = (signIndex < 0 ? 0 : body.length - signIndex - 1) - exponent;
  const number = scale < 0 ? { units: units * 10n ** BigInt(-scale), scale: 0 } : { units, scale };
  return isNegative ? negate(number) : number;
}

/** Checks whether a number may be written with a given decimal sign. */
export function fits({ body, exponent }: WrittenAmount, decimal: DecimalSign): boolean {
  const [integer = '', fraction = '', ...others] = body.split(decimal);
  if (others.length > 0 || !/^\d*$/.test(fraction)) return false;
  return /^\d*$/.test(integer) || (exponent === undefined && grouped[decimal].test(integer));
}

/** A cell of the column, as an example. */
interface ExampleCell {
  readonly line: number;
  readonly text: string;
}

/** How the amounts of a column are written. */
export interface AmountFormat {
  /** Undefined if no amount contains `.` or `,`. */
  readonly decimal: DecimalSign | undefined;
  /** The first cell that decided, or that the decision affects. */
  readonly example: (ExampleCell & { readonly value: string }) | undefined;
}

/** Collects the evidence of a column, cell by cell. */
export class AmountFormatEvidence {
  readonly #file: string;
  readonly #column: string;
  /* The first cell that only one decimal sign fits. */
  readonly #only: Partial<Record<DecimalSign, ExampleCell>> = {};
  /* The first cell with two different readings, by the sign that it contains. */
  readonly #either: Partial<Record<DecimalSign, ExampleCell>> = {};
  /* Whether a cell that decides has decimal places, but not two. */
  #hasOtherPlaces = false;
  /* The first cell with spaces or apostrophes between thousands. */
  #otherGrouping: ExampleCell | undefined;

  /** @param file name of the file, and @param column header of the column, for messages */
  constructor(file: string, column: string) {
    this.#file = file;
    this.#column = column;
  }

  /** @throws UsageError for a cell that is not an amount */
  add(line: number, cell: string): void {
    const amount = splitAmount(cell);
    if (amount === undefined) return;
    // Long cells are not amounts, so a shortened one is only part of a message.
    const example = () => ({ line, text: flattenString(cut(cell.trim(), 60)) });
    const isFit = (sign: DecimalSign) => amount !== 'unreadable' && fits(amount, sign);
    const [fitsPoint, fitsComma] = [isFit('.'), isFit(',')];
    if (amount === 'unreadable' || (!fitsPoint && !fitsComma))
      throw this.#failure(
        example(),
        'is not an amount',
        'Correct the cell, or choose another column with --map spend=<column>.',
      );
    const { body } = amount;
    if (/[ ']/.test(body)) this.#otherGrouping ??= example();
    if (fitsPoint !== fitsComma) {
      const sign = fitsPoint ? '.' : ',';
      this.#only[sign] ??= example();
      const places = body.split(sign)[1]?.length ?? 0;
      this.#hasOtherPlaces ||= places > 0 && places !== 2;
    } else if (/[.,]/.test(body)) {
      this.#either[body.includes('.') ? '.' : ','] ??= example();
    }
  }

  /**
   * Decides the format of the column.
   *
   * @param decimal the value of `--decimal`
   * @throws UsageError for cells that contradict each other, and for a column that fits both
   * decimal signs
   */
  decide(decimal?: DecimalSign): AmountFormat {
    const { '.': point, ',': comma } = this.#only;
    const [ambiguous] = Object.values(this.#either);
    if (decimal !== undefined) {
      const misfit = decimal === '.' ? comma : point;
      if (misfit === undefined) return formatOf(decimal, point ?? comma ?? ambiguous);
      const hint = 'Correct the cell, or leave --decimal out.';
      throw this.#failure(misfit, `does not fit --decimal ${decimal}`, hint);
    }
    if (point !== undefined && comma !== undefined) throw this.#contradiction(point, comma);
    const cell = point ?? comma;
    if (cell === undefined) {
      if (ambiguous === undefined) return { decimal: undefined, example: undefined };
      const [one, other] = [readAs(ambiguous, '.'), readAs(ambiguous, ',')];
      throw this.#failure(
        ambiguous,
        `is ${one} or ${other}, and no other cell shows which`,
        `Use --decimal . to read ${one}, or --decimal , to read ${other}.`,
        () => ({
          question: `Which number is "${ambiguous.text}"?`,
          options: [readingAs(ambiguous, '.'), readingAs(ambiguous, ',')],
        }),
      );
    }
    const [sign, otherSign] = point === undefined ? ([',', '.'] as const) : (['.', ','] as const);
    // With 1'234.50, the comma of 1,234 is not a grouping sign of the same column.
    const mixed = this.#either[otherSign];
    if (mixed !== undefined && this.#otherGrouping !== undefined)
      throw this.#contradiction(this.#otherGrouping, mixed, sign);
    const threePlaces = this.#either[sign];
    if (threePlaces !== undefined && !this.#hasOtherPlaces)
      throw this.#contradiction(cell, threePlaces, sign);
    return formatOf(sign, cell);
  }

  #failure(
    { line, text }: ExampleCell,
    problem: string,
    hint: string,
    choices?: FindChoices,
  ): UsageError {
    const cell = `${this.#file}, line ${line}, column "${this.#column}": "${text}"`;
    return invalidInput(`${cell} ${problem}`, hint, choices);
  }

  /** @param sign one that fits all amounts */
  #contradiction(one: ExampleCell, other: ExampleCell, sign?: DecimalSign): UsageError {
    const [first, second] = [one, other]
      .toSorted((a, b) => a.line - b.line)
      .map(({ text, line }) => `"${text}" (line ${line})`);
    return invalidInput(
      `${this.#file}, column "${this.#column}": the amounts ${first} and ${second} use different decimal or grouping signs`,
      'Write all amounts of the column in the same way, or use --decimal if one sign fits all of them.',
      sign &&
        (() => ({ question: 'How are the amounts written?', options: [readingAs(other, sign)] })),
    );
  }
}

function formatOf(decimal: DecimalSign, cell: ExampleCell | undefined): AmountFormat {
  return { decimal, example: cell && { ...cell, value: readAs(cell, decimal) } };
}

/* Offers to read all amounts with a decimal sign. */
function readingAs(cell: ExampleCell, sign: DecimalSign): Choice {
  return {
    label: `${readAs(cell, sign)} (decimal ${sign === '.' ? 'point' : 'comma'})`,
    add: ['--decimal', sign],
    without: ['--decimal'],
  };
}

function readAs({ text }: ExampleCell, decimal: DecimalSign): string {
  const amount = splitAmount(text);
  const number = typeof amount === 'object' ? readNumber(amount, decimal) : undefined;
  return number === undefined ? '' : formatDecimal(number);
}
