/*
 * Recognizes rows with totals, which are no purchases. A row is a total if it is labeled as one and
 * nothing else identifies it, or if it has no supplier and its amount is the sum of the rows above.
 */

import type { Field } from '../../registration/fields.ts';
import { isTotalLabel, isTotalRow } from '../../registration/total-label.ts';
import { type Decimal, numberOf, plus, zero } from '../decimal.ts';

/** A row with an amount. */
export interface AmountRow {
  readonly line: number;
  /** Whether it is labeled as a total and nothing else identifies it. */
  readonly hasLabel: boolean;
  /** Whether it has a name or an id. */
  readonly hasName: boolean;
  readonly spend: Decimal;
  readonly currency: string | undefined;
  /** Whether the amount is text in a workbook, which the SUM of a spreadsheet skips. */
  readonly isText: boolean;
}

/** A labeled total that is not the sum of the rows above it. */
export interface WrongTotal {
  readonly line: number;
  readonly total: number;
  readonly rows: number;
  /** Number of amounts above it that are text. */
  readonly texts: number;
}

interface RunningSum {
  amount: Decimal;
  rows: number;
}

const emptySum = (): RunningSum => ({ amount: zero, rows: 0 });

/** Checks the rows of a file in their order. */
export class TotalRows {
  /** The labeled totals that are not the sum of the rows above. */
  readonly wrong: WrongTotal[] = [];
  readonly #all = emptySum();
  readonly #byCurrency = new Map<string, RunningSum>();
  /* The sum since the last total, for subtotals. */
  #section = emptySum();
  #maxScale = 0;
  #texts = 0;

  /** Checks whether a row is a total, and adds it to the sums if it is not. */
  isTotal(row: AmountRow): boolean {
    const { line, hasName, hasLabel, spend, currency } = row;
    if (!hasName || hasLabel) {
      const minRows = hasLabel ? 1 : 2;
      const ofCurrency = this.#byCurrency.get(currency ?? '');
      const sums = [this.#all, this.#section, ofCurrency];
      const isSum = sums.some((sum) => sum && sum.rows >= minRows && this.#isSum(spend, sum));
      if (hasLabel && !isSum) {
        const { amount } = ofCurrency ?? this.#all;
        const [total, rows] = [numberOf(spend), numberOf(amount)];
        this.wrong.push({ line, total, rows, texts: this.#texts });
      }
      if (hasLabel || isSum) {
        this.#section = emptySum();
        return true;
      }
    }
    this.#add(row);
    return false;
  }

  #add({ spend, currency = '', isText }: AmountRow): void {
    const ofCurrency = this.#byCurrency.get(currency) ?? emptySum();
    this.#byCurrency.set(currency, ofCurrency);
    for (const sum of [this.#all, this.#section, ofCurrency]) {
      sum.amount = plus(sum.amount, spend);
      sum.rows += 1;
    }
    this.#maxScale = Math.max(this.#maxScale, spend.scale);
    this.#texts += Number(isText);
  }

  /*
   * Allows the rounding of the total and of the rows: half a unit of the last decimal place each,
   * for all rows together at most a thousandth of the sum.
   */
  #isSum(total: Decimal, { amount, rows }: RunningSum): boolean {
    const sum = numberOf(amount);
    const ofRows = rows * halfUnit(this.#maxScale);
    const allowed = halfUnit(total.scale) + Math.min(ofRows, Math.abs(sum) / 1000);
    return Math.abs(numberOf(total) - sum) <= allowed;
  }
}

function halfUnit(scale: number): number {
  return 0.5 / 10 ** scale;
}

/**
 * Checks whether a row is labeled as a total and nothing else identifies it. The label is in its
 * name or, without a name, in any cell.
 */
export function isLabeled(
  values: Readonly<Partial<Record<Field, string>>>,
  cells: readonly string[],
): boolean {
  if (values.name !== undefined) return isTotalRow(values);
  for (const field in values) if (field !== 'currency') return false;
  return cells.some((cell) => isTotalLabel(cell.trim()));
}
