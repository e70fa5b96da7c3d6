/* Measures progress toward a goal for suppliers, today and since a day. */
import { invalidInput, UsageError } from '../../runtime/carbon-error.ts';
import type { ListToCorrect } from '../organizations/correction.ts';
import type { ResultDates } from '../records/dates.ts';
import { type Calculate, type Calculation, yearList } from './calculation.ts';
import { type Engagement, engage, type SupplierShare } from './goal.ts';
import { changesSince, type GoalChanges } from './goal-changes.ts';
import { directionOf, type GoalDirection } from './goal-direction.ts';
import { parseGoal } from './goal-share.ts';

/** What `--since` adds: the changes, and the day they begin after. */
export interface GoalSince {
  /** `YYYY-MM-DD` */
  readonly day: string;
  readonly changes: GoalChanges;
  /** Of when the records of the day are. */
  readonly dates: ResultDates;
}

/** A goal with everything that its views show. */
export interface GoalResult {
  readonly engagement: Engagement;
  readonly since: GoalSince | undefined;
  /** Which way the share moved, unless `since` says so. */
  readonly direction?: GoalDirection | undefined;
  /** The list to correct for suppliers without a match, if it is known. */
  readonly toCorrect?: ListToCorrect | undefined;
  /** `YYYY-MM-DD` */
  readonly today: string;
  readonly year: number | null;
}

export interface GoalOptions {
  /** As `parseGoal` reads it. */
  readonly goal: string;
  /** The year of the spend, if the user chose it. */
  readonly year?: number | undefined;
  /** `YYYY-MM-DD` */
  readonly since?: string | undefined;
  /** The day of the calculation, `YYYY-MM-DD`. */
  readonly today: string;
  /** Says how to choose a year of the spend. */
  readonly hintAt: (year: number) => string;
}

/**
 * Calculates the footprint of a file, and how far its suppliers are on the way to a goal.
 *
 * @param file the name of the file, for messages
 * @throws UsageError for another text than a goal, for spend of several years or of a later
 * one than the goal, and for a share of spend in several currencies
 */
export async function measureGoal(
  file: string,
  { goal, year: chosen, since: day, today, hintAt }: GoalOptions,
  calculate: Calculate,
): Promise<{ readonly shown: GoalResult; readonly now: Calculation }> {
  const wanted = parseGoal(goal);
  checkYear(wanted.year, chosen ?? null);
  const { history, ...now } = await calculate({ hasHistory: day === undefined });
  const { entries, summary } = now.result;
  const year = onlyYear(
    summary.years.map((each) => each.year),
    file,
    hintAt,
  );
  checkYear(wanted.year, year);
  const engagement = engage(entries, wanted, { today, disputed: now.spend.disputed });
  const { toCorrect } = now;
  if (day === undefined) {
    const direction = await directionOf(engagement, history, { today, asOf: summary.as_of });
    return { shown: { engagement, since: undefined, direction, toCorrect, today, year }, now };
  }
  const { result } = await calculate({ at: day, isAgain: true });
  const groups = result.entries.map(({ group }) => group);
  const changes = changesSince(engagement, groups);
  const changed = withNextSteps(engagement, changes);
  return {
    shown: {
      engagement: changed,
      since: { day, changes, dates: result.summary },
      toCorrect,
      today,
      year,
    },
    now,
  };
}

function checkYear(wanted: number | null, year: number | null): void {
  if (wanted !== null && year !== null && wanted < year)
    throw new UsageError(
      `--goal: ${wanted} is before ${year}, the year of the spend`,
      'Give the goal a later year, or none.',
    );
}

function withNextSteps(engagement: Engagement, { nextSteps }: GoalChanges): Engagement {
  const changed = <Share extends SupplierShare>(each: Share): Share => {
    return { ...each, nextStep: nextSteps.get(each.supplier) ?? each.nextStep };
  };
  const { suppliers, ask, ifLapsed, findOut } = engagement;
  return {
    ...engagement,
    suppliers: suppliers.map(changed),
    ask: ask.map(changed),
    ifLapsed: ifLapsed && { ...ifLapsed, ask: ifLapsed.ask.map(changed) },
    findOut: findOut.map(changed),
  };
}

function onlyYear(
  years: readonly (number | null)[],
  file: string,
  hintAt: GoalOptions['hintAt'],
): number | null {
  if (years.length < 2) return years[0] ?? null;
  const newest = years.findLast((year) => year !== null);
  throw invalidInput(
    `${file} has spend of ${yearList(years)}, but a goal is for one year`,
    newest == null ? undefined : hintAt(newest),
  );
}
