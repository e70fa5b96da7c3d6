import type { RefusalStreakNotice } from '../../../batch/failed-attempts.ts';
import type { RowEvent } from '../../../batch/rows.ts';
import { graceMs } from '../../../batch/run.ts';
import type { Clock } from '../../../runtime/clock.ts';
import { count, renderDuration } from '../../../terminal/format.ts';
import { LiveStatus } from '../../live-status.ts';
import type { Session } from '../../session.ts';

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
