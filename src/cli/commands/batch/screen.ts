/*
 * Shows a batch: mapping, check, progress and summary on standard error, and results on standard
 * output if --json, --csv or --ids selects a format. With --no-progress, a successful run prints
 * nothing.
 */
import { basename } from 'node:path';
import { hasEnded } from '../../../api/reference.ts';
import type { Batch } from '../../../batch/batch.ts';
import type { RefusalStreakNotice } from '../../../batch/failed-attempts.ts';
import { reportProblem } from '../../../batch/failed-rows.ts';
import type { RowEvent, RunOutcome } from '../../../batch/outcome.ts';
import type { RowProblem } from '../../../batch/row-action.ts';
import { InterruptedError, LocalError, UsageError } from '../../../runtime/carbon-error.ts';
import { Stopped } from '../../../runtime/context.ts';
import { count, plural } from '../../../terminal/format.ts';
import type { Session } from '../../session.ts';
import { FailedRowNames } from './failed-row-names.ts';
import {
  ambiguousCountryNotices,
  columnNotices,
  droppedNotice,
  droppedTotal,
  findingNotices,
  journalNotices,
  type Notice,
} from './notices.ts';
import { printRow } from './print-rows.ts';
import { BatchProgress } from './progress.ts';
import { RefusalNotice } from './refusal-notice.ts';
import { endNotices, named, type RunFiles } from './summary.ts';

/* Maximum number of invalid rows to list; the failed-rows file has all of them. */
const maxNamedRows = 20;

/** Shows one batch. Call `begin` before sending and `end` afterwards. */
export class BatchScreen {
  readonly #session: Session;
  readonly #progress: BatchProgress;
  readonly #deferred: (() => void)[] = [];
  #hasNewRows = true;
  #isFailedRowsFile = false;
  readonly #refusalNotice: RefusalNotice;
  readonly #failures: FailedRowNames;
  #isResearching = false;

  constructor(session: Session) {
    this.#session = session;
    this.#progress = new BatchProgress(session, (text, event) => this.#note(text, event));
    this.#refusalNotice = new RefusalNotice(session.context.clock);
    this.#failures = new FailedRowNames(session.messages);
  }

