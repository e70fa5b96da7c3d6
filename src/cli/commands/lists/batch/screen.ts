/*
 * Shows how rows are registered: progress on standard error, and results on standard output if
 * --json or --ids selects a format.
 */
import { hasEnded } from '../../../../client/api/ids.ts';
import {
  count,
  cut,
  linesText,
  plural,
  renderDuration,
} from '../../../../display/terminal/format.ts';
import { sanitize } from '../../../../display/terminal/sanitize.ts';
import type { Batch } from '../../../../lists/batch/batch.ts';
import type { RowEvent } from '../../../../lists/batch/rows.ts';
import type { CarbonError } from '../../../../runtime/carbon-error.ts';
import { hintText } from '../../../../runtime/hint.ts';
import { describeRejection, hintOf } from '../../../errors.ts';
import { LiveStatus } from '../../../live-status.ts';
import type { Notice, NoticeLevel } from '../../../messages.ts';
import { byForm, isForm } from '../../../output/show.ts';
import type { Session } from '../../../session.ts';
import { endJson, eventJson } from './results.ts';

const maxListedRows = 20;
const maxNameLength = 60;
const lineEveryMs = 60_000;
const repaintEveryMs = 250;
/* The first rows say little about a long run, because a limit with a burst accepts them at once. */
const minForecastMs = 5_000;
const minShortForecastMs = 500;
const maxEarlyForecastMs = 10_000;
/* After a pause of so many usual intervals, and at least this time, nothing is forecast. */
const maxPauseIntervals = 10;
const maxPauseMs = 5_000;
/** Maximum time for requests in flight after a run was stopped, in milliseconds. */
export const graceMs = 7_000;
/* Without this text, Ctrl-C seems to have no effect while requests end. */
const stopping = `stopping: up to ${graceMs / 1_000} s for requests in flight; Ctrl-C again stops now`;

/* The first rows to name, those with the same text together. */
class Listed {
  rows = 0;
  readonly #linesOf = new Map<string, number[]>();
  readonly #label: string | undefined;

  /** @param label what happened to the rows; without it, each text names its line */
  constructor(label?: string) {
    this.#label = label;
  }

  add(line: number, text: string): void {
    this.rows += 1;
    const lines = this.#linesOf.get(text);
    if (lines !== undefined) lines.push(line);
    else if (this.#linesOf.size < maxListedRows) this.#linesOf.set(text, [line]);
  }

  notices(level: NoticeLevel, out: string): Notice[] {
    const texts = [...this.#linesOf].map(([text, lines]) => {
      const where = linesText(lines.toSorted((a, b) => a - b));
      return this.#label === undefined ? text : `${this.#label}: ${where} ${text}`;
    });
    const more = this.rows - [...this.#linesOf.values()].flat().length;
    const last = more > 0 ? [`and ${plural(more, 'more row')}; ${out} lists them all`] : [];
    return [...texts, ...last].map((text) => ({ level, text }));
  }
}

/** Shows one run. Call `begin` before sending and `close` afterwards. */
export class BatchScreen {
  /* Returns what standard output gets of each row, if --json or --ids selects a format. */
  readonly #lineOf: ((event: RowEvent) => string) | undefined;
  /* Lines of the rows that were printed, one bit each. */
  #printed = new Uint8Array(1 << 10);
  #printedRows = 0;
  /** Whether the research on a row that this run registered is in progress. */
  isResearching = false;
  readonly #session: Session;
  readonly #total: number;
  readonly #status: LiveStatus;
  readonly #ended = new AbortController();
  readonly #began: number;
  readonly #describe: () => string | undefined;
  /* Rows with an outcome, without those that were postponed. */
  #done = 0;
  /* Rows that the service accepted or rejected in this run. */
  #sent = 0;
  /* When the run began to send rows, and when the service last accepted or rejected one. */
  #rowsSince: number;
  #sentAt = 0;
  /* The remaining time that was shown last, in milliseconds. */
  #forecastMs = Number.POSITIVE_INFINITY;
  /* Rows that were rejected, in this run or an earlier one, or that are invalid. */
  #failed = 0;
  readonly #rejected = new Listed('Rejected');
  readonly #postponed = new Listed('Postponed');
  /* Rows that may have got the ID of another organization. */
  readonly #doubtful = new Listed();
  readonly #hints = new Set<string>();

