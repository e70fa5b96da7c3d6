/*
 * Recognizes rows with totals. A total that counts as spend doubles the result, and a supplier that
 * is left out as a total is missing from it. A row is therefore left out only if its amount is the
 * sum of the rows above.
 */

import { isTotalLabel } from '../../registration/total-label.ts';
import { isBlank } from '../../table/cell.ts';
import { addDecimals, compareDecimals, type Decimal, negate, zero } from './decimal.ts';

/** What a row seems to be: a certain total, a possible one, or spend. */
export type TotalCheck = 'total' | 'possible' | 'spend';

/** A row with an amount. */
export interface AmountRow {
  /** Whether it is labeled as a total. */
  readonly hasLabel: boolean;
  /** Whether it has a name or an id. */
  readonly hasName: boolean;
  readonly spend: Decimal;
  readonly currency: string | undefined;
}

interface Sum {
  amount: Decimal;
  rows: number;
}

const emptySum = (): Sum => ({ amount: zero, rows: 0 });

/** Checks the rows of a file in their order. */
export class TotalRows {
  readonly #all = emptySum();
  readonly #byCurrency = new Map<string, Sum>();
  /* The sum since the last total, for subtotals. */
  #section = emptySum();
  #maxScale = 0;

  /** Checks a row, and adds it to the sums unless it is a total. */
  check(row: AmountRow): TotalCheck {
    const { hasName, hasLabel, spend, currency } = row;
    if (!hasName || hasLabel) {
      const minRows = hasLabel ? 1 : 2;
      const sums = [this.#all, this.#section, this.#byCurrency.get(currency ?? '')];
      if (sums.some((sum) => sum && sum.rows >= minRows && this.#isSum(spend, sum))) {
        this.#section = emptySum();
        return 'total';
      }
    }
    this.#add(row);
    return hasLabel ? 'possible' : 'spend';
  }

  #add({ spend, currency = '' }: AmountRow): void {
    const ofCurrency = this.#byCurrency.get(currency) ?? emptySum();
    this.#byCurrency.set(currency, ofCurrency);
    for (const sum of [this.#all, this.#section, ofCurrency]) {
      sum.amount = addDecimals(sum.amount, spend);
      sum.rows += 1;
    }
    this.#maxScale = Math.max(this.#maxScale, spend.scale);
  }

  /*
   * Permits the rounding of the total and of the rows: half a unit of the last decimal place each,
   * for all rows together at most a thousandth of the sum.
   */
  #isSum(total: Decimal, { amount, rows }: Sum): boolean {
    const difference = magnitude(addDecimals(total, negate(amount)));
    const ofTotal = { units: 5n, scale: total.scale + 1 };
    const ofRows = { units: 5n * BigInt(rows), scale: this.#maxScale + 1 };
    const { units, scale } = magnitude(amount);
    const limit = { units, scale: scale + 3 };
    const permitted = compareDecimals(ofRows, limit) < 0 ? ofRows : limit;
    return compareDecimals(difference, addDecimals(ofTotal, permitted)) <= 0;
  }
}

/** Checks whether a row is labeled as a total: in its name or, without a name, in any cell. */
export function isLabeled(name: string | undefined, cells: readonly string[]): boolean {
  if (name !== undefined) return isLabel(name);
  return cells.some((cell) => !isBlank(cell) && isLabel(cell.trim()));
}

/* A label may end with a currency, as in "Total EUR". */
function isLabel(text: string): boolean {
  return text.length <= 60 && isTotalLabel(text.replace(/\s*[([]?(?:[A-Z]{3}|€)[)\]]?:?$/, ''));
}

function magnitude(number: Decimal): Decimal {
  return number.units < 0n ? negate(number) : number;
}
