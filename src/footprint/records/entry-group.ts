import type { FactorChoice, SpendGroup, Supplier } from '../ledger.ts';
import { addDecimals, type Decimal, formatDecimal } from '../spend/decimal.ts';

/** Maximum number of line numbers that a group keeps. */
const maxLines = 20;

/** What the groups of one supplier, currency and year have in common. */
export interface GroupNeed {
  readonly supplier: Supplier;
  readonly currency: string | null;
  readonly year: number | null;
  /** The factor under both readings, or why there is none. */
  readonly factors: FactorChoice;
}

/**
 * Lines of one category, with or without spend.
 *
 * A large file has a group for each supplier, so every byte counts: one line is no list, and an
 * amount is a small integer where possible.
 */
export class EntryGroup implements SpendGroup {
  readonly category: string | null;
  lineCount: number;
  readonly #need: GroupNeed;
  /* Null without spend; a text when the sum is complete. */
  #units: number | bigint | string | null;
  #scale: number;
  #lines: number | number[];

  /**
   * @param spend undefined for lines without spend
   * @param lines the first lines, at least one
   */
  constructor(
    need: GroupNeed,
    category: string | null,
    spend: Decimal | undefined,
    lines: readonly number[],
    lineCount: number,
  ) {
    this.#need = need;
    this.category = category;
    this.#units = spend === undefined ? null : compact(spend.units);
    this.#scale = spend?.scale ?? 0;
    this.#lines = lines.length === 1 ? (lines[0] as number) : lines.slice(0, maxLines);
    this.lineCount = lineCount;
  }

  get supplier(): Supplier {
    return this.#need.supplier;
  }

  get currency(): string | null {
    return this.#need.currency;
  }

  get year(): number | null {
    return this.#need.year;
  }

  get factors(): FactorChoice {
    return this.#need.factors;
  }

  get lines(): readonly number[] {
    return typeof this.#lines === 'number' ? [this.#lines] : this.#lines;
  }

  get hasSpend(): boolean {
    return this.#units !== null;
  }

  /** The exact sum as a decimal number in plain notation; null without spend. */
  get spend(): string | null {
    const { amount } = this;
    return amount === undefined ? (this.#units as string | null) : formatDecimal(amount);
  }

  /** The exact sum; undefined without spend, and when the sum is complete. */
  get amount(): Decimal | undefined {
    const units = this.#units;
    if (units === null || typeof units === 'string') return undefined;
    return { units: BigInt(units), scale: this.#scale };
  }

  /** Adds one line. */
  add(spend: Decimal | undefined, line: number): void {
    this.#addSpend(spend);
    this.lineCount += 1;
    if (typeof this.#lines === 'number') this.#lines = [this.#lines, line];
    else if (this.#lines.length < maxLines) this.#lines.push(line);
  }

  /** Adds another group, whose lines may come earlier. */
  absorb(other: EntryGroup): void {
    this.#addSpend(other.amount);
    this.lineCount += other.lineCount;
    this.#lines = [...this.lines, ...other.lines].sort((a, b) => a - b).slice(0, maxLines);
  }

  /** Formats the sum, to which nothing is added any more. */
  complete(): void {
    this.#units = this.spend;
  }

  #addSpend(spend: Decimal | undefined): void {
    const own = this.amount;
    if (own === undefined || spend === undefined) return;
    const { units, scale } = addDecimals(own, spend);
    this.#units = compact(units);
    this.#scale = scale;
  }
}

function compact(units: bigint): number | bigint {
  const number = Number(units);
  return Number.isSafeInteger(number) ? number : units;
}