  constructor(
    session: Session,
    { preflight }: Batch,
    printsRows: boolean,
    describe: () => string | undefined = () => undefined,
  ) {
    this.#session = session;
    const jsonOf = (event: RowEvent) => session.jsonLine(eventJson(event));
    const idOf = (event: RowEvent) => ('id' in event ? `${sanitize(String(event.id))}\n` : '');
    this.#lineOf = printsRows
      ? byForm(session, { json: jsonOf, ids: idOf, other: undefined })
      : undefined;
    this.#describe = describe;
    this.#total = preflight.rows;
    this.#began = session.context.clock.elapsed();
    this.#rowsSince = this.#began;
    this.#status = new LiveStatus(session, () => this.#state(), repaintEveryMs);
  }

  /** Whether standard output gets the result of each row. */
  get printsRows(): boolean {
    return this.#lineOf !== undefined;
  }

  /** Whether these results have the records as received. */
  get printsRecords(): boolean {
    return this.printsRows && isForm(this.#session, 'json');
  }

  async begin(): Promise<void> {
    const { flags, isLive } = this.#session;
    if (isLive) await this.#status.start();
    else if (flags.progress !== false) void this.#reportProgress();
  }

  /** Counts the results of rows, and prints them if a format is selected. */
  async take(events: readonly RowEvent[]): Promise<void> {
    for (const event of events) this.#count(event);
    const lineOf = this.#lineOf;
    if (lineOf === undefined) return;
    for (const { line } of events) this.#mark(line);
    this.#session.print(events.map(lineOf).join(''));
    await this.#session.context.stdout.drained;
  }

  /**
   * Prints with --json the rows of a list that the run did not come to.
   * @param isRecorded whether the journal has all that this run knows
   */
  async printOthers(list: Batch, isRecorded: boolean): Promise<void> {
    const { stdout } = this.#session.context;
    const isComplete = this.#printedRows === this.#total;
    if (!this.printsRecords || isComplete) return;
    for await (const plan of list.plans()) {
      if (this.#isPrinted(plan.line)) continue;
      this.#session.printJson(endJson(plan, isRecorded));
      await stdout.drained;
    }
  }

  #mark(line: number): void {
    if (!this.#isPrinted(line)) this.#printedRows += 1;
    const at = line >> 3;
    if (at >= this.#printed.length) {
      const longer = new Uint8Array(2 * Math.max(at, this.#printed.length));
      longer.set(this.#printed);
      this.#printed = longer;
    }
    this.#printed[at] = (this.#printed[at] ?? 0) | (1 << (line & 7));
  }

  #isPrinted(line: number): boolean {
    return ((this.#printed[line >> 3] ?? 0) & (1 << (line & 7))) !== 0;
  }

  #count(event: RowEvent): void {
    const { kind, line } = event;
    if (kind === 'postponed') {
      const { error } = event;
      const text = `${quoteName(event.name)}${describePostponed(error)}. The next run retries it.`;
      this.#postponed.add(line, text);
      if (!isRetriedOnly(error)) this.#hints.add(hintText(hintOf(error) ?? ''));
      return;
    }
    this.#done += kind === 'withdrawn' ? -1 : 1;
    if (kind === 'rejected' || kind === 'invalid') this.#failed += 1;
    if (kind === 'registered') {
      this.isResearching ||= !hasEnded(event.status);
      const doubt = doubtOf(event);
      if (doubt !== undefined)
        this.#doubtful.add(
          line,
          `Line ${line} ${quoteName(event.name)} has ID ${event.id}, ${doubt}`,
        );
    } else if (kind === 'rejected' && !event.earlier)
      this.#rejected.add(line, `${quoteName(event.name)}: ${describeRejection(event.error)}`);
    else return;
    this.#sent += 1;
    this.#sentAt = this.#session.context.clock.elapsed();
  }

  close(): void {
    this.#ended.abort();
    this.#status.stop();
  }

  get elapsedMs(): number {
    return this.#session.context.clock.elapsed() - this.#began;
  }

  /**
   * Lists the first rows of this run that failed, or whose ID is doubtful.
   * @param out the file with all of them, or the option that writes one
   */
  notices(out: string): Notice[] {
    const hints = [...this.#hints].filter(Boolean);
    return [
      ...this.#doubtful.notices('warning', out),
      ...this.#rejected.notices('result', out),
      ...this.#postponed.notices('failure', out),
      ...hints.map((hint): Notice => ({ level: 'failure', text: `Hint: ${hint}` })),
    ];
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
    const earlier = this.#describe();
    const now = this.#session.context.clock.elapsed();
    if (earlier !== undefined) {
      this.#rowsSince = now;
      return earlier;
    }
    const done = `Registering ${rowsDone}`;
    const postponed = this.#postponed.rows;
    const failed = [...countWords(this.#failed, 'failed'), ...countWords(postponed, 'postponed')];
    const rate = this.#sent / Math.max((now - this.#rowsSince) / 1_000, 0.001);
    const leftMs = this.#forecast(((this.#total - this.#done - postponed) / rate) * 1_000);
    const left = leftMs === undefined ? [] : [`about ${renderDuration(leftMs)} left`];
    const perSecond = `${rate.toFixed(rate < 10 ? 1 : 0)}/s`;
    return [done, ...failed, perSecond, ...left].join(' · ');
  }

  /* Returns the remaining time to show; undefined if it is unknown. It never grows. */
  #forecast(leftMs: number): number | undefined {
    const now = this.#session.context.clock.elapsed();
    const sendingMs = now - this.#rowsSince;
    const minMs = leftMs > maxEarlyForecastMs ? minForecastMs : minShortForecastMs;
    const intervalMs = (this.#sentAt - this.#rowsSince) / this.#sent;
    const pauseMs = Math.max(maxPauseMs, maxPauseIntervals * intervalMs);
    const isPaused = this.#sent === 0 || now - this.#sentAt > pauseMs;
    if (sendingMs < minMs || isPaused || leftMs > 2 * this.#forecastMs) return undefined;
    this.#forecastMs = Math.min(this.#forecastMs, leftMs);
    return this.#forecastMs;
  }
}

/** Quotes the name of a row, shortened if it is long. */
export function quoteName(name: string): string {
  return `"${cut(name, maxNameLength)}"`;
}

function describePostponed({ code, status, detail, message }: CarbonError): string {
  if (code !== 'service_failed' || status === undefined) return `: ${message.replace(/\.$/, '')}`;
  const why = detail === undefined ? '' : `: ${detail.replace(/\.$/, '')}`;
  return ` (service error ${status}${why})`;
}

/* Whether the hint of an error would only say that the next run retries the row. */
function isRetriedOnly({ code, reason, retryAfterMs }: CarbonError): boolean {
  return reason === 'row_failed' || (code === 'service_failed' && !retryAfterMs);
}

function doubtOf({ sameIdAs, other }: RowEvent & { kind: 'registered' }): string | undefined {
  // The response may be that of another request.
  if (other !== undefined) return `but the response names ${other}. Check the record`;
  if (sameIdAs === undefined) return undefined;
  const { line, name } = sameIdAs;
  return `as line ${line} ${quoteName(name)}. Check that they are one organization`;
}

/** Returns a count with its name, or nothing for 0. */
export function countWords(number: number, name: string): string[] {
  return number > 0 ? [`${count.format(number)} ${name}`] : [];
}
