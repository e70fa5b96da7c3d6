/*
 * Shows the run of a batch: progress and summary on standard error, and results on standard output
 * if --json, --csv or --ids selects a format. With --no-progress, a successful run prints nothing.
 */
import { basename } from 'node:path';
import { hasEnded } from '../../../api/ids.ts';
import type { Batch } from '../../../batch/batch.ts';
import type { RefusalStreakNotice } from '../../../batch/failed-attempts.ts';
import type { RowEvent, RunOutcome } from '../../../batch/rows.ts';
import { type CarbonError, InterruptedError, LocalError } from '../../../runtime/carbon-error.ts';
import { Stopped } from '../../../runtime/context.ts';
import { count } from '../../../terminal/format.ts';
import { hintOf } from '../../errors.ts';
import type { Messages, NoticeLevel } from '../../messages.ts';
import type { Session } from '../../session.ts';
import { printRow } from './print-rows.ts';
import { BatchProgress, RefusalNotice } from './progress.ts';
import { endNotices, type RunFiles } from './summary.ts';

/** Shows one batch. Call `begin` before sending and `end` afterwards. */
export class BatchScreen {
  readonly #session: Session;
  readonly #progress: BatchProgress;
  #hasNewRows = true;
  #isFailedRowsFile = false;
  readonly #refusalNotice: RefusalNotice;
  readonly #failures: FailedRowNames;
  #isResearching = false;
  #others = 0;

  constructor(session: Session) {
    this.#session = session;
    this.#progress = new BatchProgress(session);
    this.#refusalNotice = new RefusalNotice(session.context.clock);
    this.#failures = new FailedRowNames(session.messages);
  }

