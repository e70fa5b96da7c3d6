/*
 * Shows the run of a batch: progress and summary on standard error, and results on standard output
 * if --json, --csv or --ids selects a format. With --no-progress, a successful run prints nothing.
 */
import { hasEnded } from '../../../api/ids.ts';
import type { Batch } from '../../../batch/batch.ts';
import type { RowEvent, RunOutcome } from '../../../batch/rows.ts';
import { graceMs } from '../../../batch/send.ts';
import { invalidRow, type RowPlan } from '../../../list/row-action.ts';
import type { RefusalStreak } from '../../../pace/pacer.ts';
import { type CarbonError, InterruptedError, LocalError } from '../../../runtime/carbon-error.ts';
import { Stopped } from '../../../runtime/context.ts';
import { count, cut, plural, renderDuration } from '../../../terminal/format.ts';
import { sanitize } from '../../../terminal/sanitize.ts';
import { errorObject, hintOf } from '../../errors.ts';
import { LiveStatus } from '../../live-status.ts';
import type { NoticeLevel } from '../../messages.ts';
import { compactJson } from '../../output/json.ts';
import type { Session } from '../../session.ts';
import { type NextCommands, named, reportEnd } from './summary.ts';

/* Maximum number of rows of each kind to list for people. */
const maxListedRows = 20;
/* Maximum number of characters of a name. */
const maxNameLength = 60;
const lineEveryMs = 60_000;
const repaintEveryMs = 250;
/* Minimum duration of a streak of refusals before it is reported: the first one, and later ones. */
const minStreakMs = 3_000;
const minLaterStreakMs = 65_000;
/* Without this text, Ctrl-C seems to have no effect while requests end. */
const stopping = `stopping: up to ${graceMs / 1_000} s for requests in flight; Ctrl-C again stops now`;

type EventOf<Kind> = Extract<RowEvent, { readonly kind: Kind }>;

/** Shows one batch. Call `begin` before sending and `end` afterwards. */
export class BatchScreen {
  /** Whether standard output gets the result of each row in the selected format. */
  readonly printsRows: boolean;
  readonly #session: Session;
  readonly #status: LiveStatus;
  readonly #ended = new AbortController();
  #total = 0;
  #began = 0;
  #hasNewRows = true;
  #permitted: () => number | undefined = () => undefined;
  /* Rows with an outcome, without those that were postponed. */
  #done = 0;
  /* Rows that the service accepted or rejected in this run. */
  #sent = 0;
  /* Rows that were rejected, in this run or an earlier one, or that are invalid. */
  #failed = 0;
  /* The rows that were rejected or postponed in this run, and the first ones of each kind. */
  #rejections = 0;
  readonly #rejected: EventOf<'rejected'>[] = [];
  #postponements = 0;
  readonly #postponed: EventOf<'postponed'>[] = [];
  /* Rows whose response names another organization. */
  #others = 0;
  #isResearching = false;
  /* Replaces rate and time left on a terminal while the service refuses every request. */
  #stalled: string | undefined;
  /* Start of the last streak of refusals that was reported. */
  #reportedStreak: number | undefined;

  constructor(session: Session, printsRows = true) {
    this.#session = session;
    this.printsRows = printsRows && session.format !== 'human';
    this.#status = new LiveStatus(session, () => this.#state(), { everyMs: repaintEveryMs });
  }

  /**
   * Prints the header of CSV output and starts to show the progress.
   * @param permitted returns the requests per second that the service permits, if that limits the
   * run
   */
  async begin(
    { preflight }: Pick<Batch, 'preflight'>,
    permitted: () => number | undefined,
  ): Promise<void> {
    const { format, context, flags, isLive } = this.#session;
    if (this.printsRows && format === 'csv') {
      const { renderCsvHeader } = await import('../../output/record-tables.ts');
      this.#session.print(renderCsvHeader(['line', 'outcome', 'error']));
    }
    this.#hasNewRows = preflight.counts.new > 0;
    this.#total = preflight.rows;
    this.#permitted = permitted;
    this.#began = context.clock.elapsed();
    if (isLive) await this.#status.start();
    else if (flags.progress !== false) void this.#reportProgress();
  }

