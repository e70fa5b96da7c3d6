/* Whom a comparison leads to: suppliers whose own emissions rose, and those that show no change. */
import { totalOf } from '../organizations/sum.ts';
import { type BridgeRow, type BridgeStep, changeOf, changesBySupplier } from './bridge.ts';
import { byIdentity, groupBy } from './entries.ts';
import { stepWithoutEmissions } from './evidence.ts';
import type { LineItem } from './footprint.ts';
import { currencyToRetrieve } from './line-item.ts';

/** Suppliers about whom there is one thing to do. */
export interface BridgeAsk {
  readonly why: 'rose' | 'industry' | 'unmatched' | 'uncovered';
  /** What to do, in words. */
  readonly next_step: string;
  /** The largest first. */
  readonly suppliers: readonly AskedSupplier[];
}

export interface AskedSupplier extends Pick<LineItem, 'supplier' | 'id'> {
  /** What their own emissions added, or the emissions now; null without any. */
  readonly emissions: number | null;
  /**
   * What the footprint changed by: less spend can outweigh a rise of the supplier's emissions. Null
   * without emissions.
   */
  readonly footprint_change: number | null;
}

/** Lists whom to ask about the change of a step. */
export function asksOf({ rows }: Pick<BridgeStep, 'rows'>): readonly BridgeAsk[] {
  const suppliers = changesBySupplier(rows).map((supplier) => supplier.rows);
  const asks: readonly BridgeAsk[] = [
    {
      why: 'rose',
      next_step: 'ask why',
      suppliers: largest(suppliers, (all) =>
        totalOf(all.map(({ effects }) => effects.supplier_emissions ?? 0)),
      ),
    },
    {
      why: 'industry',
      next_step: 'ask for figures of their own',
      suppliers: largest(suppliers, (all) => estimated(all, false)),
    },
    {
      why: 'unmatched',
      next_step: 'correct the list',
      suppliers: largest(suppliers, (all) => estimated(all, true)),
    },
    ...withoutEmissions(suppliers),
  ];
  return asks.filter((ask) => ask.suppliers.length > 0);
}

/* Adds up what is from industry averages now, with or without a matched organization. */
function estimated(rows: readonly BridgeRow[], isUnmatched: boolean): number {
  const sides = rows.flatMap(({ after }) =>
    after?.source?.basis === 'industry' && after.isUnmatched === isUnmatched ? [after] : [],
  );
  return totalOf(sides.map(({ emissions }) => emissions));
}

/** Tells whether a supplier has a larger footprint than before. */
export function isLarger({ footprint_change: change }: AskedSupplier): boolean {
  return (change ?? 0) > 0;
}

function largest(
  suppliers: readonly (readonly BridgeRow[])[],
  amountOf: (rows: readonly BridgeRow[]) => number,
): readonly AskedSupplier[] {
  return suppliers
    .map((rows) => ({
      ...identityOf(rows),
      emissions: amountOf(rows),
      footprint_change: totalOf(rows.map(changeOf)),
    }))
    .filter(({ emissions }) => emissions > 0)
    .sort((a, b) => b.emissions - a.emissions || byIdentity(nameFirst(a), nameFirst(b)));
}

/* By what to do, in the order of the IDs. */
function withoutEmissions(suppliers: readonly (readonly BridgeRow[])[]): readonly BridgeAsk[] {
  const missing = suppliers.flatMap((rows) => {
    const now = rows.flatMap(({ after, currency }) => (after === null ? [] : { after, currency }));
    if (now.length === 0 || now.some(({ after }) => after.hasEmissions)) return [];
    const codes = now.flatMap(({ after, currency }) => {
      return currencyToRetrieve(after.uncovered, currency) ?? [];
    });
    const [first] = now;
    const step =
      codes.length > 0
        ? `retrieve them in ${[...new Set(codes)].join(' and ')}`
        : stepWithoutEmissions(first?.after.uncovered ?? null);
    return [{ ...identityOf(rows), emissions: null, footprint_change: null, step }];
  });
  return [...groupBy(missing, ({ step }) => step)].map(([next_step, all]) => ({
    why: 'uncovered' as const,
    next_step,
    suppliers: all.map(({ step: _, ...supplier }) => supplier),
  }));
}

function identityOf([first]: readonly BridgeRow[]) {
  return { supplier: first?.name ?? null, id: first?.id ?? null };
}

function nameFirst({ supplier, id }: Pick<AskedSupplier, 'supplier' | 'id'>) {
  return { name: supplier, id };
}
