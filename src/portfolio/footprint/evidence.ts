/* What is known of the targets that count toward a goal, and what to ask each supplier. */
import { dateText } from '../../display/terminal/format.ts';
import { totalOf } from '../organizations/sum.ts';
import { targetWords } from '../organizations/target-words.ts';
import { isOldLookup } from '../organizations/targets.ts';
import { recordIn } from './entries.ts';
import type { SupplierShare } from './goal.ts';
import type { Goal } from './goal-share.ts';
import { currencyToRetrieve, type MissingFigures, type UncoveredReason } from './line-item.ts';
import { stepWithoutEmissions } from './missing-figures.ts';
import { isNamed, type Supplier } from './supplier-groups.ts';
import type { TargetStatus } from './totals.ts';

/** What weakens the evidence of targets that count. */
export type EvidenceDoubt =
  | 'old_text'
  | 'short_text'
  | 'old_check'
  | 'late_record'
  | 'no_flag'
  | 'open_research'
  | 'no_emissions'
  | 'disputed';

const steps: Readonly<Record<Exclude<TargetStatus, 'set'>, string>> = {
  committed: 'ask when SBTi validates it',
  removed: 'ask why it was removed, and for a new near-term target',
  none: 'ask for a near-term target',
  other: 'look up the status at SBTi',
  unknown: 'look up the status at SBTi',
};

/* Why nobody knows whose record it is, or what it says: before that, there is nothing to ask. */
const openReasons: readonly UncoveredReason[] = [
  'in_progress',
  'errored',
  'unmatched',
  'not_registered',
  'rejected',
  'no_record',
  'match_differs',
  'match_shared',
  'ambiguous_match',
];

type StepOf = Pick<
  SupplierShare,
  'supplier' | 'status' | 'statusText' | 'emissions' | 'uncovered' | 'excluded' | 'entries'
>;

/* The currencies in which records would give the emissions that a supplier lacks. */
function currenciesToRetrieve({ entries }: StepOf): string {
  const codes = entries.flatMap(
    ({ group, uncovered }) => currencyToRetrieve(uncovered?.reason, group.currency) ?? [],
  );
  return [...new Set(codes)].join(' and ');
}

/** Whether a supplier's record has no matched organization, so that nobody knows its target. */
export function areUnmatched(entries: StepOf['entries']): boolean {
  return entries.some(({ factor, uncovered }) => {
    return factor?.lack?.reason === 'unmatched' || uncovered?.reason === 'unmatched';
  });
}

/* The figures of the latest year that the record of a supplier without emissions lacks. */
function figuresToAsk({ entries, uncovered }: StepOf): MissingFigures | undefined {
  const [latest] = entries
    .filter((each) => each.uncovered !== null && each.uncovered.reason === uncovered)
    .toSorted((a, b) => (b.group.year ?? 0) - (a.group.year ?? 0));
  return latest?.uncovered?.figures;
}

/** Says in words what to do about a supplier; null if it counts in no share. */
export function nextStep(each: StepOf, { of, year }: Goal, today: string): string | null {
  const { supplier, status, statusText, emissions, uncovered, excluded, entries } = each;
  if (excluded !== null) return null;
  if (!isNamed(supplier)) return 'find out who it is';
  if (areUnmatched(entries)) {
    const step = stepWithoutEmissions('unmatched');
    const record = byItsRecord(each);
    return record === undefined ? step : `${step}; ${record}`;
  }
  const currencies = emissions === null ? currenciesToRetrieve(each) : '';
  const find =
    currencies === ''
      ? stepWithoutEmissions(uncovered, figuresToAsk(each))
      : `retrieve it in ${currencies}`;
  if (status === 'set' && emissions === null) return `has a target; ${find}`;
  // A goal of spend needs no emissions.
  if (currencies !== '' && of === 'emissions') return find;
  if (status === 'set') return stepWithTarget(each, year, today);
  if (status === 'unknown')
    return uncovered !== null && openReasons.includes(uncovered) ? find : steps.unknown;
  const step = statusText === 'with_target' ? 'ask for its entry at SBTi' : steps[status];
  return emissions === null && of === 'emissions' ? `${find}; ${step}` : step;
}

/*
 * A target of the past is asked about, one that ends before or with the year of the goal renewed:
 * it counts no longer from the next year.
 */
