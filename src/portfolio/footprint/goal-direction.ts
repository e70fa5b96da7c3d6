/* Which way the share of a goal moved since the records began, without `--since`. */
import type { OrganizationId } from '../../client/api/ids.ts';
import { CarbonError } from '../../runtime/carbon-error.ts';
import { totalOf } from '../organizations/sum.ts';
import type { RecordHistory } from './calculation.ts';
import type { Engagement, SupplierShare } from './goal.ts';
import { changesSince, type GoalChanges } from './goal-changes.ts';
import { unlessUnreadable } from './record-history.ts';

/** The changes since the first day on which enough suppliers had a record; or why not. */
export type GoalDirection =
  | {
      /** `YYYY-MM-DD` */
      readonly day: string;
      /** Whether no record is from an earlier day. */
      readonly isFirst: boolean;
      readonly changes: GoalChanges;
    }
  | {
      readonly lack: 'earlier';
      readonly day: string;
      readonly isFirst: boolean;
      /** Whether the records are those of a day that was given, so that later ones do not help. */
      readonly isAsOf: boolean;
    }
  | { readonly lack: 'history' }
  | { readonly lack: 'readable'; readonly error: CarbonError };

/**
 * Compares a goal with the first day that `firstDayOf` finds, as `--since` does with its day.
 *
 * @param history undefined without one, and an error if it cannot be read
 * @param today the day of the goal, `YYYY-MM-DD`
 * @param asOf the day that was given as that; null without one
 */
export async function directionOf(
  engagement: Engagement,
  history: RecordHistory | CarbonError | undefined,
  { today, asOf }: { readonly today: string; readonly asOf: string | null },
): Promise<GoalDirection> {
  if (history === undefined) return { lack: 'history' };
  if (history instanceof CarbonError) return { lack: 'readable', error: history };
  const { firstDays, groupsAt } = history;
  const begin = [...firstDays.values()].reduce((first, each) => (each < first ? each : first), '~');
  const day = firstDayOf(engagement, firstDays) ?? begin;
  const isFirst = day === begin;
  if (day >= today) return { lack: 'earlier', day, isFirst, isAsOf: asOf !== null };
  const groups = await unlessUnreadable(() => groupsAt(day));
  if (groups instanceof CarbonError) return { lack: 'readable', error: groups };
  return { day, isFirst, changes: changesSince(engagement, groups) };
}

/**
 * Returns the first day on which suppliers with at least half of the shares of today had a record.
 * Only those with a record today count; undefined without any. Of an earlier day, the larger part
 * of a change would be that records were retrieved.
 */
function firstDayOf(
  { suppliers }: Engagement,
  firstDays: ReadonlyMap<OrganizationId, string>,
): string | undefined {
  const dated = suppliers
    .flatMap((each) => {
      const { share } = each;
      const day = firstDayOfSupplier(each, firstDays);
      return share === null || day === undefined ? [] : [{ share, day }];
    })
    .sort((a, b) => (a.day < b.day ? -1 : Number(a.day > b.day)));
  const half = totalOf(dated.map(({ share }) => share)) / 2;
  let sum = 0;
  return dated.find(({ share }) => {
    sum = totalOf([sum, share]);
    return sum >= half - 1e-12;
  })?.day;
}

function firstDayOfSupplier(
  { entries }: SupplierShare,
  firstDays: ReadonlyMap<OrganizationId, string>,
): string | undefined {
  const days = entries.flatMap(({ group: { record } }) => {
    return record === undefined ? [] : (firstDays.get(record.organization) ?? []);
  });
  return days.sort()[0];
}
