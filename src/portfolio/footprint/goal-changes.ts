/* Whose targets changed since a day, and what that changes in the share of a goal. */

import { totalOf } from '../organizations/sum.ts';
import { type DatedStatus, latestStatus } from '../organizations/targets.ts';
import { nextStepAfter } from './evidence.ts';
import type { Engagement, SupplierShare } from './goal.ts';
import type { SpendGroup } from './supplier-groups.ts';
import { type TargetStatus, targetStatusOf } from './totals.ts';

/** Why a supplier's share began or ceased to count. */
export const changeKinds = ['newly_set', 'lost', 'other_organization', 'not_known'] as const;
export type ChangeKind = (typeof changeKinds)[number];

export interface TargetChange {
  /** Its next step depends on the change. */
  readonly supplier: SupplierShare;
  /** The status on the day; null without a record on that day. */
  readonly statusThen: TargetStatus | null;
  /** Null if the change has no part in the share, such as from none to committed. */
  readonly kind: ChangeKind | null;
  /** What the change adds to the share, negative if it was lost; null without a part in it. */
  readonly share: number | null;
  /** Whether its records match another organization now. */
  readonly isOther: boolean;
}

export type GoalChanges = Readonly<ReturnType<typeof changesSince>>;

/**
 * Compares the statuses of the suppliers on a day with those of today. Both are weighted with the
 * figures of today, so that the changes add up to the difference of the shares, and spend and
 * factors move nothing.
 *
 * @param then the same rows, with the records of the day
 */
export function changesSince(now: Engagement, then: readonly SpendGroup[]) {
  const byLine = new Map(
    then.flatMap((group) => group.lines.map((line) => [line, group] as const)),
  );
  const all = now.suppliers
    .filter(({ excluded }) => excluded === null)
    .map((supplier) => changeOf(supplier, formerGroups(supplier, byLine)));
  const sumOf = (kind: ChangeKind) =>
    totalOf(all.flatMap((each) => (each.kind === kind ? (each.share ?? 0) : [])));
  const sums = Object.fromEntries(changeKinds.map((kind) => [kind, sumOf(kind)])) as Readonly<
    Record<ChangeKind, number>
  >;
  return {
    /** The share with the statuses of the day; null without a share today. */
    shareThen: now.share === null ? null : shareThen(now.share, all),
    ...sums,
    /** The largest share first; those without a share last. */
    changes: all
      .filter(
        ({ supplier: { status }, statusThen, kind, isOther }) =>
          kind !== null || statusThen !== status || isOther,
      )
      .filter(({ kind, statusThen }) => kind !== null || statusThen !== null)
      .sort((a, b) => Math.abs(b.share ?? 0) - Math.abs(a.share ?? 0)),
    /** What to do about each supplier, in words, given what changed. */
    nextSteps: new Map(all.map(({ supplier }) => [supplier.supplier, supplier.nextStep])),
    /** The status of each supplier on the day. */
    statuses: new Map(all.map(({ supplier, statusThen }) => [supplier.supplier, statusThen])),
  };
}

/* Subtracting the changes from the share of today would leave a trace of rounding instead of 0. */
function shareThen(shareNow: number, all: readonly TargetChange[]): number {
  if (all.every(({ kind }) => kind === null)) return shareNow;
  return totalOf(
    all.flatMap(({ statusThen, supplier: { share } }) => {
      return statusThen === 'set' ? (share ?? 0) : [];
    }),
  );
}

function formerGroups(
  { entries }: SupplierShare,
  byLine: ReadonlyMap<number, SpendGroup>,
): readonly SpendGroup[] {
  const lines = entries.flatMap(({ group }) => group.lines);
  return [...new Set(lines.flatMap((line) => byLine.get(line) ?? []))];
}

function changeOf(supplier: SupplierShare, former: readonly SpendGroup[]): TargetChange {
  const records = former.filter(({ record }) => record !== undefined);
  const dated = former.flatMap(({ target, record }): DatedStatus[] =>
    target === null ? [] : [{ status: target, retrievedAt: record?.retrievedAt ?? null }],
  );
  const statusThen =
    records.length === 0 ? null : targetStatusOf(latestStatus(dated)?.status ?? null);
  const [isSet, wasSet] = [supplier.status === 'set', statusThen === 'set'];
  const hasRecord = supplier.entries.some(({ group }) => group.record !== undefined);
  const isOther = isOtherOrganization(
    supplier.entries.map(({ group }) => group),
    former,
  );
  const kind =
    isSet === wasSet
      ? null
      : statusThen === null || !hasRecord
        ? 'not_known'
        : isOther
          ? 'other_organization'
          : isSet
            ? 'newly_set'
            : 'lost';
  const { share } = supplier;
  return {
    supplier: { ...supplier, nextStep: nextStepAfter(supplier, { isOther, wasSet }) },
    statusThen,
    kind,
    isOther,
    share: kind === null || share === null ? null : isSet ? share : -share,
  };
}

/* A record that matches another organization says nothing about what the supplier did. */
function isOtherOrganization(now: readonly SpendGroup[], then: readonly SpendGroup[]): boolean {
  const matches = (groups: readonly SpendGroup[]) =>
    new Set(groups.flatMap(({ record }) => record?.matched?.id ?? []).map(String));
  const [current, former] = [matches(now), matches(then)];
  return current.size > 0 && former.size > 0 && ![...current].some((id) => former.has(id));
}
