import type { RowEvent } from '../../../batch/outcome.ts';
import { count } from '../../../terminal/count.ts';
import { renderDuration } from '../../../terminal/duration.ts';
import { LiveStatus } from '../../live-status.ts';
import type { Session } from '../../session.ts';

const lineEveryMs = 60_000;
const repaintEveryMs = 250;

/** How far a batch is: a moving line on a terminal, else a line every minute. */
export class BatchProgress {
  readonly #session: Session;
  readonly #say: (text: string, event: Readonly<Record<string, unknown>>) => void;
  readonly #ended = new AbortController();
  readonly #status: LiveStatus;
  #total = 0;
  #began = 0;
  #done = 0;
  #failed = 0;
  #postponed = 0;
  #sent = 0;
  /*
   * What is shown on a terminal instead of the time left while every request is refused; a line has
   * said so once.
   */
  #drought: string | undefined;
  #permitted: () => number | undefined = () => undefined;

  /** @param say says a line, and as what event a program is told of it */
  constructor(
    session: Session,
    say: (text: string, event: Readonly<Record<string, unknown>>) => void,
  ) {
    this.#session = session;
    this.#say = say;
    this.#status = new LiveStatus(session, () => this.#state(), { everyMs: repaintEveryMs });
  }

  /**
   * Begins to count.
   * @param total how many rows there are
   * @param permitted requests per second that the service's limit permits, while sending waits for
   * it
   */
  async begin(total: number, permitted: () => number | undefined): Promise<void> {
    const { context, flags, isLive } = this.#session;
    this.#permitted = permitted;
    this.#total = total;
    this.#began = context.clock.elapsed();
    if (isLive) await this.#status.start();
    else if (flags.progress !== false) void this.#report();
  }

  /** Milliseconds since the beginning. */
  get elapsedMs(): number {
    return this.#session.context.clock.elapsed() - this.#began;
  }

  /** Counts what became of rows. */
  count(events: readonly RowEvent[]): void {
    for (const event of events) {
      if (event.kind === 'postponed') this.#postponed += 1;
      else this.#done += 1;
      if (event.kind === 'refused' || event.kind === 'invalid') this.#failed += 1;
      if (event.kind === 'registered' || (event.kind === 'refused' && !event.earlier)) {
        this.#sent += 1;
        this.#drought = undefined;
      }
    }
  }

  /**
   * Shows a text until the service accepts or refuses a row: a rate and a time left of one that
   * takes nothing would mislead.
   */
  standStill(text: string): void {
    this.#drought = text;
  }

  /** Takes the moving line away while something else is written. */
  aside(write: () => Promise<void>): Promise<void> {
    return this.#status.withoutSpinner(write);
  }

  /** Takes away what moves. */
  stop(): void {
    this.#ended.abort();
    this.#status.stop();
  }

  async #report(): Promise<void> {
    const { clock } = this.#session.context;
    for (;;) {
      await clock.sleep(lineEveryMs, this.#ended.signal).catch(() => undefined);
      if (this.#ended.signal.aborted) return;
      this.#say(this.#state(), {
        event: 'progress',
        done: this.#done,
        total: this.#total,
        failed: this.#failed,
        postponed: this.#postponed,
        rate_limit: this.#permitted(),
      });
    }
  }

  #state(): string {
    const done = `${count.format(this.#done)}/${count.format(this.#total)}`;
    const failed = `${count.format(this.#failed)} failed`;
    const postponed = this.#postponed > 0 ? [`${count.format(this.#postponed)} postponed`] : [];
    if (this.#drought !== undefined) {
      const rest = this.#session.isLive ? [this.#drought] : [failed, ...postponed];
      return [done, ...rest].join(' · ');
    }
    const rate = this.#sent / Math.max(this.elapsedMs / 1_000, 0.001);
    const rows = this.#total - this.#done - this.#postponed;
    const left = rate > 0 ? [`${renderDuration((rows / rate) * 1_000)} left`] : [];
    const permitted = this.#permitted();
    const pace =
      permitted === undefined
        ? `${rate.toFixed(1)}/s`
        : `rate limited to ${renderRate(permitted)}/s`;
    return [done, failed, ...postponed, pace, ...left].join(' · ');
  }
}

function renderRate(rate: number): string {
  return rate < 1 ? rate.toPrecision(2) : rate.toFixed(1);
}
