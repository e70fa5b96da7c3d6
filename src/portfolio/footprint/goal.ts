/*
 * A supplier engagement target: the share of suppliers with a validated near-term target of the
 * Science Based Targets initiative (SBTi), and the fewest suppliers to ask next. Shares are 0 to 1.
 */
import { totalOf } from '../organizations/sum.ts';
import {
  byIdentity,
  emissionsOf,
  type FootprintEntry,
  hasSynthetic,
  isCovered,
  spendOf,
} from './entries.ts';
import { doubtsOf, earlierLookups, nextStep } from './evidence.ts';
import {
  isSet,
  type Measure,
  measureOf,
  type Part,
  ratio,
  sumOf,
  supplierParts,
} from './goal-parts.ts';
import { type PlanStep, plansOf } from './goal-plan.ts';
import { type Goal, pointsToGo } from './goal-share.ts';
import type { Basis, Exclusion, UncoveredReason } from './line-item.ts';
import { isNamed, type Supplier } from './supplier-groups.ts';
import { coverageStatuses, type TargetStatus } from './totals.ts';

/** A supplier, with what counts toward the goal. */
export interface SupplierShare {
  /** That of a footprint; of the rows without a supplier, one with neither ID nor name. */
  readonly supplier: Supplier;
  readonly status: TargetStatus;
  /** The status as received, if it is `other`. */
  readonly statusText: string | null;
  readonly entries: readonly FootprintEntry[];
  /** Emissions of covered items; null without any. */
  readonly emissions: number | null;
  /** Spend by currency code, covered or not. */
  readonly spend: Readonly<Record<string, number>>;
  /** The largest share of the spend of one of its currencies. */
  readonly spendShare: number;
  /** That currency; null without spend. */
  readonly spendCurrency: string | null;
  /** Share of the total of the goal; null without a part in it. */
  readonly share: number | null;
  /** The sum of the shares up to this one, in the order of the list, whatever the status. */
  readonly cumulativeShare: number | null;
  /** The place among the suppliers to ask next, from 1. */
  readonly ask: number | null;
  /** The place after them of one to ask only if targets lapse. */
  readonly askIfLapsed: number | null;
  readonly nextStep: string | null;
  /** The least certain basis of its factors. */
  readonly basis: Basis | null;
  /** Why its largest item without emissions has none. */
  readonly uncovered: UncoveredReason | null;
  /** Why it counts in no share; null for all others. */
  readonly excluded: Exclusion | null;
}

export type Engagement = Readonly<ReturnType<typeof engage>>;

/**
 * Calculates how much of the emissions or spend comes from suppliers whose near-term target is
 * `set`, and whom to ask next to reach the goal.
 *
 * Spend without emissions counts as average, by currency, and as without a target, so that missing
 * data never helps. In a currency without any emissions there is no average: the share is unknown,
 * and the goal is not reached.
 *
 * @param today `YYYY-MM-DD`
 * @throws UsageError if the goal is a share of spend in several currencies
 */
