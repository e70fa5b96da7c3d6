import type { Supplier } from '../ledger.ts';
import { bases, type Factor } from '../register-row.ts';
import { ExactSum } from './exact-sum.ts';

/** The emissions of one supplier, over all its rows that count. */
export class SupplierTotals {
  readonly supplier: Supplier;
  /* Null until the first row with emissions; most suppliers have one such row. */
  #emissions: number | ExactSum | null = null;
  #largest: Factor | null = null;
  #largestEmissions: number | undefined;

  constructor(supplier: Supplier) {
    this.supplier = supplier;
  }

  /** Adds the emissions of a row. */
  add(emissions: number, factor: Factor): void {
    if (this.#emissions === null) {
      this.#emissions = emissions;
      this.#largest = factor;
      return;
    }
    const sum = typeof this.#emissions === 'number' ? sumOf(this.#emissions) : this.#emissions;
    this.#largestEmissions ??= sum.value();
    this.#emissions = sum;
    sum.add(emissions);
    if (this.#largest !== null && !this.#isLarger(emissions, factor, this.#largest)) return;
    this.#largest = factor;
    this.#largestEmissions = emissions;
  }

  /** The sum of its rows; null without emissions. */
  get emissions(): number | null {
    const emissions = this.#emissions;
    return typeof emissions === 'object' ? (emissions?.value() ?? null) : emissions;
  }

  /** Rounds the sum, to which nothing is added any more. Returns whether there are emissions. */
  complete(): this is RankedSupplier {
    this.#emissions = this.emissions;
    return this.#emissions !== null;
  }

  /** The factor of its row with the largest emissions. */
  get largestFactor(): Factor | null {
    return this.#largest;
  }

  /* Rows with equal emissions are compared by their factor, so that the row order is irrelevant. */
  #isLarger(emissions: number, factor: Factor, largest: Factor): boolean {
    const largestEmissions = this.#largestEmissions ?? 0;
    if (emissions !== largestEmissions) return emissions > largestEmissions;
    if (factor.basis !== largest.basis) {
      return bases.indexOf(factor.basis) < bases.indexOf(largest.basis);
    }
    if (factor.year !== largest.year) return (factor.year ?? 0) > (largest.year ?? 0);
    return factor.value > largest.value;
  }
}

function sumOf(emissions: number): ExactSum {
  const sum = new ExactSum();
  sum.add(emissions);
  return sum;
}

/** A supplier with emissions. */
export interface RankedSupplier extends SupplierTotals {
  readonly emissions: number;
}

/**
 * Ranks the suppliers with emissions, the largest first. Equal ones are in the order of id and
 * name, so that the order of rows in the file is irrelevant.
 */
export function rankSuppliers(suppliers: Iterable<SupplierTotals>): RankedSupplier[] {
  const ranked: RankedSupplier[] = [];
  for (const totals of suppliers) if (totals.complete()) ranked.push(totals);
  return ranked.sort((a, b) => b.emissions - a.emissions || compareIdentity(a, b));
}

function compareIdentity({ supplier: a }: RankedSupplier, { supplier: b }: RankedSupplier): number {
  const [textA, textB] = [identityOf(a), identityOf(b)];
  return textA < textB ? -1 : Number(textA > textB);
}

function identityOf({ id, recordName, name }: Supplier): string {
  return `${String(id ?? '').padStart(20, '0')} ${recordName ?? ''} ${name ?? ''}`;
}

/** Returns a part of a total, from 0 to 1; null if the total permits no share. */
export function shareOf(part: number, total: number | null): number | null {
  const share = total === null ? Number.NaN : part / total;
  return Number.isFinite(share) ? share + 0 : null;
}