function stepWithTarget(each: StepOf, goalYear: number | null, today: string): string | null {
  const last = goalYear === null ? null : lastYearCounted(each, goalYear, yearOf(today));
  const ends = last !== null;
  const beyond = ends ? `for a target beyond ${last}` : '';
  if (!isOldText(each, today)) {
    if (ends) return `ask ${beyond}`;
    // It counts, though nobody has looked it up for half a year.
    return isOldCheck(each, today) ? 'look it up at SBTi again' : null;
  }
  return `ask if the target still holds${ends ? `, and ${beyond}` : ''}`;
}

/* The year beyond which a target has to run; null if it does, or if the years are over. */
function lastYearCounted(each: StepOf, goalYear: number, thisYear: number): number | null {
  if (goalYear > thisYear && namesOnlyBefore(each, goalYear)) return goalYear - 1;
  return goalYear >= thisYear && endsWith(each, goalYear) ? goalYear : null;
}

const stepsOnceLost: Readonly<Record<Exclude<TargetStatus, 'set'>, string>> = {
  committed: 'ask why, and when SBTi validates it',
  removed: steps.removed,
  none: 'ask why, and for a near-term target',
  other: 'ask why, and look up the status at SBTi',
  unknown: 'ask why, and look up the status at SBTi',
};

/**
 * Says what to do about a supplier whose record changed: a new match comes before everything that
 * depends on it, and a lost target before a new one.
 */
export function nextStepAfter(
  each: Pick<SupplierShare, 'supplier' | 'status' | 'uncovered' | 'nextStep'>,
  { isOther, wasSet }: { readonly isOther: boolean; readonly wasSet: boolean },
): string | null {
  const { supplier, status, uncovered, nextStep: step } = each;
  const isOpen = status === 'unknown' && uncovered !== null && openReasons.includes(uncovered);
  if (!isNamed(supplier) || isOpen) return step;
  if (isOther) return 'check the match first';
  return wasSet && status !== 'set' ? stepsOnceLost[status] : step;
}

function evidenceOf({ entries }: Pick<SupplierShare, 'entries'>) {
  return entries.find(({ group }) => group.record?.evidence)?.group.record?.evidence ?? null;
}

/**
 * Says what the SBTi record of a supplier without a match has, which counts only once the match is
 * known; undefined without one.
 */
export function byItsRecord(each: Pick<SupplierShare, 'entries'>): string | undefined {
  const { status = null, since = null } = evidenceOf(each) ?? {};
  if (status === null || status === 'none') return undefined;
  const day = since === null ? undefined : dateText(since.slice(0, 10));
  const which = day === undefined ? 'SBTi' : `SBTi ${day}`;
  return `${targetWords(status).name} by its record (${which}), counts once matched`;
}

/* Every year in the words of the target is over; without a year, there is nothing to compare. */
function isOldText(each: Pick<SupplierShare, 'entries'>, today: string): boolean {
  return namesOnlyBefore(each, yearOf(today));
}

function yearOf(day: string): number {
  return Number(day.slice(0, 4));
}

/** Tells whether the words of a target name years, and none as late as `year`. */
export function namesOnlyBefore(each: Pick<SupplierShare, 'entries'>, year: number): boolean {
  const years = evidenceOf(each)?.detail?.match(/(?<!\d)(?:19|20)\d{2}(?!\d)/g) ?? [];
  return years.length > 0 && years.every((named) => Number(named) < year);
}

/**
 * Finds the validated targets whose words name the year of a goal as their last one, and their
 * share, the largest first.
 */
export function targetsEndingWith<
  Each extends Pick<SupplierShare, 'entries' | 'status' | 'excluded' | 'share'>,
>(suppliers: readonly Each[], year: number | null) {
  const found = suppliers
    .filter(
      (each) =>
        year !== null && each.status === 'set' && each.excluded === null && endsWith(each, year),
    )
    .sort((a, b) => (b.share ?? 0) - (a.share ?? 0));
  return { suppliers: found, share: totalOf(found.map(({ share }) => share ?? 0)) };
}

function endsWith(each: Pick<SupplierShare, 'entries'>, year: number): boolean {
  return namesOnlyBefore(each, year + 1) && !namesOnlyBefore(each, year);
}

/** Tells whether SBTi was looked up more than six months ago, whatever the status. */
export function isOldCheck(each: Pick<SupplierShare, 'entries'>, today: string): boolean {
  return isOldLookup(lookedUp(each), today);
}

/* When SBTi was looked up for it, at the latest when its record was retrieved; empty if never. */
function lookedUp(each: Pick<SupplierShare, 'entries'>): string {
  return evidenceOf(each)?.checkedAt ?? recordIn(each.entries)?.retrievedAt ?? '';
}

