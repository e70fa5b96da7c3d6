/* `carbon footprint --goal`: how many suppliers have targets, and whom to ask next. */
import { basename } from 'node:path';
import { quoteWords } from '../../../../display/terminal/sanitize.ts';
import type { SpendInput } from '../../../../portfolio/footprint/spend/spend-file.ts';
import type { OutFile } from '../../../output/out-file.ts';
import { emit } from '../../../output/show.ts';
import type { Session } from '../../../session.ts';
import { calculate, type FootprintFlags, todayOf } from './read-input.ts';

/** The exit code of a goal that is not reached. */
const notReached = 10;

/**
 * Shows progress toward a goal, and returns the exit code: 0 if it is reached, otherwise 10.
 * @throws UsageError as `measureGoal` does
 */
export async function showGoal(
  session: Session,
  input: SpendInput,
  options: FootprintFlags & { readonly goal: string },
  target: OutFile | undefined,
): Promise<number> {
  const { goal, since } = options;
  const { measureGoal } = await import('../../../../portfolio/footprint/measure-goal.ts');
  const { shown, now } = await measureGoal(
    input.name,
    { goal, since, today: todayOf(session, options) },
    (reading) => calculate(session, input, options, reading),
  );
  const { summary } = now.result;
  const views = await import('../../../../portfolio/footprint/views/goal.ts');
  if (target === undefined && session.format === 'human') {
    const file = quoteWords([basename(input.name)]);
    session.print(
      await views.renderGoal(summary, shown, session.view, { file, isFull: options.full }),
    );
  } else if (target?.extension === '.html') {
    const { renderGoalPage } = await import('../../../../portfolio/footprint/views/goal-page.ts');
    const page = renderGoalPage(summary, shown, options.title);
    await target.writePage(page, shown.engagement.supplierCount, 'supplier');
  } else {
    const columns = views.supplierColumns(since !== undefined);
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
  return shown.engagement.reached ? 0 : notReached;
}
