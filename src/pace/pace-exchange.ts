import type { Clock } from '../runtime/clock.ts';
import type { OutcomeReport } from './outcome-report.ts';
import { type KnownPace, type PaceBucket, PaceError, type PaceReply } from './pace-bucket.ts';
import { ServerClock } from './server-clock.ts';

/** Time between two calls that keep the membership and find a server that is back. */
const heartbeatMs = 500;
/** Minimum time between two calls that only report accepted requests. */
const minReportMs = 80;
const maxReportMs = 2_000;
/** Permits of a lease that make calls so frequent that reports wait for the next lease. */
const largeLease = 100;
const largeLeaseReportMs = 250;

/** Configures the calls that one process makes. */
export interface PaceExchangeOptions {
  readonly bucket: PaceBucket;
  readonly clock: Clock;
  readonly report: OutcomeReport;
  /**
   * Receives each reply.
   * @param now local time of the server's time in the reply
   * @param want number of permits that the call requested
   */
  readonly onReply: (reply: PaceReply, now: number, want: number) => void;
  readonly onLost: (error: PaceError) => void;
}

/** Calls the shared bucket: one call at a time, urgent reports next, and a regular heartbeat. */
export class PaceExchange {
  readonly #options: PaceExchangeOptions;
  readonly #serverClock = new ServerClock();
  #calling: Promise<void> | undefined;
  #calledAt = Number.NEGATIVE_INFINITY;
  #known: KnownPace | undefined;
  #members = 1;
  #minReportMs = minReportMs;
  #wrong: PaceError | undefined;
  #isLost = false;
  #isClosed = false;
  #cancelBeat: () => void = () => undefined;
  #willReport = false;
  #cancelReport: () => void = () => undefined;

  constructor(options: PaceExchangeOptions) {
    this.#options = options;
  }

  /** Whether a call is in progress. */
  get isCalling(): boolean {
    return this.#calling !== undefined;
  }

  /** Local time of the last call. */
  get calledAt(): number {
    return this.#calledAt;
  }

  /** Shortest recent round trip of a call in milliseconds. */
  get roundTripMs(): number {
    return this.#serverClock.roundTripMs;
  }

  get #delayMs(): number {
    return this.roundTripMs === Infinity ? 0 : this.roundTripMs / 2;
  }

  /** Converts a local time to the server's. */
  toServer(local: number): number {
    return this.#serverClock.toServer(local);
  }

  /**
   * Makes the first call and starts the heartbeat.
   *
   * Returns the error if the address or the login is wrong.
   */
  async open(): Promise<PaceError | undefined> {
    await this.call(0);
    if (this.#wrong === undefined) this.#beat();
    return this.#wrong;
  }

  /** Calls the bucket, unless a call is in progress. */
  call(want: number): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#calling ??= this.#exchange(want).finally(() => {
      this.#calling = undefined;
      this.reportDue(this.#options.clock.elapsed());
    });
    return this.#calling;
  }

  /**
   * Reports outcomes if it is time. A late report would make the measured rate inaccurate, but many
   * processes must not report often.
   */
  reportDue(now: number): void {
    const { report } = this.#options;
    if (this.#isLost || report.isEmpty) return;
    const reportMs = Math.max(this.#minReportMs, Math.min(maxReportMs, 5 * this.#members));
    const waitMs = report.isUrgent ? 0 : this.#calledAt + reportMs - now;
    if (waitMs <= 0) void this.call(0);
    else if (!this.#willReport) {
      this.#willReport = true;
      this.#cancelReport = this.#options.clock.after(waitMs, () => {
        this.#willReport = false;
        this.reportDue(this.#options.clock.elapsed());
      });
    }
  }

  /** Reports the last outcomes and leaves the bucket. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelBeat();
    this.#cancelReport();
    await this.#calling;
    if (this.#isLost) return;
    const { bucket, report } = this.#options;
    await bucket.call({ ...report.take(), want: 0, delay: 0, leaves: true }).catch(() => undefined);
  }

  async #exchange(want: number): Promise<void> {
    const { bucket, clock, report, onReply, onLost } = this.#options;
    const known = this.#known && { known: this.#known };
    const request = { ...report.take(), want, delay: this.#delayMs, ...known };
    const calledAt = clock.elapsed();
    this.#calledAt = calledAt;
    try {
      const reply = await bucket.call(request);
      const server = Number(reply.now);
      this.#serverClock.record(calledAt, clock.elapsed(), server);
      this.#members = reply.members;
      if (reply.count !== undefined)
        this.#minReportMs = reply.count < largeLease ? minReportMs : largeLeaseReportMs;
      this.#isLost = false;
      onReply(reply, this.#serverClock.toLocal(server), want);
      this.#known = reply.known;
    } catch (error) {
      if (!(error instanceof PaceError)) throw error;
      // Later, such an error is a change of the server, after which this process continues alone.
      if (error.isConfiguration && this.#known === undefined && !this.#isLost) this.#wrong = error;
      else if (!this.#isLost && !this.#isClosed) onLost(error);
      this.#isLost = true;
    }
  }

  #beat(): void {
    this.#cancelBeat = this.#options.clock.after(heartbeatMs, () => {
      const { clock } = this.#options;
      if (clock.elapsed() - this.#calledAt > 0.9 * heartbeatMs) void this.call(0);
      if (!this.#isClosed) this.#beat();
    });
  }
}
