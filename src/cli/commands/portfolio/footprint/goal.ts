/* `carbon footprint --goal`: how many suppliers have targets, and whom to ask next. */
import { basename, dirname, join, parse } from 'node:path';
import { naming } from '../../../../display/terminal/format.ts';
import type { SpendInput } from '../../../../portfolio/footprint/spend/spend-file.ts';
import { freePath, type OutFile } from '../../../output/out-file.ts';
import { show } from '../../../output/show.ts';
import type { Session } from '../../../session.ts';
import type { FootprintFlags } from './options.ts';
import { calculate, todayOf } from './read-input.ts';

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
  const { goal, since, year } = options;
  const { measureGoal } = await import('../../../../portfolio/footprint/measure-goal.ts');
  const { shown, now } = await measureGoal(
    input.name,
    {
      goal,
      year,
      since,
      today: todayOf(session, options),
      hintAt: (year) => `Run: ${session.again({ add: ['--year', String(year)] })}`,
    },
    (reading) => calculate(session, input, options, reading),
  );
  const { summary } = now.result;
  const { direction } = shown;
  if (direction && 'lack' in direction && direction.lack === 'readable')
    session.messages.warn(
      `carbon does not know which way the share moved: ${direction.error.message}. To see how to fix it, add --since <date>.`,
    );
  session.messages.release();
  const views = await import('../../../../portfolio/footprint/views/goal.ts');
  const list = await import('../../../../portfolio/footprint/views/goal-suppliers.ts');
  const folder = input.path === input.name ? dirname(input.path) : '';
  const workbook = () =>
    session.again({
      add: ['-o', freePath(join(folder, `${parse(basename(input.name)).name}-goal.xlsx`))],
      without: ['--full'],
    });
  const commandWith = (add: readonly string[]) =>
    session.again({ add, without: ['--out', '--overwrite', '--full'] });
  function* lines() {
    yield* list.supplierRows(shown);
    yield { summary: { ...summary, ...views.goalMembers(shown, summary) } };
  }
  await show(
    session,
    {
      json: lines(),
      terminal: (view) =>
        views.renderGoal(summary, shown, view, { list: workbook, isFull: options.full }),
      text: () => views.renderPlainGoal(summary, shown),
      table: () => ({
        name: 'Suppliers',
        columns: list.supplierColumns(since !== undefined),
        rows: list.supplierRows(shown),
      }),
      async page() {
        const { renderGoalPage } = await import(
          '../../../../portfolio/footprint/views/goal-page.ts'
        );
        const html = renderGoalPage(summary, shown, options.title, commandWith);
        return { html, size: shown.engagement.supplierCount, noun: 'supplier' };
      },
      async workbook() {
        const content = await list.supplierSheet(shown, summary.unit);
        return {
          ...content,
          name: 'Suppliers',
          title: `Targets of the suppliers in ${naming([...summary.method.files])}`,
          sheets: views.goalSheets(shown),
          summary: () => views.goalSummary(summary, shown, commandWith),
        };
      },
    },
    target,
  );
  return shown.engagement.reached ? 0 : notReached;
}
