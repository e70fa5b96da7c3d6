/*
 * Finds the currency of a row. The currency column, `--spend-currency`, the sign beside the amount
 * and the header of the spend column may each name it: as an ISO 4217 code, a sign or a word. They
 * must agree: no amount is converted.
 */

import { checkCurrency } from '../../registration/iso-codes.ts';
import { UsageError } from '../../runtime/carbon-error.ts';
import { flattenString } from '../../runtime/flatten-string.ts';
import { cellValue } from '../../table/cell.ts';

/** Where the currency of a row may be named. */
export interface CurrencySources {
  /** Name of the file for messages. */
  readonly file: string;
  /** Header of the currency column. */
  readonly column: string | undefined;
  /** Value of `--spend-currency`. */
  readonly option: string | undefined;
  /** Currency in the header of the spend column. */
  readonly stated: string | undefined;
}

interface Named {
  readonly source: string;
  readonly text: string;
  readonly currencies: Currencies;
}

/** Reads the currencies of rows. */
export class RowCurrency {
  readonly #sources: CurrencySources;
  /* Files have few currencies, so that nearly every row is known. */
  readonly #known = new Map<string, string | undefined>();

  constructor(sources: CurrencySources) {
    this.#sources = sources;
  }

  /**
   * Returns the ISO 4217 code of a row; undefined if nothing names a currency.
   *
   * @param cell the cell of the currency column
   * @param sign the code or sign beside the amount
   * @throws UsageError for an unknown currency, for two currencies, and for a sign of several
   * currencies
   */
  read(line: number, cell: string | undefined, sign: string | undefined): string | undefined {
    const key = `${cell ?? ''}\n${sign ?? ''}`;
    if (this.#known.has(key)) return this.#known.get(key);
    const code = this.#resolve(line, cell, sign);
    if (this.#known.size < 1_000) this.#known.set(key, code);
    return code;
  }

  #resolve(line: number, cell: string | undefined, sign: string | undefined): string | undefined {
    const { column, option, stated } = this.#sources;
    const text = cell === undefined ? undefined : cellValue('currency', cell);
    const named = [
      this.#named(line, `in column "${column}"`, text),
      this.#named(line, 'from --spend-currency', option),
      this.#named(line, 'beside the amount', sign),
      this.#named(line, 'in the header of the spend', stated),
    ].filter((each) => each !== undefined);
    const [first, ...others] = named;
    if (first === undefined) return undefined;
    let possible: readonly string[] = first.currencies;
    for (const other of others) {
      possible = possible.filter((code) => other.currencies.includes(code));
      if (possible.length === 0) throw this.#contradiction(line, first, other);
    }
    if (possible.length > 1) throw this.#ambiguous(line, first, possible);
    return possible[0];
  }

  #named(line: number, source: string, text: string | undefined): Named | undefined {
    if (text === undefined) return undefined;
    const currencies = readCurrency(text);
    if (currencies !== undefined) return { source, text, currencies };
    throw this.#invalid(
      line,
      `"${cut(text)}" ${source} is not a known currency`,
      'Write an ISO 4217 code, such as EUR. To use one currency for all rows: --spend-currency <code> --map spend_currency=',
    );
  }

  #contradiction(line: number, one: Named, other: Named): UsageError {
    const { column } = this.#sources;
    const hint =
      column === undefined
        ? 'State the currency of the amounts only once.'
        : `To ignore the currency column, use --map spend_currency=. To use it, leave --spend-currency out and map the column of its amounts: --map spend=<column>`;
    return this.#invalid(
      line,
      `the currency is ${cut(one.text)} ${one.source} and ${cut(other.text)} ${other.source}`,
      hint,
    );
  }

  #ambiguous(line: number, { text, source }: Named, possible: readonly string[]): UsageError {
    const [first = '', ...rest] = possible;
    return this.#invalid(
      line,
      `"${cut(text)}" ${source} may be ${[first, ...rest.slice(0, 3)].join(', ')}${rest.length > 3 ? ' or another currency' : ''}`,
      `Name the currency of all rows, such as --spend-currency ${first}, or a column with codes: --map spend_currency=<column>`,
    );
  }

  #invalid(line: number, message: string, hint: string): UsageError {
    return new UsageError(`${this.#sources.file}, line ${line}: ${message}`, hint, 'invalid_input');
  }
}

function cut(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** The currencies that a text may mean: one, or several for a sign such as `$`. */
export type Currencies = readonly [string, ...string[]];

/* Several countries share these signs; the most traded currencies come first. */
const signs: ReadonlyMap<string, Currencies> = new Map<string, Currencies>([
  ['€', ['EUR']],
  ['EURO', ['EUR']],
  ['EUROS', ['EUR']],
  ['£', ['GBP']],
  ['₹', ['INR']],
  ['₩', ['KRW']],
  ['₺', ['TRY']],
  ['₽', ['RUB']],
  ['₪', ['ILS']],
  ['฿', ['THB']],
  ['₫', ['VND']],
  ['₴', ['UAH']],
  ['₦', ['NGN']],
  ['₱', ['PHP']],
  ['₸', ['KZT']],
  ['ZŁ', ['PLN']],
  ['KČ', ['CZK']],
  ['FT', ['HUF']],
  ['TL', ['TRY']],
  ['LEI', ['RON']],
  ['RP', ['IDR']],
  ['RM', ['MYR']],
  ['R', ['ZAR']],
  ['NIS', ['ILS']],
  ['DHS', ['AED']],
  ['РУБ', ['RUB']],
  ['ГРН', ['UAH']],
  ['円', ['JPY']],
  ['RMB', ['CNY']],
  ['CN¥', ['CNY']],
  ['JP¥', ['JPY']],
  ['US$', ['USD']],
  ['$US', ['USD']],
  ['R$', ['BRL']],
  ['A$', ['AUD']],
  ['AU$', ['AUD']],
  ['C$', ['CAD']],
  ['CA$', ['CAD']],
  ['NZ$', ['NZD']],
  ['HK$', ['HKD']],
  ['S$', ['SGD']],
  ['SG$', ['SGD']],
  ['NT$', ['TWD']],
  ['MX$', ['MXN']],
  ['FR', ['CHF']],
  ['SFR', ['CHF']],
  ['$', ['USD', 'CAD', 'AUD', 'NZD', 'HKD', 'SGD', 'TWD', 'MXN', 'CLP', 'COP', 'ARS', 'UYU']],
  ['¥', ['JPY', 'CNY']],
  ['元', ['CNY', 'TWD', 'HKD']],
  ['KR', ['SEK', 'NOK', 'DKK', 'ISK']],
  ['RS', ['INR', 'PKR', 'LKR', 'NPR']],
]);

const known = new Map<string, Currencies | undefined>();

/** Returns the currencies that a code or sign may mean; undefined for any other text. */
export function readCurrency(text: string): Currencies | undefined {
  if (known.has(text)) return known.get(text);
  const bare = text.normalize('NFKC').trim().replace(/\.$/, '').toUpperCase();
  const checked = checkCurrency(bare);
  const currencies: Currencies | undefined =
    signs.get(bare) ?? ('code' in checked ? [flattenString(checked.code)] : undefined);
  if (known.size < 10_000) known.set(flattenString(text), currencies);
  return currencies;
}
