/* SBTi targets: their order, and their normalized status. */
import type { Organization, SbtiTarget } from '../../client/api/schema.ts';
import { isOfUnknown } from './matches.ts';

export function targetsByDate({ sbti }: Organization): readonly SbtiTarget[] {
  const targets = sbti?.data ?? [];
  if (targets.length < 2) return targets;
  const created = (target: SbtiTarget) => target.created_at ?? '';
  return targets.toSorted(
    (a, b) => Number(created(a) < created(b)) - Number(created(a) > created(b)),
  );
}

const wordings: readonly (readonly [pattern: RegExp, status: string])[] = [
  [/^(?:targets? )?set$|^validated$/, 'set'],
  [/^committed$/, 'committed'],
  [/^(?:commitment |targets? )?(?:removed|expired|withdrawn|inactive|archived)$/, 'removed'],
  [/^(?:none|no targets?)$/, 'none'],
];

/** The known statuses of a near-term target; `with_target` is one without a status. */
export const targetStatuses = ['set', 'committed', 'removed', 'none', 'with_target'] as const;

/**
 * Checks whether a record without a target says that there is none. Open or failed research has not
 * looked for targets, and without a match nobody knows whose to look for, so that a missing one is
 * unknown.
 */
export function knowsNoTarget(record: Organization): boolean {
  const { status, sbti } = record;
  return Boolean(sbti?.data) && (!status || status === 'synced') && !isOfUnknown(record);
}

/**
 * Reads the near-term target of the latest SBTi record: one of `targetStatuses`, or the text as
 * received; undefined without data, and if nothing tells whose record it is. An empty list means
 * that SBTi has no target.
 */
export function nearTermTarget(record: Organization): string | undefined {
  const status = statusOf(record);
  if (status === undefined || isOfUnknown(record)) return undefined;
  return status === 'none' && !knowsNoTarget(record) ? undefined : status;
}

/**
 * Returns the same for tables of records, which keep what was received even if nothing tells whose
 * record it is.
 */
export function receivedTarget(record: Organization): string | undefined {
  const hasRecord = targetsByDate(record).length > 0;
  return isOfUnknown(record) && hasRecord ? statusOf(record) : nearTermTarget(record);
}

function statusOf(record: Organization): string | undefined {
  const [latest] = targetsByDate(record);
  if (latest === undefined) return record.sbti?.data ? 'none' : undefined;
  const { has_target: flag, target_status: text } = latest.near_term ?? {};
  const status = text?.trim();
  if (!status && typeof flag === 'string') return flag.trim() || undefined;
  if (!status) return typeof flag === 'boolean' ? (flag ? 'with_target' : 'none') : undefined;
  const word = status.replaceAll(/[\s_-]+/g, ' ').toLowerCase();
  return wordings.find(([pattern]) => pattern.test(word))?.[1] ?? status;
}

/** A status as `nearTermTarget` returns it, and when its record was retrieved. */
export interface DatedStatus {
  readonly status: string;
  /** ISO 8601; null if unknown. */
  readonly retrievedAt: string | null;
}

/* What counts if records disagree and no time says which one is newer; others are `other`. */
const leastFavorableFirst = ['removed', 'none', 'other', 'with_target', 'committed', 'set'];

/**
 * Returns the status of the records that were retrieved last; undefined without any. With equal or
 * unknown times, the least favorable one counts, and `isDisputed` says that they disagree.
 */
export function latestStatus(
  all: readonly DatedStatus[],
): { readonly status: string; readonly isDisputed: boolean } | undefined {
  const [first] = all;
  if (all.length < 2) return first && { status: first.status, isDisputed: false };
  const timeOf = ({ retrievedAt }: DatedStatus) =>
    retrievedAt === null ? Number.NaN : Date.parse(retrievedAt);
  const last = all.reduce((latest, each) => Math.max(latest, timeOf(each) || latest), 0);
  const rank = (status: string) => {
    const index = leastFavorableFirst.indexOf(status);
    return index < 0 ? leastFavorableFirst.indexOf('other') : index;
  };
  const statuses = all
    .filter((each) => !(timeOf(each) < last))
    .map(({ status }) => status)
    .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  const [status] = statuses;
  return status === undefined
    ? undefined
    : { status, isDisputed: statuses.some((each) => each !== status) };
}

/** Returns the newest description of an organization's targets. */
export function targetText(record: Organization): string | undefined {
  const details = targetsByDate(record).map(({ target_detail: detail }) => detail);
  return details.find((detail) => detail?.trim()) ?? undefined;
}

function flagOf(flag: boolean | string | null | undefined): boolean | null {
  return typeof flag === 'boolean' ? flag : null;
}

/** What a record says about a target besides its status. Dates are texts as received. */
export interface TargetEvidence {
  /** When the latest target record was created, which may not be the day of its validation. */
  readonly since: string | null;
  /** When SBTi was last looked up. */
  readonly checkedAt: string | null;
  /** The targets in words. */
  readonly detail: string | null;
  /** Whether the latest target record says that there is a near-term target. */
  readonly hasTarget: boolean | null;
  /** Its status, even if nothing tells whose record it is; null without a target record. */
  readonly status: string | null;
}

const dayInMilliseconds = 86_400_000;
/* Half a year: SBTi changes its list each week. */
const maxLookupAge = 183;

/**
 * Tells whether SBTi was looked up more than six months ago.
 * @param checkedAt ISO 8601
 * @param today `YYYY-MM-DD`
 */
export function isOldLookup(checkedAt: string, today: string): boolean {
  return Date.parse(today) - Date.parse(checkedAt) > maxLookupAge * dayInMilliseconds;
}

/**
 * Returns when SBTi was last looked up, as received; null if it is unknown. A list keeps only the
 * last look-up of a record that is otherwise the same, so that one after `until` says nothing.
 * @param until the last day that the record stands for, ISO 8601; null if it is unknown
 */
export function lastLookup(record: Organization, until: string | null): string | null {
  const last = targetsByDate(record)[0]?.retrieved_at || record.sbti?.last_retrieved_at || null;
  return last !== null && until !== null && last.slice(0, 10) > until.slice(0, 10) ? null : last;
}

/**
 * Returns the evidence of the latest SBTi record; null without data.
 * @param until as of `lastLookup`
 */
export function targetEvidence(record: Organization, until: string | null): TargetEvidence | null {
  const { sbti } = record;
  if (!sbti) return null;
  const [latest] = targetsByDate(record);
  return {
    since: latest?.created_at || null,
    checkedAt: lastLookup(record, until),
    detail: targetText(record) ?? null,
    hasTarget: flagOf(latest?.near_term?.has_target),
    status: latest === undefined ? null : (statusOf(record) ?? null),
  };
}