  #note(text: string, event: Readonly<Record<string, unknown>>): void {
    this.#report({ text, event, isWarning: false, isUrgent: false });
  }

  #report({ text, event, isWarning, isUrgent }: Notice): void {
    const { messages, flags } = this.#session;
    this.#print(
      () => (isWarning ? messages.warn(text, event) : messages.note(text, event)),
      flags.progress === false && !isUrgent,
    );
  }

  /* A deferred message is printed only if the run fails. */
  #print(print: () => void, isDeferred: boolean): void {
    if (isDeferred) this.#deferred.push(print);
    else print();
  }

  /** Reports the column mapping and the result of the check. */
  reportChecked(opened: Batch): void {
    const { mapping, preflight, journal, superseded } = opened;
    if (superseded !== undefined) {
      const { service, profile, kept } = superseded;
      this.#note(
        `Journal ${basename(journal)} belongs to ${service} (profile ${profile}) and has no registrations. carbon saved it as ${basename(kept)} and starts a new one.`,
        { event: 'superseded', journal, ...superseded },
      );
    }
    for (const notice of journalNotices(opened)) this.#report(notice);
    const columns = mapping.columns.map(({ column, field }) => `${column} → ${field}`).join(', ');
    const unused = mapping.unused.length > 0 ? `; not used: ${mapping.unused.join(', ')}` : '';
    this.#note(`Columns: ${columns}${unused}`, {
      event: 'mapping',
      columns: mapping.columns,
      unused: mapping.unused,
    });
    for (const notice of columnNotices(opened)) this.#report(notice);
    const { counts, rows, elsewhere } = preflight;
    const parts = [
      `${count.format(counts.new)} new`,
      ...named(counts.done, 'already registered'),
      ...named(counts.refused, 'refused earlier'),
      ...named(counts.duplicate, counts.duplicate === 1 ? 'duplicate' : 'duplicates'),
      ...named(counts.invalid, 'invalid'),
    ];
    const others = elsewhere > 0 ? ` (and ${count.format(elsewhere)} in other shards)` : '';
    this.#note(`Checked ${plural(rows, 'row')}${others}: ${parts.join(', ')}`, {
      event: 'checked',
      rows,
      elsewhere,
      ...counts,
    });
    if (rows + elsewhere === 0) this.#session.messages.warn('The file has a header but no rows.');
    for (const notice of [...ambiguousCountryNotices(opened), ...findingNotices(opened)])
      this.#report(notice);
  }

  /**
   * Lists the invalid rows: all of them in a dry run and for programs, else the first ones and
   * where to find the others.
   * @param isSending whether carbon sends the valid rows; only then --no-progress defers the list
   */
  async reportInvalid(opened: Batch, isSending: boolean, isDry: boolean): Promise<void> {
    const { failed, preflight } = opened;
    const isDeferred = isSending && this.#session.flags.progress === false;
    if (!isDeferred && (isDry || this.#session.messages.isJson)) {
      for await (const problem of opened.problems()) this.#reportProblem(problem, false);
      return;
    }
    const lines = new Set<number>();
    for (const problem of preflight.problems) {
      if (lines.size === maxNamedRows && !lines.has(problem.line)) break;
      lines.add(problem.line);
      this.#reportProblem(problem, isDeferred);
    }
    const more = preflight.counts.invalid - lines.size;
    if (more === 0) return;
    const where = isSending
      ? `${basename(failed)} lists all of them`
      : '--dry-run lists all of them';
    const text = `and ${plural(more, 'more invalid row')}; ${where}`;
    const event = { event: 'truncated', more };
    this.#print(() => this.#session.messages.note(text, event), isDeferred);
  }

  /** Lists every value that carbon removes from a row; with --no-progress, only the first ones. */
  async reportDropped(opened: Batch, isDry: boolean): Promise<void> {
    const { count: all, problems } = opened.preflight.dropped;
    const isDeferred = !isDry && this.#session.flags.progress === false;
    if (all > problems.length && !isDeferred) {
      for await (const problem of opened.dropped()) this.#report(droppedNotice(problem));
    } else for (const problem of problems) this.#report(droppedNotice(problem));
    if (all > 0) this.#report(droppedTotal(all));
  }

  #reportProblem(problem: RowProblem, isDeferred: boolean): void {
    const text = `line ${problem.line}: ${reportProblem(problem)}`;
    const event = { event: 'invalid', ...problem };
    this.#print(() => this.#session.messages.note(text, event), isDeferred);
  }

  /** Returns the error of a file with invalid rows, of which nothing is sent. */
  refuse({ preflight }: Batch, file: string): UsageError {
    return new UsageError(
      `${plural(preflight.counts.invalid, 'row')} of ${file} ${preflight.counts.invalid === 1 ? 'is' : 'are'} invalid; nothing was sent`,
      'Fix the file, or use --skip-invalid to send only the valid rows.',
      'invalid_input',
    );
  }

  /**
   * Starts to show the progress.
   * @param permitted returns the requests per second that the service permits, if that limits the
   * run
   */
  begin(
    { preflight, isFailedRowsFile }: Batch,
    permitted: () => number | undefined,
  ): Promise<void> {
    this.#hasNewRows = preflight.counts.new > 0;
    this.#isFailedRowsFile = isFailedRowsFile;
    return this.#progress.begin(preflight.rows, permitted);
  }

  /**
   * Reports, once for each streak, that the service refuses every request, why, and until when
   * carbon retries.
   */
  reportRefusalStreak(news: RefusalStreakNotice): void {
    const text = this.#refusalNotice.describe(news);
    if (text === undefined) return;
    this.#progress.showStalled(text.short);
    if (text.line === undefined) return;
    const { detail } = news.because;
    const until = new Date(text.endsAt).toISOString();
    this.#note(text.line, { event: 'refused', detail, until });
  }

  /** Counts the results of rows, and prints them if a format is selected. */
  async take(events: readonly RowEvent[]): Promise<void> {
    this.#progress.count(events);
    for (const event of events) this.#collect(event);
    if (this.#session.format === 'human') return;
    await this.#progress.withoutSpinner(async () => {
      for (const event of events) await printRow(this.#session, event);
      await this.#session.context.stdout.drained;
    });
  }

  #collect(event: RowEvent): void {
    const { kind } = event;
    if (kind === 'registered')
      this.#isResearching ||= event.status === undefined || !hasEnded(event.status);
    else if (kind === 'postponed' && this.#session.format === 'json') {
      this.#failures.printEvent(event.line, event.name, event.error);
    } else if (kind === 'postponed' || (kind === 'refused' && !event.earlier))
      this.#failures.add(event);
  }

  /* With --json, standard output already has every refused row. */
  #reportFailedRows(file: string): void {
    if (this.#session.format !== 'json') this.#failures.reportRefused(basename(file));
    this.#failures.reportPostponed();
  }

  /** Removes the progress line. */
  close(): void {
    this.#progress.stop();
  }

  /** Reports how the run ended; the last line is the summary. */
  end(outcome: RunOutcome, exit: number, files: RunFiles): void {
    this.close();
    const { messages, context, flags, format } = this.#session;
    // A run that fails on the same rows as the run before prints only those and the summary.
    if (exit !== 0 && (this.#hasNewRows || files.changed)) {
      for (const print of this.#deferred) print();
    }
    this.#reportFailedRows(files.file);
    const { stop } = outcome;
    if (stop !== undefined && !(stop instanceof InterruptedError)) messages.error(stop);
    const { reason } = context.signal;
    if (reason instanceof Stopped && reason.by === 'closed output') messages.error(outputClosed());
    const notices = endNotices({
      outcome,
      exit,
      files,
      elapsedMs: this.#progress.elapsedMs,
      isFailedRowsFile: this.#isFailedRowsFile,
      isResearching: this.#isResearching && format === 'human',
    });
    for (const { text, event, level } of notices) {
      if (level !== 'progress' || flags.progress !== false)
        messages.note(text, event, level === 'failure');
    }
  }
}

/* A run that did not finish has failed, although nothing is wrong with the data. */
function outputClosed(): LocalError {
  return new LocalError('Standard output was closed before all rows were processed', {
    hint: 'Run the same command again to resume.',
  });
}
