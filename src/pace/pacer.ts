import { AdvertisedLimit, maxSingleRetryAfterMs } from './advertised-limit.ts';
import { BurstTest } from './burst-test.ts';
import { ConcurrencyWindow } from './concurrency-window.ts';
import { IntervalPacer } from './interval-pacer.ts';
import { ProvenRate } from './proven-rate.ts';
import { maxWaitMs, type RefusalStreak, RefusalStreakTracker } from './refusal-streak.ts';
import type { PacingOutcome, Ticket } from './request-pacer.ts';

/*
 * Learns the sending rate of a batch or a watch from its responses.
 *
 * A 429 is an edge: at that moment the allowance was empty. The requests that the service accepted
 * between two edges, divided by the time between them, are the permitted rate, whatever the burst.
 * So the pacer sends evenly at slightly above the proven rate, meets an edge every few seconds, and
 * corrects itself there. A limit without a burst has no such edges; `IntervalPacer` handles it.
 *
 * The pacer only computes: it gets the time in milliseconds of a monotonic clock and never waits.
 */

/** Maximum lateness, mainly of timers, that a sender may catch up. */
const maxCatchUpMs = 10;

/**
 * Finds the rate that the service permits, holds it, and shares it with other processes at the same
 * limit.
 *
 * All workers of a run share one pacer: each waits for `delay`, calls `sent`, and reports
 * the outcome.
 */
export class Pacer {
  readonly #maxRate: number;

  #sequence = 0;
  #inFlight = 0;
  readonly #window: ConcurrencyWindow;
  #nextAt = 0;

  readonly #proven = new ProvenRate();
  #hasEdge = false;
  /** Requests with a lower sequence preceded the last decision; their refusals are ignored. */
  #decided = 0;
  readonly #streak = new RefusalStreakTracker();
  readonly #advertised = new AdvertisedLimit();
  readonly #test = new BurstTest();
  /** Sets the pace while the limit seems to have no burst. */
  #intervals: IntervalPacer | undefined;

  /** Rate of the last request if it waited for the limit of the service, else Infinity. */
  #limitedRate = Infinity;
  /** End of the wait that the service requested. */
  #stoppedUntil = Number.NEGATIVE_INFINITY;
  /** Earliest time that respects `maxRate` and the advertised rate. */
  #tooEarlyUntil = Number.NEGATIVE_INFINITY;

  /**
   * @param options.concurrency maximum requests in flight, at least 1
   * @param options.maxRate maximum requests per second, above 0; a sender that is up to 10 ms late
   * may catch up
   */
  constructor({ concurrency, maxRate = Infinity }: { concurrency: number; maxRate?: number }) {
    this.#maxRate = maxRate / 1000;
    this.#window = new ConcurrencyWindow(concurrency);
  }

  /**
   * Whether the refusals mean a used-up quota instead of a rate limit.
   *
   * True if a refusal requests a wait above one hour, or if five probes in a row were refused and
   * nothing was accepted for five minutes. The limit is fifteen minutes if this process has already
   * waited for its turn, and 130 s if nothing was ever accepted and no refusal had a Retry-After.
   * The next accepted request resets it.
   */
  get exhausted(): boolean {
    return this.#streak.isExhausted;
  }

  /** Current series of refusals; undefined until a second refusal in a row. */
  get refusalStreak(): RefusalStreak | undefined {
    return this.#streak.current;
  }

  /**
   * Permitted requests per second while the limit of the service delays requests; undefined while
   * something else does, such as latency or `maxRate`.
   */
  get permitted(): number | undefined {
    return this.#limitedRate === Infinity ? undefined : this.#limitedRate * 1_000;
  }

