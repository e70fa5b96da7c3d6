/* `carbon footprint --goal`: how many suppliers have targets, and whom to ask next. */
import { basename } from 'node:path';
import { quoteWords } from '../../../../display/terminal/sanitize.ts';
import type { SpendInput } from '../../../../portfolio/footprint/spend/spend-file.ts';
import type { GoalResult } from '../../../../portfolio/footprint/views/goal.ts';
import { invalidInput } from '../../../../runtime/carbon-error.ts';
import { emit } from '../../../output/emit.ts';
import type { OutFile } from '../../../output/out-file.ts';
import type { Session } from '../../../session.ts';
import { calculate, type FootprintFlags, todayOf } from './read-input.ts';

/** The exit code of a goal that is not reached. */
const notReached = 10;

/**
 * Shows progress toward a goal, and returns the exit code: 0 if it is reached, otherwise 10.
 * @throws UsageError for spend of several years, and for a share of spend in several currencies
 */
export async function showGoal(
  session: Session,
  input: SpendInput,
  { goal, ...options }: FootprintFlags & { readonly goal: string },
  target: OutFile | undefined,
): Promise<number> {
  const { engage, parseGoal } = await import('../../../../portfolio/footprint/goal.ts');
  const wanted = parseGoal(goal);
  const { result, spend } = await calculate(session, input, options);
  const { summary, entries } = result;
  const [year = null] = yearsOf(summary.years, input.name);
  const today = todayOf(session, options);
  const engagement = engage(entries, wanted, { today, disputed: spend.disputed });
  const since = await changes(session, input, options, engagement);
  const shown = { engagement, since, today, year };
  await output(session, { shown, summary, file: basename(input.name) }, target);
  return engagement.reached ? 0 : notReached;
}

function yearsOf(
  years: readonly { readonly year: number | null }[],
  name: string,
): readonly (number | null)[] {
  const all = years.map(({ year }) => year);
  if (all.length < 2) return all;
  const words = all.map((year) => year ?? 'no year');
  throw invalidInput(
    `${name} has spend of ${words.slice(0, -1).join(', ')} and ${words.at(-1)}, and a goal is about one year`,
    `Use --year ${all.findLast((year) => year !== null)}.`,
  );
}

async function changes(
  session: Session,
  input: SpendInput,
  { since: day, ...options }: FootprintFlags,
  engagement: GoalResult['engagement'],
): Promise<GoalResult['since']> {
  if (day === undefined) return undefined;
  const { changesSince } = await import('../../../../portfolio/footprint/goal-changes.ts');
  const { result } = await calculate(session, input, { ...options, at: day }, { isAgain: true });
  const groups = result.entries.map(({ group }) => group);
  return { day, changes: changesSince(engagement, groups) };
}

interface Output {
  readonly shown: GoalResult;
  readonly summary: Awaited<ReturnType<typeof calculate>>['result']['summary'];
  readonly file: string;
}

async function output(
  session: Session,
  { shown, summary, file }: Output,
  target: OutFile | undefined,
): Promise<void> {
  const views = await import('../../../../portfolio/footprint/views/goal.ts');
  if (target === undefined && session.format === 'human')
    return session.print(await views.renderGoal(summary, shown, quoteWords([file]), session.view));
  const columns = views.supplierColumns(shown.since !== undefined);
  const sheets = target?.extension === '.xlsx' ? views.goalSheets(shown) : [];
  const table = {
    name: 'Suppliers',
    title: 'Targets of suppliers',
    columns,
    sheets,
    summary: () => views.goalSummary(summary, shown),
  };
  await emit(session, table, views.supplierRows(shown), target);
  if (session.format === 'json')
    session.printJson(JSON.stringify({ summary: { ...summary, ...views.goalMembers(shown) } }));
}
