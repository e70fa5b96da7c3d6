/* Reports what the check of a batch found. */
import { basename } from 'node:path';
import type { Batch } from '../../../batch/batch.ts';
import { reportProblem } from '../../../batch/failed-rows.ts';
import type { RowProblem } from '../../../batch/row-action.ts';
import { count, plural } from '../../../terminal/format.ts';
import type { Session } from '../../session.ts';
import { sheetNotices } from '../../sheet-notices.ts';
import type { Notice, NoticePrinter } from './notice-printer.ts';
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

const headerOnly = 'The file has a header but no rows.';
const noRows: Notice = {
  text: headerOnly,
  event: { warning: headerOnly },
  isWarning: true,
  isUrgent: true,
};

/** Reports what the check found; with --dry-run and --json, prints the plan for each row. */
export async function reportCheck(
  session: Session,
  notices: NoticePrinter,
  opened: Batch,
  { dryRun, skipInvalid }: { readonly dryRun: boolean; readonly skipInvalid: boolean },
): Promise<void> {
  const isSending = skipInvalid && !dryRun;
  reportChecked(notices, opened);
  if (opened.preflight.counts.invalid > 0)
    await reportInvalid(notices, opened, { isSending, dryRun });
  await reportDropped(notices, opened, dryRun);
  if (dryRun && session.format === 'json') {
    for await (const plan of opened.plans()) session.printJson(planJson(plan));
  }
}

/* Reports the column mapping and the number of rows by action. */
function reportChecked(notices: NoticePrinter, opened: Batch): void {
  const { mapping, preflight, journal, superseded } = opened;
  if (superseded !== undefined) {
    const { service, profile, kept } = superseded;
    notices.note(
      `Journal ${basename(journal)} belongs to ${service} (profile ${profile}) and has no registrations. carbon saved it as ${basename(kept)} and starts a new one.`,
      { event: 'superseded', journal, ...superseded },
    );
  }
  for (const notice of journalNotices(opened)) notices.print(notice);
  for (const notice of sheetNotices(opened.table.source.sheet))
    notices.print({ ...notice, isUrgent: false });
  const columns = mapping.columns.map(({ column, field }) => `${column} → ${field}`).join(', ');
  const unused = mapping.unused.length > 0 ? `; not used: ${mapping.unused.join(', ')}` : '';
  notices.note(`Columns: ${columns}${unused}`, {
    event: 'mapping',
    columns: mapping.columns,
    unused: mapping.unused,
  });
  for (const notice of columnNotices(opened)) notices.print(notice);
  const { counts, rows, elsewhere } = preflight;
  const parts = [
    `${count.format(counts.new)} new`,
    ...named(counts.done, 'already registered'),
    ...named(counts.refused, 'refused earlier'),
    ...named(counts.duplicate, counts.duplicate === 1 ? 'duplicate' : 'duplicates'),
    ...named(counts.invalid, 'invalid'),
  ];
  const others = elsewhere > 0 ? ` (and ${count.format(elsewhere)} in other shards)` : '';
  notices.note(`Checked ${plural(rows, 'row')}${others}: ${parts.join(', ')}`, {
    event: 'checked',
    rows,
    elsewhere,
    ...counts,
  });
  if (rows + elsewhere === 0) notices.print(noRows);
  for (const notice of [...ambiguousCountryNotices(opened), ...findingNotices(opened)])
    notices.print(notice);
}

/*
 * Lists the invalid rows: all of them in a dry run and for programs, else the first ones and where
 * to find the others. Only if carbon sends the valid rows, --no-progress defers the list.
 */
async function reportInvalid(
  notices: NoticePrinter,
  opened: Batch,
  { isSending, dryRun }: { readonly isSending: boolean; readonly dryRun: boolean },
): Promise<void> {
  const { failed, preflight } = opened;
  const isDeferred = isSending && notices.isDeferring;
  if (!isDeferred && (dryRun || notices.isJson)) {
    for await (const problem of opened.problems()) notices.print(invalidNotice(problem, true));
    return;
  }
  const lines = new Set<number>();
  for (const problem of preflight.problems) {
    if (lines.size === maxNamedRows && !lines.has(problem.line)) break;
    lines.add(problem.line);
    notices.print(invalidNotice(problem, !isSending));
  }
  const more = preflight.counts.invalid - lines.size;
  if (more === 0) return;
  const where = isSending ? `${basename(failed)} lists all of them` : '--dry-run lists all of them';
  notices.print({
    text: `and ${plural(more, 'more invalid row')}; ${where}`,
    event: { event: 'truncated', more },
    isWarning: false,
    isUrgent: !isSending,
  });
}

function invalidNotice(problem: RowProblem, isUrgent: boolean): Notice {
  const text = `line ${problem.line}: ${reportProblem(problem)}`;
  return { text, event: { event: 'invalid', ...problem }, isWarning: false, isUrgent };
}

/* Lists every value that carbon removes from a row; with --no-progress, only the first ones. */
async function reportDropped(
  notices: NoticePrinter,
  opened: Batch,
  dryRun: boolean,
): Promise<void> {
  const { count: all, problems } = opened.preflight.dropped;
  const isDeferred = !dryRun && notices.isDeferring;
  const listed = all > problems.length && !isDeferred ? opened.dropped() : problems;
  for await (const problem of listed) notices.print(droppedNotice(problem));
  if (all > 0) notices.print(droppedTotal(all));
}
