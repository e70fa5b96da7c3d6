/* Reports what the check of a batch found. */
import { basename } from 'node:path';
import type { Batch } from '../../../batch/batch.ts';
import { reportProblem } from '../../../batch/failed-rows.ts';
import type { RowProblem } from '../../../batch/row-action.ts';
import { count, plural } from '../../../terminal/format.ts';
import { sheetNotices, unusedColumns } from '../../input-table.ts';
import type { Messages, Notice, NoticeLevel } from '../../messages.ts';
import type { Session } from '../../session.ts';
import { columnNotices, findingNotices, journalNotices } from './notices.ts';
import { planJson } from './print-rows.ts';
import { named } from './summary.ts';

/* Maximum number of invalid rows to list; the failed-rows file has all of them. */
const maxNamedRows = 20;

/** Reports what the check found; with --dry-run and --json, prints the plan for each row. */
export async function reportCheck(
  session: Session,
  opened: Batch,
  { dryRun, skipInvalid }: { readonly dryRun: boolean; readonly skipInvalid: boolean },
): Promise<void> {
  const { messages } = session;
  reportChecked(messages, opened);
  await reportProblems(messages, opened, { isSending: skipInvalid && !dryRun, dryRun });
  if (dryRun && session.format === 'json') {
    for await (const plan of opened.plans()) session.printJson(planJson(plan));
  }
}

/* Reports the column mapping and the number of rows by action. */
function reportChecked(messages: Messages, opened: Batch): void {
  const { mapping, preflight } = opened;
  messages.print(...journalNotices(opened), ...sheetNotices(opened.table.source));
  const columns = mapping.columns.map(({ column, field }) => `${column} → ${field}`).join(', ');
  messages.print(
    {
      level: 'detail',
      text: `Columns: ${columns}${unusedColumns(mapping.unused)}`,
      event: { event: 'mapping', columns: mapping.columns, unused: mapping.unused },
    },
    ...columnNotices(opened),
  );
  const { counts, rows, elsewhere } = preflight;
  const parts = [
    `${count.format(counts.new)} new`,
    ...named(counts.done, 'already registered'),
    ...named(counts.refused, 'rejected earlier'),
    ...named(counts.duplicate, counts.duplicate === 1 ? 'duplicate' : 'duplicates'),
    ...named(counts.invalid, 'invalid'),
  ];
  const others = elsewhere > 0 ? ` (and ${count.format(elsewhere)} in other shards)` : '';
  messages.print({
    level: 'detail',
    text: `Checked ${plural(rows, 'row')}${others}: ${parts.join(', ')}`,
    event: { event: 'checked', rows, elsewhere, ...counts },
  });
  if (rows + elsewhere === 0) messages.warn('The file has a header but no rows.');
  messages.print(...findingNotices(opened));
}

/*
 * Lists the invalid rows and the identifiers that are left out: all of them in a dry run and for
 * programs, otherwise the first ones. Only if carbon sends the valid rows, --no-progress defers the
 * list.
 */
async function reportProblems(
  messages: Messages,
  opened: Batch,
  { isSending, dryRun }: { readonly isSending: boolean; readonly dryRun: boolean },
): Promise<void> {
  const { counts, dropped, problems } = opened.preflight;
  const level = isSending ? 'detail' : 'result';
  if ((dryRun || messages.isJson) && !(isSending && messages.isDeferring)) {
    if (counts.invalid + dropped > 0)
      for await (const problem of opened.problems()) messages.print(problemNotice(problem, level));
  } else {
    const lines = new Set<number>();
    const isListed = ({ line }: RowProblem) => lines.has(line) || lines.size < maxNamedRows;
    const listed = problems.filter((problem) => isListed(problem) && lines.add(problem.line));
    messages.print(...listed.map((problem) => problemNotice(problem, level)));
    const invalid = new Set(listed.filter((each) => !each.isDropped).map(({ line }) => line));
    const more = counts.invalid - invalid.size;
    const where = isSending ? basename(opened.failed) : '--dry-run';
    if (more > 0) {
      const text = `and ${plural(more, 'more invalid row')}; ${where} lists all of them`;
      messages.print({ level, text, event: { event: 'truncated', more } });
    }
  }
  if (dropped > 0) {
    const text = `Invalid identifiers left out: ${count.format(dropped)}`;
    messages.print({ level: 'detail', text, event: { event: 'dropped_ids', values: dropped } });
  }
}

function problemNotice({ isDropped, ...problem }: RowProblem, level: NoticeLevel): Notice {
  const text = `line ${problem.line}: ${reportProblem(problem)}`;
  return isDropped
    ? {
        level: 'detail',
        text: `${text}; will be sent without it`,
        event: { event: 'dropped', ...problem },
      }
    : { level, text, event: { event: 'invalid', ...problem } };
}