  /**
   * Reports, once for each streak, that the service refuses every request, why, and until when
   * carbon retries.
   */
  reportRefusalStreak({ since, until }: RefusalStreak, error: CarbonError): void {
    const { context, messages } = this.#session;
    const { clock } = context;
    const lastedMs = clock.elapsed() - since;
    if (lastedMs < minStreakMs) return;
    const endsAt = clock.now() + until - clock.elapsed();
    const retrying = `etrying until ${timeOfDay(endsAt)} UTC`;
    // The line may be truncated, so the time comes first.
    this.#stalled = `r${retrying}: ${error.message}`;
    const reported = this.#reportedStreak;
    if (reported !== undefined && (since === reported || lastedMs < minLaterStreakMs)) return;
    this.#reportedStreak = since;
    messages.print({
      level: 'detail',
      text: `${error.message}. R${retrying}, then stopping`,
    });
  }

  /** Reports that the service does not respond at the start, and how long carbon waits for it. */
  reportStarting(maxMs: number, error: CarbonError): void {
    this.#stalled = `waiting for the service: ${error.message}`;
    this.#session.messages.print({
      level: 'detail',
      text: `${error.message}. Retrying for up to ${maxMs / 60_000} minutes`,
    });
  }

  /** Counts the results of rows, and prints them if a format is selected. */
  async take(events: readonly RowEvent[]): Promise<void> {
    for (const event of events) this.#count(event);
    if (!this.printsRows) return;
    await this.#status.withoutSpinner(async () => {
      for (const event of events) await printRow(this.#session, event);
      await this.#session.context.stdout.drained;
    });
  }

  #count(event: RowEvent): void {
    const { kind } = event;
    if (kind === 'postponed') {
      this.#postponements += 1;
      if (this.#postponements <= maxListedRows) this.#postponed.push(event);
      return;
    }
    if (kind === 'withdrawn') {
      this.#done -= 1;
      return;
    }
    this.#done += 1;
    if (kind === 'rejected' || kind === 'invalid') this.#failed += 1;
    if (kind === 'registered') {
      this.#isResearching ||= event.status === undefined || !hasEnded(event.status);
      this.#reportOther(event);
    } else if (kind === 'rejected' && !event.earlier) {
      this.#rejections += 1;
      if (this.#rejections <= maxListedRows) this.#rejected.push(event);
    } else return;
    this.#sent += 1;
    this.#stalled = undefined;
  }

  /* The response may be that of another request. */
  #reportOther({ line, id, other }: EventOf<'registered'>): void {
    if (other === undefined) return;
    this.#others += 1;
    if (this.#others > maxListedRows) return;
    const text = `Line ${line} has ID ${id}, but the response names ${other}. Check the record`;
    this.#session.messages.warn(text);
  }

  /** Removes the progress line. */
  close(): void {
    this.#ended.abort();
    this.#status.stop();
  }

  /** Returns the milliseconds since `begin`. */
  get elapsedMs(): number {
    return this.#session.context.clock.elapsed() - this.#began;
  }

  /**
   * Reports how the run ended; the last line is the summary.
   * @param isPart whether the registration is part of a longer run, which has its own summary
   */
  end(outcome: RunOutcome, exit: number, commands: NextCommands, isPart = false): void {
    this.close();
    const { messages, context, format } = this.#session;
    // A run that fails on the same rows as the run before prints only those and the summary.
    if (exit !== 0 && (this.#hasNewRows || outcome.newFailures > 0)) messages.printDeferred();
    this.#reportFailedRows();
    const more = this.#others - maxListedRows;
    if (more > 0) {
      const text = `and ${count.format(more)} more rows whose response names another organization`;
      messages.warn(text);
    }
    const { stop } = outcome;
    if (stop !== undefined && !(stop instanceof InterruptedError)) messages.error(stop);
    const { reason } = context.signal;
    // A run that did not finish has failed, although nothing is wrong with the data.
    if (reason instanceof Stopped && reason.by === 'closed output')
      messages.error(
        new LocalError('Standard output was closed before all rows were processed', {
          hint: `Run the same command again${commands.omitting} to resume.`,
        }),
      );
    reportEnd(this.#session, {
      outcome,
      exit,
      commands,
      elapsedMs: this.elapsedMs,
      isPart,
      isResearching: this.#isResearching && format === 'human' && !isPart,
    });
  }

  /* Lists the first rows that failed in this run. */
  #reportFailedRows(): void {
    const { messages } = this.#session;
    for (const { line, error } of this.#rejected) {
      const text = `Rejected: line ${line}: ${error.message}`;
      messages.print({ level: 'result', text });
    }
    this.#reportMore(this.#rejections, 'rejected', 'result', '; -o results.xlsx lists all of them');
    for (const { line, name, error } of this.#postponed) {
      const text = `Postponed: line ${line} "${cut(name, maxNameLength)}": ${error.message}`;
      messages.print({ level: 'failure', text });
    }
    for (const hint of new Set(this.#postponed.map(({ error }) => hintOf(error))))
      if (hint) messages.print({ level: 'failure', text: `Hint: ${hint}` });
    this.#reportMore(this.#postponements, 'postponed', 'failure');
  }

  #reportMore(rows: number, what: string, level: NoticeLevel, where = ''): void {
    const more = rows - maxListedRows;
    if (more <= 0) return;
    const text = `and ${plural(more, `more ${what} row`)}${where}`;
    this.#session.messages.print({ level, text });
  }

  async #reportProgress(): Promise<void> {
    const { clock } = this.#session.context;
    for (;;) {
      await clock.sleep(lineEveryMs, this.#ended.signal).catch(() => undefined);
      if (this.#ended.signal.aborted) return;
      this.#session.messages.print({ level: 'progress', text: this.#state() });
    }
  }

  #state(): string {
    const rowsDone = `${count.format(this.#done)} of ${count.format(this.#total)}`;
    if (this.#session.context.signal.aborted) return `${rowsDone} · ${stopping}`;
    const done = `Registering ${rowsDone}`;
    const failed = named(this.#failed, 'failed');
    const postponed = named(this.#postponements, 'postponed');
    // While the service refuses every request, a rate and a time left would mislead.
    if (this.#stalled !== undefined) {
      const details = this.#session.isLive ? [this.#stalled] : [...failed, ...postponed];
      return [done, ...details].join(' · ');
    }
    const rate = this.#sent / Math.max(this.elapsedMs / 1_000, 0.001);
    const rows = this.#total - this.#done - this.#postponements;
    const left = rate > 0 ? [`about ${renderDuration((rows / rate) * 1_000)} left`] : [];
    const limited = this.#permitted() === undefined ? [] : ['slowed by the rate limit'];
    const perSecond = `${rate.toFixed(rate < 10 ? 1 : 0)}/s`;
    return [done, ...failed, ...postponed, ...limited, perSecond, ...left].join(' · ');
  }
}

/* Formats a time in UTC, rounded up to the next minute. */
function timeOfDay(ms: number): string {
  return new Date(Math.ceil(ms / 60_000) * 60_000).toISOString().slice(11, 16);
}

/* Writes the result of one row to standard output: a JSON line, a CSV row or an id. */
async function printRow(session: Session, event: RowEvent): Promise<void> {
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
  const error = plan.step === 'rejected' ? plan.error : invalidRow(plan.problems);
  return JSON.stringify({ line, ok: false, error: errorObject(error) });
}

function errorOf(event: RowEvent): CarbonError | undefined {
  if ('error' in event) return event.error;
  return event.kind === 'invalid' ? invalidRow(event.problems) : undefined;
}

function printId(session: Session, event: RowEvent): void {
  if ('id' in event) session.print(`${sanitize(String(event.id))}\n`);
}

async function printCsvRow(session: Session, event: RowEvent): Promise<void> {
  const [{ readRecord }, { renderCsvRow }] = await Promise.all([
    import('../../../api/read-record.ts'),
    import('../../output/record-tables.ts'),
  ]);
  const known =
    event.kind === 'registered' && event.json !== undefined
      ? JSON.parse(event.json)
      : { id: 'id' in event ? event.id : null };
  const error = errorOf(event)?.message ?? doubtOf(event);
  session.print(renderCsvRow(readRecord(known).record, [event.line, event.kind, error]));
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