  /** Returns the milliseconds until the next request; Infinity until a response arrives. */
  delay(now: number): number {
    const isAlone =
      this.#intervals?.isProbing || (this.#streak.isActive && this.#sequence > this.#decided);
    const isProbing = isAlone && !this.#test.isInProgress;
    // Leaves half of the remaining requests to other processes.
    const window = Math.min(this.#window.size, Math.max(1, this.#advertised.remaining / 2));
    if (this.#inFlight > 0 && (isProbing || this.#inFlight >= window)) return Infinity;
    return Math.max(0, this.#nextAt - now);
  }

  /** Records a sent request. The caller must report the outcome of each ticket once. */
  sent(now: number): Ticket {
    const rate = this.#rateAt(now);
    // Without a burst, a request that catches up is too early.
    const slot = Math.max(this.#nextAt, this.#intervals ? now : now - maxCatchUpMs);
    this.#limitedRate =
      rate < this.#maxRate && now - this.#nextAt < maxCatchUpMs / 2 ? rate : Infinity;
    this.#proven.idled(slot - this.#nextAt);
    this.#tooEarlyUntil = slot + 1 / this.#bound;
    this.#nextAt = this.#test.hasMore ? this.#tooEarlyUntil : slot + 1 / rate;
    this.#test.sent();
    this.#inFlight += 1;
    return { sequence: this.#sequence++, sentAt: now, rate };
  }

  /** Learns from the outcome of a request. */
  responded(ticket: Ticket, now: number, { kind, retryAfterMs = 0, limit }: PacingOutcome): void {
    this.#inFlight -= 1;
    this.#test.responded(ticket, now);
    const resetMs = limit ? this.#advertised.apply(limit) : 0;
    if (kind === 'accepted') {
      if (resetMs > 0 && resetMs <= maxWaitMs) this.#stop(now + resetMs);
      this.#accepted(ticket, now);
      return;
    }
    // A failure does not concern the limit, so a reset in hours must not stop the run.
    const ignoresReset = kind === 'failed' && resetMs > maxWaitMs;
    const waitMs = Math.max(retryAfterMs, ignoresReset ? 0 : resetMs);
    if (waitMs > maxSingleRetryAfterMs) {
      this.#stop(now + waitMs);
      this.#test.end();
    }
    if (waitMs > 0) this.#streak.waitRequested();
    if (kind === 'refused' && this.#test.includes(ticket)) this.#switchToIntervals();
    if (ticket.sequence < this.#decided) return;
    if (this.#intervals && this.#test.isExtra(ticket)) return;
    this.#decided = this.#sequence;
    if (kind === 'failed') return;
    this.#streak.refused(waitMs);
    const isStreak = this.#hasEdge && this.#proven.isUnproven;
    if (this.#intervals) {
      if (isStreak) this.#streak.extend(ticket.sentAt);
      const isLast = ticket.sequence === this.#sequence - 1;
      this.#resumeAt(this.#intervals.refused(ticket, now, this.#nextAt, isLast));
    } else if (isStreak) {
      // Sends one probe at a time, each after twice the time.
      this.#waitUntil(now + this.#streak.extend(ticket.sentAt));
    } else if (resetMs === 0) {
      this.#learn(ticket, now);
      this.#test.edge(now);
    }
    if (isStreak) return;
    this.#streak.start(ticket.sentAt);
    this.#hasEdge = true;
    this.#streak.mayTakeTurns = this.#intervals !== undefined || this.#test.hasDoubt;
    this.#streak.maxTurnsMs = this.#intervals?.maxStreakMs;
    this.#proven.restart(ticket.sentAt);
  }

  #accepted(ticket: Ticket, now: number): void {
    this.#streak.accepted(ticket.sentAt);
    this.#test.accepted(ticket);
    const isNews = ticket.sequence >= this.#decided;
    if (isNews && this.#test.isDue(now)) this.#startTest(now);
    if (this.#intervals) this.#paceByInterval(this.#intervals, ticket, now, isNews);
    this.#proven.accepted(ticket.sentAt);
    this.#window.accepted(ticket, this.#sequence);
  }

  /** Tests for a burst after a pause in which it refills, longer after a refusal streak. */
  #startTest(now: number): void {
    this.#test.end();
    if (this.#advertised.rate < Infinity) return;
    this.#test.start(this.#sequence);
    this.#waitUntil(
      Math.max(this.#nextAt, now) + Math.max(4 / this.#proven.atEdge, this.#streak.lastMs / 8),
    );
  }

  #switchToIntervals(): void {
    // With several processes, each waits longer than the interval.
    this.#intervals ??= new IntervalPacer(
      Math.max(1 / this.#proven.atEdge, this.#streak.lastMs / 2) / 8,
    );
  }

  /** Occasionally tests for a burst again, because other processes may have used it up. */
  #paceByInterval(intervals: IntervalPacer, ticket: Ticket, now: number, isNews: boolean): void {
    if (this.#test.isPassed) {
      this.#proven.startAt(1 / Math.max(1, intervals.spacingMs), now);
      this.#intervals = undefined;
      this.#streak.mayTakeTurns = false;
      this.#streak.maxTurnsMs = undefined;
      this.#waitUntil(now);
    } else if (!this.#test.isExtra(ticket)) {
      const isLast = ticket.sequence === this.#sequence - 1;
      const nextAt = intervals.accepted(ticket, now, this.#nextAt, isNews, isLast);
      if (nextAt !== undefined) this.#resumeAt(nextAt);
      if (!isNews || !intervals.isTestDue) return;
      this.#test.start(this.#sequence);
      // In 3.5 intervals after the last request, a burst refills three requests.
      this.#nextAt += 2.5 * intervals.spacingMs;
    }
  }

  #learn(ticket: Ticket, now: number): void {
    if (this.#proven.atEdge === Infinity) {
      this.#test.begin(now);
      this.#waitUntil(now + this.#proven.learnFirst(ticket, now));
    } else this.#waitUntil(now + this.#proven.learn(ticket, this.#test.hasDoubt));
  }

  #stop(until: number): void {
    this.#stoppedUntil = Math.max(this.#stoppedUntil, until);
    this.#waitUntil(until);
  }

  #resumeAt(at: number): void {
    this.#nextAt = Math.max(at, this.#stoppedUntil, this.#tooEarlyUntil);
  }

  #waitUntil(at: number): void {
    this.#nextAt = Math.max(this.#nextAt, at);
    this.#proven.holdFrom(this.#nextAt);
  }

  get #bound(): number {
    return Math.min(this.#maxRate, this.#advertised.rate);
  }

  #rateAt(now: number): number {
    const bound = this.#bound;
    const isLearned = this.#proven.atEdge < Infinity;
    if (isLearned && this.#intervals) return Math.min(bound, 1 / this.#intervals.spacingMs);
    return Math.min(bound, this.#proven.at(now));
  }
}
