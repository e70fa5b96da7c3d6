/*
 * Shows the run of a batch: progress and summary on standard error, and results on standard output
 * if --json, --csv or --ids selects a format. With --no-progress, a successful run prints nothing.
 */
import { basename } from 'node:path';
import { hasEnded } from '../../../api/ids.ts';
import type { Batch } from '../../../batch/batch.ts';
import type { RefusalStreakNotice } from '../../../batch/failed-attempts.ts';
import { reportProblem } from '../../../batch/failed-rows.ts';
import type { RowPlan } from '../../../batch/preflight.ts';
import type { RowProblem } from '../../../batch/row-action.ts';
import type { RowEvent, RunOutcome } from '../../../batch/rows.ts';
import { graceMs } from '../../../batch/run.ts';
import {
  type CarbonError,
  InterruptedError,
  LocalError,
  UsageError,
} from '../../../runtime/carbon-error.ts';
import type { Clock } from '../../../runtime/clock.ts';
import { Stopped } from '../../../runtime/context.ts';
import { count, renderDuration } from '../../../terminal/format.ts';
import { sanitize } from '../../../terminal/sanitize.ts';
import { errorObject, hintOf } from '../../errors.ts';
import { LiveStatus } from '../../live-status.ts';
import type { Messages, NoticeLevel } from '../../messages.ts';
import { compactJson } from '../../output/json.ts';
import type { Session } from '../../session.ts';
import { endNotices, type RunFiles } from './summary.ts';

/** Shows one batch. Call `begin` before sending and `end` afterwards. */
export class BatchScreen {
  /** Whether standard output gets the result of each row in the selected format. */
  readonly printsRows: boolean;
  readonly #session: Session;
  readonly #progress: BatchProgress;
  #hasNewRows = true;
  #isFailedRowsFile = false;
  readonly #refusalNotice: RefusalNotice;
  readonly #failures: FailedRowNames;
  #isResearching = false;
  #others = 0;

