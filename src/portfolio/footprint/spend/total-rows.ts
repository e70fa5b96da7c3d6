/*
 * Recognizes rows with totals, which are no purchases. A row is a total if it is labeled as one and
 * nothing else identifies it, or if it has nothing but an amount, its currency and year, and the
 * amount is the sum of the rows since the last total or of all rows above.
 */
import { type Field, isTotalLabel, isTotalRow } from '../../../client/registration/fields.ts';
import { type Decimal, numberOf, plus, zero } from '../decimal.ts';

/** A row with an amount. */
interface AmountRow {
  readonly line: number;
  /** Whether it is labeled as a total and nothing else identifies it. */
  readonly hasLabel: boolean;
  /** Whether it has nothing but an amount, its currency and year. */
  readonly isBare: boolean;
  readonly spend: Decimal;
  readonly currency: string | undefined;
}

/* What rows add up to. */
interface Sum {
  amount: Decimal;
  rows: number;
}

const none: Readonly<Sum> = { amount: zero, rows: 0 };

/** Checks the rows of a file in their order. */
export class TotalRows {
  /** The labeled totals that are not the sum of the rows above. */
  readonly wrong: Readonly<Record<'line' | 'total' | 'rows', number>>[] = [];
  /** Whether a row could not be read, so that no labeled total is compared. */
  isIncomplete = false;
  /* The sum of all rows, of those since the last total, and of those in each currency. */
  readonly #sums = new Map<string, Sum>();
  #maxScale = 0;

  /** Checks whether a row is a total, and adds it to the sums if it is not. */
  isTotal({ line, isBare, hasLabel, spend, currency = '' }: AmountRow): boolean {
    const keys = ['all', 'section', currency];
    const sums = isBare || hasLabel ? keys.map((key) => this.#sums.get(key) ?? none) : [];
    const isSum = sums.some((sum) => {
      // A single row has nothing to round.
      if (!hasLabel && sum.rows === 1) return numberOf(spend) === numberOf(sum.amount);
      return sum.rows > 0 && this.#isSum(spend, sum);
    });
    if (hasLabel || isSum) {
      const { amount } = this.#sums.get(currency) ?? this.#sums.get('all') ?? none;
      if (!isSum && !this.isIncomplete)
        this.wrong.push({ line, total: numberOf(spend), rows: numberOf(amount) });
      this.#sums.delete('section');
      return true;
    }
    for (const key of keys) {
      const sum = this.#sums.get(key);
      if (sum === undefined) this.#sums.set(key, { amount: spend, rows: 1 });
      else {
        sum.amount = plus(sum.amount, spend);
        sum.rows += 1;
      }
    }
    this.#maxScale = Math.max(this.#maxScale, spend.scale);
    return false;
  }

  /*
   * Allows the rounding of the total and of the rows: half a unit of the last decimal place each,
   * for all rows together at most a thousandth of the sum.
   */
  #isSum(total: Decimal, { amount, rows }: Readonly<Sum>): boolean {
    const sum = numberOf(amount);
    const halfUnit = (scale: number) => 0.5 / 10 ** scale;
    const ofRows = Math.min(rows * halfUnit(this.#maxScale), Math.abs(sum) / 1000);
    const difference = Math.abs(numberOf(total) - sum);
    // Doubles are off in their 16th digit.
    return difference <= halfUnit(total.scale) + ofRows + Math.abs(sum) * 1e-14;
  }
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
