/* Reports what the check of a batch found. */
import { basename } from 'node:path';
import type { Batch } from '../../../batch/batch.ts';
import { reportProblem } from '../../../batch/failed-rows.ts';
import type { RowProblem } from '../../../batch/row-action.ts';
import { count, plural } from '../../../terminal/format.ts';
import type { Messages, Notice, NoticeLevel } from '../../messages.ts';
import type { Session } from '../../session.ts';
import { sheetNotices, unusedColumns } from '../../sheet-notices.ts';
import {
  ambiguousCountryNotices,
  columnNotices,
  droppedNotice,
  droppedTotal,
  findingNotices,
  journalNotices,
} from './notices.ts';
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
  const isSending = skipInvalid && !dryRun;
  reportChecked(messages, opened);
  if (opened.preflight.counts.invalid > 0)
    await reportInvalid(messages, opened, { isSending, dryRun });
  await reportDropped(messages, opened, dryRun);
  if (dryRun && session.format === 'json') {
    for await (const plan of opened.plans()) session.printJson(planJson(plan));
  }
}

/* Reports the column mapping and the number of rows by action. */
function reportChecked(messages: Messages, opened: Batch): void {
  const { mapping, preflight, journal, superseded } = opened;
  if (superseded !== undefined) {
    const { service, profile, kept } = superseded;
    messages.print({
      level: 'detail',
      text: `Journal ${basename(journal)} belongs to ${service} (profile ${profile}) and has no registrations. carbon saved it as ${basename(kept)} and starts a new one.`,
      event: { event: 'superseded', journal, ...superseded },
    });
  }
  messages.print(...journalNotices(opened), ...sheetNotices(opened.table.source.sheet));
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
    ...named(counts.refused, 'refused earlier'),
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
  messages.print(...ambiguousCountryNotices(opened), ...findingNotices(opened));
}

/*
 * Lists the invalid rows: all of them in a dry run and for programs, else the first ones and where
 * to find the others. Only if carbon sends the valid rows, --no-progress defers the list.
 */
async function reportInvalid(
  messages: Messages,
  opened: Batch,
  { isSending, dryRun }: { readonly isSending: boolean; readonly dryRun: boolean },
): Promise<void> {
  const { failed, preflight } = opened;
  const isDeferred = isSending && messages.isDeferring;
  if (!isDeferred && (dryRun || messages.isJson)) {
    for await (const problem of opened.problems()) messages.print(invalidNotice(problem, 'result'));
    return;
  }
  const level = isSending ? 'detail' : 'result';
  const lines = new Set<number>();
  for (const problem of preflight.problems) {
    if (lines.size === maxNamedRows && !lines.has(problem.line)) break;
    lines.add(problem.line);
    messages.print(invalidNotice(problem, level));
  }
  const more = preflight.counts.invalid - lines.size;
  if (more === 0) return;
  const where = isSending ? `${basename(failed)} lists all of them` : '--dry-run lists all of them';
  messages.print({
    level,
    text: `and ${plural(more, 'more invalid row')}; ${where}`,
    event: { event: 'truncated', more },
  });
}

function invalidNotice(problem: RowProblem, level: NoticeLevel): Notice {
  const text = `line ${problem.line}: ${reportProblem(problem)}`;
  return { level, text, event: { event: 'invalid', ...problem } };
}

/* Lists every value that carbon removes from a row; with --no-progress, only the first ones. */
async function reportDropped(messages: Messages, opened: Batch, dryRun: boolean): Promise<void> {
  const { count: all, problems } = opened.preflight.dropped;
  const isDeferred = !dryRun && messages.isDeferring;
  const listed = all > problems.length && !isDeferred ? opened.dropped() : problems;
  for await (const problem of listed) messages.print(droppedNotice(problem));
  if (all > 0) messages.print(droppedTotal(all));
}