export function engage(
  entries: readonly FootprintEntry[],
  goal: Goal,
  { today, disputed = [] }: { readonly today: string; readonly disputed?: readonly Supplier[] },
) {
  const measure = measureOf(entries, goal);
  const { known, cautious, whole, total, oneSpend } = measure;
  const parts = supplierParts(entries, goal, measure);
  const { plan, matched, lapsed, committed, unmatched, toMatch } = plansOf(parts, goal, total);
  const suppliers = listOf(parts, [matched.steps, lapsed?.steps ?? []], { goal, whole, today });
  const uncovered = largestUncovered(suppliers);
  const setItems = suppliers.filter(isSet).flatMap(({ entries: own }) => own);
  const sharesOf = ({ steps, best }: typeof plan) => ({
    suppliers: steps.map(({ supplier }) => supplier),
    /** The share that they lead to, or that of everyone who can be asked. */
    share: steps.at(-1)?.shareAfter ?? ratio(best, total),
  });
  const row = (status: TargetStatus) => statusRow(status, suppliers, cautious ?? known, oneSpend);
  const setEmissions = totalOf(suppliers.filter(isSet).map(({ emissions }) => emissions ?? 0));
  const sharesAfter = (asked: readonly PlanStep[]) => {
    const after = new Map(asked.map((step) => [step.supplier, step.shareAfter]));
    return suppliers
      .flatMap((each) => {
        const shareAfter = after.get(each.supplier);
        return shareAfter === undefined ? [] : [{ ...each, shareAfter }];
      })
      .toSorted((a, b) => placeOf(a) - placeOf(b));
  };
  const doubts = doubtsOf(suppliers, today, new Set(disputed), goal.year);
  const looked = doubts.find(({ doubt }) => doubt === 'old_check')?.suppliers ?? [];
  const oldShares = looked.filter(({ status }) => status === 'set').map((each) => each.share ?? 0);
  return {
    goal,
    /** What shares of suppliers are of; null without any. */
    whole,
    reached: plan.reached,
    /** The cautious share of emissions, or the share of spend; null if it cannot be estimated. */
    share: plan.share,
    /** The share of the known emissions; null without any. */
    known_share: ratio(setEmissions, known),
    by_spend: row('set').by_spend,
    if_committed: ratio(sumOf(parts, 'set', 'committed'), total),
    /** The share if all suppliers had a target whose status is unknown, or in other words. */
    if_unknown_set: ratio(
      totalOf([
        sumOf(parts, 'set', 'unknown', 'other'),
        goal.of === 'emissions' ? (measure.estimate ?? 0) : 0,
      ]),
      total,
    ),
    lost: ratio(sumOf(parts, 'removed'), whole),
    /** Share between the one shown and the goal; null without a share, 0 once it is reached. */
    to_go: plan.share === null ? null : pointsToGo(goal, plan.share),
    /** The share if all suppliers that can be asked had a target. */
    best: ratio(plan.best, total),
    isOutOfReach: plan.isOutOfReach,
    /** How many times the average the uncovered spend may emit before the goal is missed. */
    holdsUpTo: plan.reached ? holdsUpTo(setEmissions, goal, measure) : null,
    /** The share without the largest supplier whose target is set; null unless reached. */
    without: plan.reached ? withoutLargest(parts, total) : null,
    supplierCount: suppliers.filter(isCounted).length,
    targets: coverageStatuses.map(row).filter(({ suppliers: number }) => number > 0),
    /**
     * The share that is estimated for spend without emissions, which no status has; null if the
     * goal is a share of spend, without an estimate, and if all spend has emissions.
     */
    estimated_share:
      goal.of === 'emissions' && measure.estimate ? ratio(measure.estimate, cautious) : null,
    /** Whether shares of emissions are of all, not only of the known ones. */
    hasEstimate: cautious !== null,
    /** Of when SBTi is, if most look-ups are older than the records; otherwise null. */
    lookups: earlierLookups(suppliers),
    /** All suppliers, those with the largest part first; the last ones count in no share. */
    suppliers,
    /**
     * Whom to ask, with the share that each step leads to: the fewest with a match. Empty if they
     * are not enough, even if those of `toMatch` would be.
     */
    ask: sharesAfter(matched.steps),
    /** Suppliers without a match that would be among the fewest, with their part. */
    toMatch: suppliers.filter((each) => toMatch.has(each.supplier)),
    /** All suppliers without a match, the largest first. */
    unmatched: suppliers.filter((each) => each.excluded === null && unmatched.has(each.supplier)),
    /** The plan with the suppliers that are not matched; null if it needs none of these. */
    withUnmatched: toMatch.size === 0 ? null : sharesOf(plan),
    /** The plan without the suppliers that are not matched; null if it needs none of these. */
    withoutUnmatched: toMatch.size === 0 ? null : sharesOf(matched),
    /** Whom to ask if every commitment is validated; null unless they are fewer. */
    ifCommitted: committed,
    /**
     * What becomes of the share if targets lapse whose text names no year as late as that of the
     * goal, and whom to ask as well then; null without any.
     */
    ifLapsed: lapsed && { ...lapsed, ask: sharesAfter(lapsed.steps) },
    /** What keeps the goal out of reach: uncovered suppliers, by share of spend. */
    findOut: plan.isOutOfReach ? uncovered.slice(0, maxFindOut) : [],
    /** Number of suppliers without emissions. */
    uncoveredSuppliers: uncovered.length,
    /** Numbers of suppliers that have any spend without emissions, and whose research failed. */
    lacking: {
      suppliers: suppliers.filter((each) => isCounted(each) && each.uncovered !== null).length,
      failed: suppliers.filter((each) => isCounted(each) && each.uncovered === 'errored').length,
    },
    /** Whether the spend that counts is in several currencies. */
    hasSeveralCurrencies: measure.currencies.length > 1,
    /** Shares of the spend without emissions, by currency, without those that have none. */
    uncovered: measure.currencies
      .filter((each) => each.uncovered !== 0)
      .map(({ code, uncovered: part, spent, estimate }) => {
        return { currency: code, share: ratio(part, spent), isEstimated: estimate !== null };
      }),
    /** The part of `share` that is from industry averages; null without a share of emissions. */
    share_on_averages: goal.of === 'spend' ? null : ratio(industryEmissions(setItems), total),
    /** The share of industry averages, of what all shares of emissions are of. */
    industryShare: ratio(industryEmissions(entries), cautious ?? known),
    /** The part of `share` from targets last looked up more than six months ago. */
    share_on_old_lookups: plan.share === null ? null : totalOf(oldShares),
    doubts,
    /** Number of suppliers with synthetic figures of the sandbox. */
    synthetic: suppliers.filter((each) => hasSynthetic(each.entries)).length,
  };
}

