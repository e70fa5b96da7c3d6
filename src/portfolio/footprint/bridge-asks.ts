/* Whom a comparison leads to: suppliers whose own emissions rose, and those that show no change. */
import { totalOf } from '../organizations/sum.ts';
import { type BridgeRow, type BridgeStep, changeOf, changesBySupplier } from './bridge.ts';
import { byIdentity, groupBy, unknownCurrency } from './entries.ts';
import type { LineItem } from './footprint.ts';
import { currencyToRetrieve, type Lack, type LackReason, largestLack } from './line-item.ts';
import { byStep, stepWithoutEmissions } from './missing-figures.ts';

/** Suppliers about whom there is one thing to do. */
export interface BridgeAsk {
  readonly why: 'rose' | 'industry' | 'unmatched' | 'uncovered';
  /** What to do, in words. */
  readonly next_step: string;
  /** Why they have industry averages, and what is missing; empty for those with other figures. */
  readonly reasons: readonly LackReason[];
  readonly missing: Lack['missing'];
  /** The largest first. */
  readonly suppliers: readonly AskedSupplier[];
}

export interface AskedSupplier extends Pick<LineItem, 'supplier' | 'id'> {
  /** What their own emissions added, or the emissions now; null without any. */
  readonly emissions: number | null;
  /** What the footprint changed by; null without emissions. */
  readonly footprint_change: number | null;
}

/** Lists whom to ask about the change of a step, the most emissions first, then those without. */
export function asksOf({
  rows,
  spend_after: spend,
}: Pick<BridgeStep, 'rows' | 'spend_after'>): readonly BridgeAsk[] {
  const suppliers = changesBySupplier(rows).map((supplier) => supplier.rows);
  const withEmissions: readonly BridgeAsk[] = [
    {
      why: 'rose',
      next_step: 'ask why',
      ...lackless,
      // Whatever the footprint did: less spend or more revenue outweighs some rises.
      suppliers: largest(suppliers, (all) =>
        totalOf(all.map(({ effects }) => effects.supplier_emissions ?? 0)),
      ),
    },
    ...onAverages(suppliers),
  ];
  const asks = [
    ...withEmissions.toSorted((a, b) => sizeOf(b) - sizeOf(a)),
    ...withoutEmissions(suppliers, spend),
  ];
  return asks.filter((ask) => ask.suppliers.length > 0);
}

const lackless = { reasons: [], missing: [] } as const;

/* By what to do. */
function onAverages(suppliers: readonly (readonly BridgeRow[])[]): readonly BridgeAsk[] {
  const lacking = suppliers.flatMap((rows) => {
    const lack = largestLack(rows.flatMap(estimated), (cell) => cell.lack);
    return lack === null ? [] : [{ rows, lack }];
  });
  return byStep(lacking).map(({ items: all, ...step }): BridgeAsk => {
    const isUnmatched = all.some(({ lack }) => lack.reason === 'unmatched');
    return {
      why: isUnmatched ? 'unmatched' : 'industry',
      ...step,
      suppliers: largest(
        all.map(({ rows }) => rows),
        (rows) => totalOf(rows.flatMap(estimated).map(({ emissions }) => emissions)),
      ),
    };
  });
}

/* What is from industry averages now. */
function estimated({ after }: BridgeRow) {
  return after?.source?.basis === 'industry' ? [after] : [];
}

function sizeOf({ suppliers }: BridgeAsk): number {
  return totalOf(suppliers.map(({ emissions }) => emissions ?? 0));
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

/* By what to do, the largest share of a currency's spend first. */
function withoutEmissions(
  suppliers: readonly (readonly BridgeRow[])[],
  spend: BridgeStep['spend_after'],
): readonly BridgeAsk[] {
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
    const shares = now.map(({ after, currency }) => {
      return after.spend / (spend[currency ?? unknownCurrency] || 1);
    });
    const size = Math.max(...shares);
    return [{ ...identityOf(rows), emissions: null, footprint_change: null, step, size }];
  });
  missing.sort((a, b) => b.size - a.size || byIdentity(nameFirst(a), nameFirst(b)));
  return [...groupBy(missing, ({ step }) => step)].map(([next_step, all]) => ({
    why: 'uncovered' as const,
    next_step,
    ...lackless,
    suppliers: all.map(({ step: _, size: __, ...supplier }) => supplier),
  }));
}

function identityOf([first]: readonly BridgeRow[]) {
  return { supplier: first?.name ?? null, id: first?.id ?? null };
}

function nameFirst({ supplier, id }: Pick<AskedSupplier, 'supplier' | 'id'>) {
  return { name: supplier, id };
}