  constructor(session: Session, printsRows = true) {
    this.#session = session;
    this.printsRows = printsRows && session.format !== 'human';
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
    if (this.printsRows && this.#session.format === 'csv')
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
    if (!this.printsRows) return;
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

const lineEveryMs = 60_000;
const repaintEveryMs = 250;
/* Without this text, Ctrl-C seems to have no effect while requests end. */
const stopping = `stopping: up to ${graceMs / 1_000} s for requests in flight; Ctrl-C again stops now`;

/** Shows the progress of a batch: a live line on a terminal, else one line per minute. */
export class BatchProgress {
  readonly #session: Session;
  readonly #ended = new AbortController();
  readonly #status: LiveStatus;
  #total = 0;
  #began = 0;
  #done = 0;
  #failed = 0;
  #postponed = 0;
  #sent = 0;
  /* Replaces rate and time left on a terminal while the service refuses every request. */
  #stalled: string | undefined;
  #permitted: () => number | undefined = () => undefined;

  constructor(session: Session) {
    this.#session = session;
    this.#status = new LiveStatus(session, () => this.#state(), { everyMs: repaintEveryMs });
  }

  /**
   * Starts the clock and the live line.
   * @param total number of rows
   * @param permitted returns the requests per second that the service permits, if that limits the
   * run
   */
  async begin(total: number, permitted: () => number | undefined): Promise<void> {
    const { context, flags, isLive } = this.#session;
    this.#permitted = permitted;
    this.#total = total;
    this.#began = context.clock.elapsed();
    if (isLive) await this.#status.start();
    else if (flags.progress !== false) void this.#report();
  }

  /** Returns the milliseconds since `begin`. */
  get elapsedMs(): number {
    return this.#session.context.clock.elapsed() - this.#began;
  }

  /** Counts the results of rows. */
  count(events: readonly RowEvent[]): void {
    for (const event of events) {
      if (event.kind === 'postponed') this.#postponed += 1;
      else this.#done += 1;
      if (event.kind === 'refused' || event.kind === 'invalid') this.#failed += 1;
      if (event.kind === 'registered' || (event.kind === 'refused' && !event.earlier)) {
        this.#sent += 1;
        this.#stalled = undefined;
      }
    }
  }

  /**
   * Shows a text until the service accepts or refuses a row. Until then, a rate and a time left
   * would mislead.
   */
  showStalled(text: string): void {
    this.#stalled = text;
  }

  /** Hides the live line while `write` writes to the same terminal. */
  withoutSpinner(write: () => Promise<void>): Promise<void> {
    return this.#status.withoutSpinner(write);
  }

  /** Removes the live line. */
  stop(): void {
    this.#ended.abort();
    this.#status.stop();
  }

  async #report(): Promise<void> {
    const { clock } = this.#session.context;
    for (;;) {
      await clock.sleep(lineEveryMs, this.#ended.signal).catch(() => undefined);
      if (this.#ended.signal.aborted) return;
      this.#session.messages.print({
        level: 'progress',
        text: this.#state(),
        event: {
          event: 'progress',
          done: this.#done,
          total: this.#total,
          failed: this.#failed,
          postponed: this.#postponed,
          rate_limit: this.#permitted(),
        },
      });
    }
  }

  #state(): string {
    const done = `${count.format(this.#done)}/${count.format(this.#total)}`;
    if (this.#session.context.signal.aborted) return `${done} · ${stopping}`;
    const failed = `${count.format(this.#failed)} failed`;
    const postponed = this.#postponed > 0 ? [`${count.format(this.#postponed)} postponed`] : [];
    if (this.#stalled !== undefined) {
      const details = this.#session.isLive ? [this.#stalled] : [failed, ...postponed];
      return [done, ...details].join(' · ');
    }
    const rate = this.#sent / Math.max(this.elapsedMs / 1_000, 0.001);
    const rows = this.#total - this.#done - this.#postponed;
    const left = rate > 0 ? [`${renderDuration((rows / rate) * 1_000)} left`] : [];
    const permitted = this.#permitted();
    const pace =
      permitted === undefined
        ? `${rate.toFixed(1)}/s`
        : `slowed by the rate limit · ${rate.toFixed(1)}/s`;
    return [done, failed, ...postponed, pace, ...left].join(' · ');
  }
}

/* Minimum duration of a streak before it is reported: of the first one, and of later ones. */
const minStreakMs = 3_000;
const minLaterStreakMs = 65_000;

/** Description of a streak in which the service refuses every request. */
export interface RefusalText {
  /** Text for the spinner; the line may be truncated, so the end time comes first. */
  readonly short: string;
  /** Line to print; undefined if the streak was already reported. */
  readonly line: string | undefined;
  /** Time at which carbon stops, in milliseconds of the wall clock. */
  readonly endsAt: number;
}

/** Describes streaks of refusals, each once. */
export class RefusalNotice {
  readonly #clock: Pick<Clock, 'now' | 'elapsed'>;
  /* Start of the last streak that was reported. */
  #reported: number | undefined;

  constructor(clock: Pick<Clock, 'now' | 'elapsed'>) {
    this.#clock = clock;
  }

  /**
   * Describes why the service refuses and until when carbon retries; undefined for a short streak.
   */
  describe({ since, until, error }: RefusalStreakNotice): RefusalText | undefined {
    const lastedMs = this.#clock.elapsed() - since;
    if (lastedMs < minStreakMs) return undefined;
    const endsAt = this.#clock.now() + until - this.#clock.elapsed();
    const retrying = `etrying until ${timeOfDay(endsAt)} UTC`;
    const short = `r${retrying}: ${error.message}`;
    const reported = this.#reported ?? Number.NEGATIVE_INFINITY;
    // A shared pace estimates the start again with each call to its server.
    const isSame = Math.abs(since - reported) < minStreakMs;
    const isReported = isSame || (this.#reported !== undefined && lastedMs < minLaterStreakMs);
    if (isReported) return { short, line: undefined, endsAt };
    this.#reported = since;
    return { short, line: `${error.message}. R${retrying}, then stopping`, endsAt };
  }
}

/* Formats a time in UTC, rounded up to the next minute. */
function timeOfDay(ms: number): string {
  return new Date(Math.ceil(ms / 60_000) * 60_000).toISOString().slice(11, 16);
}

/** Writes the result of one row to standard output: a JSON line, a CSV row or an id. */
export async function printRow(session: Session, event: RowEvent): Promise<void> {
  if (session.format === 'json') session.printJson(rowJson(event));
  else if (session.format === 'ids') printId(session, event);
  else await printCsvRow(session, event);
}

function rowJson(event: RowEvent): string {
  const { line } = event;
  const error = errorOf(event);
  if (error !== undefined) return JSON.stringify({ line, ok: false, error: errorObject(error) });
  if (event.kind !== 'registered') {
    const first =
      event.kind === 'duplicate' ? { duplicate_of: event.firstLine } : { skipped: true };
    return JSON.stringify({ line, ok: true, id: 'id' in event ? event.id : undefined, ...first });
  }
  const { id, status, json = 'null', sameIdAs: same_id_as, other: other_organization } = event;
  const head = JSON.stringify({ line, ok: true, id, status, same_id_as, other_organization });
  return `${head.slice(0, -1)},"record":${compactJson(json)}}`;
}

/**
 * Returns the planned action of a dry run for one row, as a JSON line in the form of `printRow`.
 */
export function planJson(plan: RowPlan): string {
  const { line } = plan;
  if (plan.step === 'new') {
    const fields = plan.dropped.map(({ field }) => field);
    const dropped = fields.length > 0 ? { dropped: fields } : {};
    return JSON.stringify({ line, ok: true, body: plan.registration, ...dropped });
  }
  if (plan.step === 'duplicate')
    return JSON.stringify({ line, ok: true, duplicate_of: plan.firstLine });
  if (plan.step === 'done') return JSON.stringify({ line, ok: true, id: plan.id, skipped: true });
  const error = plan.step === 'refused' ? plan.error : invalidRow(plan.problems);
  return JSON.stringify({ line, ok: false, error: errorObject(error) });
}

function invalidRow(problems: readonly RowProblem[]): UsageError {
  return new UsageError(problems.map(reportProblem).join('; '), undefined, 'invalid_input');
}

function errorOf(event: RowEvent): CarbonError | undefined {
  if (event.kind === 'refused' || event.kind === 'postponed') return event.error;
  if (event.kind !== 'invalid') return undefined;
  return invalidRow(event.problems);
}

function printId(session: Session, event: RowEvent): void {
  if ('id' in event) session.print(`${sanitize(String(event.id))}\n`);
}

async function printCsvRow(session: Session, event: RowEvent): Promise<void> {
  const error = errorOf(event);
  const { readRecord } = await import('../../../api/read-record.ts');
  const known =
    event.kind === 'registered' && event.json !== undefined
      ? JSON.parse(event.json)
      : { id: 'id' in event ? event.id : null };
  await session.printCsv(readRecord(known).record, {
    line: event.line,
    outcome: event.kind,
    error: error?.message ?? doubtOf(event),
  });
}

/* Returns why a registered row may have got another organization. */
function doubtOf(event: RowEvent): string | undefined {
  if (event.kind !== 'registered') return undefined;
  const { sameIdAs, other } = event;
  const doubts = [
    ...(sameIdAs === undefined ? [] : [`same ID as line ${sameIdAs.line}, "${sameIdAs.name}"`]),
    ...(other === undefined ? [] : [`the response names ${other}`]),
  ];
  return doubts.length === 0 ? undefined : doubts.join('; ');
}