/**
 * Returns the share of suppliers for which SBTi was not looked up again after a day, so that no
 * change of their targets can show.
 * @param day `YYYY-MM-DD`
 */
export function shareNotLookedUpSince(suppliers: readonly SupplierShare[], day: string): number {
  const found = suppliers.filter((each) => {
    const last = lookedUp(each).slice(0, 10);
    return each.excluded === null && each.status !== 'unknown' && last !== '' && last <= day;
  });
  return totalOf(found.map(({ share }) => share ?? 0));
}

/** Where anyone can look up a target. */
export const dashboard = 'sciencebasedtargets.org/target-dashboard';

/** Finds the suppliers whose look-up is old, and the first and the last day of these. */
export function lookupDaysOf<Each extends Pick<SupplierShare, 'entries'>>(
  suppliers: readonly Each[],
  today: string,
) {
  const old = suppliers.filter((each) => isOldCheck(each, today));
  const days = old.map((each) => lookedUp(each).slice(0, 10));
  const [from = null, ...others] = days.sort();
  return { old, from, to: others.at(-1) ?? from };
}

/** Tells whether the SBTi record has a later day than the look-up that found it. */
export function isLateRecord(each: Pick<SupplierShare, 'entries'>): boolean {
  const { since = null, checkedAt = null } = evidenceOf(each) ?? {};
  return Boolean(since && checkedAt && since.slice(0, 10) > checkedAt.slice(0, 10));
}

/**
 * Returns the first and the last day of the look-ups at SBTi, `YYYY-MM-DD`, if more than half of
 * them are of an earlier day than their records; otherwise null.
 */
export function earlierLookups(
  suppliers: readonly SupplierShare[],
): { readonly from: string; readonly to: string } | null {
  const days = suppliers.flatMap((each) => {
    const record = recordIn(each.entries);
    const checked = record?.evidence?.checkedAt?.slice(0, 10) ?? '';
    if (each.excluded !== null || !/^\d{4}-\d\d-\d\d$/.test(checked)) return [];
    return { checked, isOlder: checked < (record?.retrievedAt ?? '').slice(0, 10) };
  });
  const [first = '', ...others] = days.map(({ checked }) => checked).sort();
  if (2 * days.filter(({ isOlder }) => isOlder).length <= days.length) return null;
  return { from: first, to: others.at(-1) ?? first };
}

/**
 * Finds the suppliers whose look-up has no day of its own, so that the day of the retrieval counts,
 * which is after those of `earlierLookups`.
 */
export function laterLookups(
  suppliers: readonly SupplierShare[],
  lookups: ReturnType<typeof earlierLookups>,
): readonly SupplierShare[] {
  if (lookups === null) return [];
  return suppliers.filter((each) => {
    const record = recordIn(each.entries);
    if (each.excluded !== null || each.status === 'unknown' || !record) return false;
    return !record.evidence?.checkedAt && (record.retrievedAt ?? '').slice(0, 10) > lookups.to;
  });
}

/** Finds the suppliers whose status counts, but on weak evidence, with their share. */
export function doubtsOf(
  suppliers: readonly SupplierShare[],
  today: string,
  disputed: ReadonlySet<Supplier>,
  goalYear: number | null,
) {
  const tests: Readonly<Record<EvidenceDoubt, (each: SupplierShare) => boolean>> = {
    old_text: (each) => isOldText(each, today),
    short_text: (each) => {
      return goalYear !== null && namesOnlyBefore(each, goalYear) && !isOldText(each, today);
    },
    old_check: (each) => each.status !== 'unknown' && isOldCheck(each, today),
    late_record: isLateRecord,
    no_flag: (each) => evidenceOf(each)?.hasTarget === false,
    open_research: (each) => Boolean(each.share && recordIn(each.entries)?.research),
    no_emissions: ({ emissions }) => emissions === null,
    disputed: ({ supplier }) => disputed.has(supplier),
  };
  const counted = suppliers.filter(({ excluded }) => excluded === null);
  const set = counted.filter(({ status }) => status === 'set');
  // These weaken any status.
  const ofAll: readonly string[] = ['old_check', 'late_record', 'disputed'];
  return Object.entries(tests).flatMap(([doubt, isDoubtful]) => {
    const found = (ofAll.includes(doubt) ? counted : set).filter(isDoubtful);
    if (found.length === 0) return [];
    const share = totalOf(found.map((each) => each.share ?? 0));
    return [{ doubt: doubt as EvidenceDoubt, share, suppliers: found }];
  });
}
