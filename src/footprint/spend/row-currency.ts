/*
 * Finds the currency of a row. The currency column, `--currency`, the sign beside the amount and
 * the header of the spend column may each name it. They must agree: carbon converts no amount.
 */

import { UsageError } from '../../runtime/carbon-error.ts';
import { cellValue } from '../../table/cell.ts';
import { type Currencies, readCurrency } from './currency-sign.ts';

/** Where the currency of a row may be named. */
export interface CurrencySources {
  /** Name of the file for messages. */
  readonly file: string;
  /** Header of the currency column. */
  readonly column: string | undefined;
  /** Value of `--currency`. */
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
      this.#named(line, 'from --currency', option),
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
      'Write an ISO 4217 code, such as EUR. To use one currency for all rows: --currency <code> --map spend_currency=',
    );
  }

  #contradiction(line: number, one: Named, other: Named): UsageError {
    const { column } = this.#sources;
    const hint =
      column === undefined
        ? 'State the currency of the amounts only once.'
        : `To ignore the currency column, use --map spend_currency=. To use it, leave --currency out and map the column of its amounts: --map spend=<column>`;
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
      `Name the currency of all rows, such as --currency ${first}, or a column with codes: --map spend_currency=<column>`,
    );
  }

  #invalid(line: number, message: string, hint: string): UsageError {
    return new UsageError(`${this.#sources.file}, line ${line}: ${message}`, hint, 'invalid_input');
  }
}

function cut(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