  /**
   * Prints the header of CSV output and starts to show the progress.
   * @param permitted returns the requests per second that the service permits, if that limits the
   * run
   */
  async begin(
    { preflight, isFailedRowsFile }: Batch,
    permitted: () => number | undefined,
  ): Promise<void> {
    if (this.#session.format === 'csv')
      await this.#session.printCsv(undefined, { line: 0, outcome: '', error: '' });
    this.#hasNewRows = preflight.counts.new > 0;
    this.#isFailedRowsFile = isFailedRowsFile;
    await this.#progress.begin(preflight.rows, permitted);
  }

  /**
   * Reports, once for each streak, that the service refuses every request, why, and until when
   * carbon retries.
   */
  reportRefusalStreak(streak: RefusalStreakNotice): void {
    const text = this.#refusalNotice.describe(streak);
    if (text === undefined) return;
    this.#progress.showStalled(text.short);
    if (text.line === undefined) return;
    const { detail } = streak.error;
    const until = new Date(text.endsAt).toISOString();
    this.#session.messages.print({
      level: 'detail',
      text: text.line,
      event: { event: 'refused', detail, until },
    });
  }

  /** Reports that the service does not respond at the start, and how long carbon waits for it. */
  reportStarting(maxMs: number, error: CarbonError): void {
    this.#progress.showStalled(`waiting for the service: ${error.message}`);
    this.#session.messages.print({
      level: 'detail',
      text: `${error.message}. Retrying for up to ${maxMs / 60_000} minutes`,
      event: { event: 'starting', ms: maxMs, error: error.message },
    });
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
    if (kind === 'registered') {
      this.#isResearching ||= event.status === undefined || !hasEnded(event.status);
      this.#reportOther(event);
    } else if (kind === 'postponed' && this.#session.format === 'json') {
      this.#failures.printEvent(event.line, event.name, event.error);
    } else if (kind === 'postponed' || (kind === 'refused' && !event.earlier))
      this.#failures.add(event);
  }

  /* The response may be that of another request. */
  #reportOther({ line, id, other }: Extract<RowEvent, { kind: 'registered' }>): void {
    if (other === undefined) return;
    this.#others += 1;
    if (this.#others > maxListedRows) return;
    const text = `Line ${line} has ID ${id}, but the response names ${other}. Check the record`;
    const event = { event: 'other_organization', line, id, other };
    this.#session.messages.print({ level: 'warning', text, event });
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
    const { messages, context, format } = this.#session;
    // A run that fails on the same rows as the run before prints only those and the summary.
    if (exit !== 0 && (this.#hasNewRows || files.changed)) messages.printDeferred();
    this.#reportFailedRows(files.file);
    const more = this.#others - maxListedRows;
    if (more > 0) {
      const text = `and ${count.format(more)} more rows whose response names another organization`;
      messages.print({ level: 'warning', text, event: { event: 'truncated', more } });
    }
    const { stop } = outcome;
    if (stop !== undefined && !(stop instanceof InterruptedError)) messages.error(stop);
    const { reason } = context.signal;
    if (reason instanceof Stopped && reason.by === 'closed output')
      messages.error(outputClosed(files));
    messages.print(
      ...endNotices({
        outcome,
        exit,
        files,
        elapsedMs: this.#progress.elapsedMs,
        isFailedRowsFile: this.#isFailedRowsFile,
        isResearching: this.#isResearching && format === 'human',
      }),
    );
  }
}

/* A run that did not finish has failed, although nothing is wrong with the data. */
function outputClosed({ omitting }: RunFiles): LocalError {
  return new LocalError('Standard output was closed before all rows were processed', {
    hint: `Run the same command again${omitting} to resume.`,
  });
}

/* Maximum number of rows of each kind to list for people. */
const maxListedRows = 20;

/* Maximum number of characters of a name. */
const maxNameLength = 60;

type Failed = Extract<RowEvent, { kind: 'refused' | 'postponed' }>;

/** Collects the rows that failed in this run, and lists the first ones of each kind at its end. */
class FailedRowNames {
  readonly #messages: Messages;
  readonly #first: Record<Failed['kind'], Failed[]> = { refused: [], postponed: [] };
  readonly #counts = { refused: 0, postponed: 0 };

  constructor(messages: Messages) {
    this.#messages = messages;
  }

  /** Adds a row that was refused or postponed in this run. */
  add(event: Failed): void {
    this.#counts[event.kind] += 1;
    const listed = this.#first[event.kind];
    if (listed.length < maxListedRows) listed.push(event);
  }

  /** Prints the event of a postponed row for a program, which receives every one. */
  printEvent(line: number, name: string, error: CarbonError): void {
    this.#messages.print({
      level: 'result',
      text: '',
      event: { event: 'postponed', line, name, error },
    });
  }

  /** Lists the refused rows with the service's reason; `file` has all of them. */
  reportRefused(file: string): void {
    for (const { line, error } of this.#first.refused) {
      this.#messages.print({
        level: 'result',
        text: `Rejected: line ${line}: ${error.message}`,
        event: { event: 'refused', line, error },
      });
    }
    this.#reportMore('refused', `; ${file} lists all of them`, 'result');
  }

  /** Lists the postponed rows with their errors. */
  reportPostponed(): void {
    for (const event of this.#first.postponed) {
      const { line, error } = event;
      const name = event.kind === 'postponed' ? `, "${shorten(event.name)}"` : '';
      this.#messages.print({
        level: 'failure',
        text: `Postponed: line ${line}${name}: ${error.message}`,
        event: { event: 'postponed', line, error },
      });
    }
    const hints = new Set(this.#first.postponed.map(({ error }) => hintOf(error)));
    for (const hint of hints)
      if (hint) this.#messages.print({ level: 'failure', text: `Hint: ${hint}`, event: { hint } });
    this.#reportMore('postponed', '', 'failure');
  }

  #reportMore(kind: Failed['kind'], where: string, level: NoticeLevel): void {
    const more = this.#counts[kind] - this.#first[kind].length;
    if (more === 0) return;
    const label = kind === 'refused' ? 'rejected' : kind;
    const text = `and ${count.format(more)} more ${label} ${more === 1 ? 'row' : 'rows'}${where}`;
    this.#messages.print({ level, text, event: { event: 'truncated', more } });
  }
}

function shorten(name: string): string {
  return name.length > maxNameLength ? `${name.slice(0, maxNameLength)}…` : name;
}