function listOf(
  parts: readonly Part[],
  [asked, lapsed]: readonly [asked: readonly PlanStep[], lapsed: readonly PlanStep[]],
  {
    goal,
    whole,
    today,
  }: { readonly goal: Goal; readonly whole: number | null; readonly today: string },
): readonly SupplierShare[] {
  const placesFrom = (first: number, steps: readonly PlanStep[]) =>
    new Map(steps.map(({ supplier }, at) => [supplier, first + at]));
  const places = placesFrom(1, asked);
  const placesIfLapsed = placesFrom(asked.length + 1, lapsed);
  let sum = 0;
  return parts.map(({ part, ...each }) => {
    sum = totalOf([sum, part ?? 0]);
    return {
      ...each,
      share: part === null ? null : ratio(part, whole),
      cumulativeShare: part === null ? null : ratio(sum, whole),
      ask: places.get(each.supplier) ?? null,
      askIfLapsed: placesIfLapsed.get(each.supplier) ?? null,
      nextStep: nextStep(each, goal, today),
    };
  });
}

function placeOf({ ask, askIfLapsed }: SupplierShare): number {
  return ask ?? askIfLapsed ?? 0;
}

function statusRow(
  status: TargetStatus,
  suppliers: readonly SupplierShare[],
  emissions: number | null,
  spend: number | null,
) {
  const all = suppliers.filter((each) => each.status === status && each.excluded === null);
  const items = all.flatMap(({ entries }) => entries).filter(({ excluded }) => excluded === null);
  const covered = items.filter(isCovered);
  return {
    status,
    /** Rows without a supplier are not one. */
    suppliers: all.filter(isCounted).length,
    /** Those in the share of the emissions. */
    covered_suppliers: all.filter((each) => isCounted(each) && each.emissions !== null).length,
    by_emissions: covered.length === 0 ? null : ratio(emissionsOf(covered), emissions),
    /** Null unless all spend is in one currency. */
    by_spend: ratio(spendOf(items), spend),
  };
}

function isCounted({ supplier, excluded }: Pick<SupplierShare, 'supplier' | 'excluded'>): boolean {
  return isNamed(supplier) && excluded === null;
}

function holdsUpTo(set: number, { of, percent }: Goal, { known, estimate }: Measure) {
  if (of === 'spend' || known === null || !estimate) return null;
  return (set / (percent / 100) - known) / estimate;
}

function withoutLargest(parts: readonly Part[], total: number | null) {
  const [largest, ...others] = parts.filter(({ status }) => status === 'set');
  if (largest === undefined) return null;
  return { supplier: largest.supplier, share: ratio(sumOf(others, 'set'), total) };
}

function largestUncovered(suppliers: readonly SupplierShare[]): readonly SupplierShare[] {
  return suppliers
    .filter((each) => isCounted(each) && each.emissions === null)
    .sort((a, b) => b.spendShare - a.spendShare || byIdentity(a.supplier, b.supplier));
}

function industryEmissions(entries: readonly FootprintEntry[]): number {
  const counted = entries.filter(({ excluded }) => excluded === null).filter(isCovered);
  return emissionsOf(counted.filter(({ factor }) => factor.basis === 'industry'));
}

const maxFindOut = 10;
