import type { RateLimit } from '../../runtime/carbon-error.ts';

export interface Ticket {
  readonly sequence: number;
  readonly sentAt: number;
  /** Requests per millisecond that the pacer allowed at that time. */
  readonly rate: number;
}

/** Describes the outcome of one request for the pacer. */
export interface PacingOutcome {
  /**
   * - `refused`: the rate limit refused the request
   * - `accepted`: any other response of the service, including errors, passed the rate limit
   * - `failed`: anything else, which does not concern the rate limit
   */
  readonly kind: 'accepted' | 'refused' | 'failed';
  /** Retry-After of a refusal or failure, in milliseconds (RFC 9110, section 10.2.3). */
  readonly retryAfterMs?: number | undefined;
  readonly limit?: RateLimit | undefined;
}

/** A period in which the service accepts nothing, and until when it is retried, by the clock. */
export interface Stall {
  readonly since: number;
  readonly until: number;
}

/** The part of a pacer that its users call. */
export type RequestPacer = Pick<
  Pacer,
  'delay' | 'sent' | 'responded' | 'exhausted' | 'stall' | 'refusedShare'
>;

export interface PacerOptions {
  /** Maximum requests in flight, at least 1. */
  readonly concurrency: number;
  /** Maximum requests per second, above 0; a sender that is up to 10 ms late may catch up. */
  readonly maxRate?: number | undefined;
}

/**
 * Maximum Retry-After that concerns only the refused request; a longer one stops all requests. A
 * token bucket that refills every 20 ms also sends `Retry-After: 1`.
 */
const maxSingleRetryAfterMs = 2_000;
/** Maximum wait of a rate limit; a refusal that requests a longer one means a used-up quota. */
const maxWaitMs = 3_600_000;
/** Five windows of one minute, which other processes may have used up. */
const maxStreakMs = 300_000;
const maxProbeMs = 15_000;
/** Maximum lateness, mainly of timers, that a sender may catch up. */
const maxCatchUpMs = 10;
/**
 * Round trip, in intervals of the rate, up to which each request waits for the response to the last
 * one. Two requests then reach the service at least a way back and forth apart, so that jitter
 * cannot bring them too close for a limit without a burst.
 */
const maxAloneIntervals = 1.3;
/** Usual round trips after which a missing response no longer delays the next request. */
const maxAloneRoundTrips = 4;
/** Requests that a run sends immediately. */
const initialWindow = 4;
/** Upper limit of the first round trip, which takes seconds on a busy machine. */
const maxFirstRoundTripMs = 250;
/**
 * Requests per millisecond below which refusals do not push the rate, as long as one of the last
 * `maxRecent` requests was accepted: such refusals do not depend on the rate.
 */
const floorRate = 1 / 1000;
const maxRecent = 10;
/** Of so many requests, one was accepted after a refusal: a window that is used up accepts none. */
const maxMixed = 20;
/** Requests at this rate after which the share that is refused is known. */
const minMeasured = 30;
/** Window of a limit up to which it bounds the rate; in a longer one, a short list may hurry. */
const maxPacedWindowMs = 10_000;

/** Returns the rate that headers allow, Infinity without one, and how long they allow nothing. */
function boundsOf({ quota, windowMs, remaining, resetMs = 0 }: RateLimit): {
  readonly rate: number;
  readonly stopMs: number;
} {
  if (quota !== undefined && windowMs !== undefined && windowMs <= maxPacedWindowMs)
    return { rate: quota / windowMs, stopMs: 0 };
  // Seconds are too coarse for a short reset.
  const mustStop = remaining === 0 && resetMs > maxSingleRetryAfterMs;
  return { rate: Infinity, stopMs: mustStop ? resetMs : 0 };
}

/**
 * Learns the rate that the service allows from its responses, and holds it.
 *
 * A 429 is an edge: at that moment the allowance was empty. The requests that the service accepted
 * between two edges, divided by the time between them, are the allowed rate, whatever the burst.
 * So the pacer sends evenly at slightly above this proven rate, meets an edge every few seconds,
 * and corrects itself there. It only computes: it gets the time and never waits. Times are in
 * milliseconds of a monotonic clock.
 */
export class Pacer {
  readonly #maxRate: number;
  readonly #concurrency: number;

  #sequence = 0;
  #inFlight = 0;
  #nextAt = 0;
  /** Maximum requests in flight now; grows once in each round trip. */
  #window: number;
  #roundTripEnd = 0;
  /** Requests with a lower sequence preceded the last decision; their refusals are ignored. */
  #decided = 0;

  /** Requests per millisecond after the last edge; Infinity until the first one. */
  #rate = Infinity;
  /** The rate grows after this time. */
  #steadySince = 0;
  #holdFactor = 1;
  /** Requests that the service accepted since the last edge, and when the count began. */
  #passed = 0;
  #passedSince = 0;
  /** Upper bound of the rate, from response headers. */
  #advertised = Infinity;

  /** Usual round trip; 0 before the first response. */
  #roundTripMs = 0;
  /** The last request stays alone until then, or until its response. */
  #aloneUntil = 0;
  #edgeAt: number | undefined;
  /** Refusals in a row, after the edge. */
  #refusals = 0;
  /** Highest sequence of a refused request. */
  #refused = -1;
  #isExhausted = false;
  /** Whether each of the last requests was accepted. */
  readonly #recent: boolean[] = [];
  /** Requests at the lowest rate that were accepted or refused, and refused. */
  #measured = 0;
  #measuredRefused = 0;

  constructor({ concurrency, maxRate = Infinity }: PacerOptions) {
    this.#maxRate = maxRate / 1000;
    this.#concurrency = concurrency;
    this.#window = Math.min(initialWindow, concurrency);
  }

  /**
   * Whether the refusals mean a used-up quota: one requests a wait above an hour, or five probes in
   * a row were refused and nothing was accepted for five minutes. The next accepted request resets
   * it.
   */
  get exhausted(): boolean {
    return this.#isExhausted;
  }

  /** Current series of refusals; undefined until a second refusal in a row. */
  get stall(): Stall | undefined {
    if (this.#refusals === 0 || this.#edgeAt === undefined || this.#hasFloor) return undefined;
    return { since: this.#edgeAt, until: this.#edgeAt + maxStreakMs };
  }

  /**
   * Share of the requests that the service refuses even at the lowest rate; undefined while that is
   * not known.
   */
  get refusedShare(): number | undefined {
    return this.#measured < minMeasured ? undefined : this.#measuredRefused / this.#measured;
  }

  /** Whether refusals do not push the rate any further. */
  get #hasFloor(): boolean {
    const mixed = this.#recent;
    return mixed.slice(-maxRecent).includes(true) && mixed.lastIndexOf(true) > mixed.indexOf(false);
  }

  /** Returns the wait before the next request; Infinity until a response arrives. */
  delay(now: number): number {
    // While everything is refused, one probe at a time shows when that ends.
    const isProbing = this.#refusals > 0 && this.#sequence > this.#decided;
    if (this.#inFlight >= (isProbing ? 1 : this.#window)) return Infinity;
    return Math.max(0, this.#nextAt - now, this.#aloneUntil - now);
  }

  sent(now: number): Ticket {
    const bound = Math.min(this.#maxRate, this.#advertised);
    const rate = Math.min(bound, this.#rateAt(now));
    const slot = Math.max(this.#nextAt, now - maxCatchUpMs);
    // A time without requests proves nothing.
    this.#steadySince += slot - this.#nextAt;
    this.#nextAt = slot + 1 / rate;
    this.#inFlight += 1;
    const isAlone = this.#roundTripMs * rate < maxAloneIntervals;
    this.#aloneUntil = isAlone ? now + maxAloneRoundTrips * this.#roundTripMs : 0;
    return { sequence: this.#sequence++, sentAt: now, rate };
  }

  /** Records the outcome of a request, once for each ticket. */
  responded(ticket: Ticket, now: number, { kind, retryAfterMs = 0, limit }: PacingOutcome): void {
    this.#inFlight -= 1;
    if (ticket.sequence === this.#sequence - 1) this.#aloneUntil = 0;
    // Follows the usual round trip, and hardly one stalled response.
    const roundTripMs = now - ticket.sentAt;
    const usualMs = this.#roundTripMs || roundTripMs;
    this.#roundTripMs = usualMs + (Math.min(roundTripMs, 4 * usualMs) - usualMs) / 8;
    const { rate, stopMs: resetMs } = limit ? boundsOf(limit) : { rate: undefined, stopMs: 0 };
    if (rate !== undefined) this.#advertised = rate;
    if (kind !== 'failed') this.#record(ticket, kind === 'accepted');
    if (kind === 'accepted') {
      // With a learned rate, nothing remains most of the time.
      const mustWait = resetMs > 0 && resetMs <= maxWaitMs && this.#rate === Infinity;
      if (mustWait) this.#waitUntil(now + resetMs);
      this.#accepted(ticket);
      return;
    }
    // Only a refusal concerns the limit, so a reset in hours must not stop the run.
    const waitMs = retryAfterMs > 0 || kind === 'failed' ? retryAfterMs : resetMs;
    if (waitMs > maxSingleRetryAfterMs) this.#waitUntil(now + waitMs);
    if (kind === 'refused') {
      this.#refused = Math.max(this.#refused, ticket.sequence);
      if (Math.max(retryAfterMs, resetMs) > maxWaitMs) this.#isExhausted = true;
    }
    if (ticket.sequence < this.#decided) return;
    this.#decided = this.#sequence;
    if (kind === 'failed') return;
    if (this.#edgeAt !== undefined && this.#passed === 0) this.#extendStreak(ticket, now);
    else {
      this.#learn(ticket, now);
      this.#edgeAt = ticket.sentAt;
      this.#passedSince = ticket.sentAt;
      this.#passed = 0;
    }
  }

  #record(ticket: Ticket, isAccepted: boolean): void {
    this.#recent.push(isAccepted);
    if (this.#recent.length > maxMixed) this.#recent.shift();
    if (ticket.rate > 1.1 * floorRate) return;
    this.#measured += 1;
    if (!isAccepted) this.#measuredRefused += 1;
  }

  #accepted(ticket: Ticket): void {
    // A request that was sent before a refused one does not prove that the limit accepts more.
    if (ticket.sequence > this.#refused) {
      this.#refusals = 0;
      this.#isExhausted = false;
    }
    if (ticket.sentAt > this.#passedSince) this.#passed += 1;
    if (this.#passed >= 100) {
      // Forgets the older half, so that the measurement follows a limit that increases.
      this.#passed /= 2;
      this.#passedSince += (ticket.sentAt - this.#passedSince) / 2;
    }
    if (ticket.sequence < this.#roundTripEnd) return;
    this.#roundTripEnd = this.#sequence;
    this.#window = Math.min(this.#concurrency, this.#window + initialWindow);
  }

  /** Extends a series of refusals, and waits longer before each probe. */
  #extendStreak(ticket: Ticket, now: number): void {
    const streakMs = ticket.sentAt - (this.#edgeAt ?? ticket.sentAt);
    this.#refusals += 1;
    if (this.#refusals >= 5 && streakMs >= maxStreakMs) this.#isExhausted = true;
    this.#waitUntil(now + this.#bounded(Math.min(streakMs, maxProbeMs)));
  }

  /** Limits a pause to the interval of the lowest rate. */
  #bounded(waitMs: number): number {
    return this.#hasFloor ? Math.min(waitMs, 1 / floorRate) : waitMs;
  }

  /** Learns the rate from an edge. */
  #learn(ticket: Ticket, now: number): void {
    if (this.#rate === Infinity) {
      const roundTripMs = Math.min(maxFirstRoundTripMs, Math.max(1, now - ticket.sentAt));
      this.#rate = 2 / roundTripMs;
      this.#holdFactor = 0.07;
      this.#waitUntil(now + roundTripMs);
      return;
    }
    const proven = (this.#passed + 1) / Math.max(1, ticket.sentAt - this.#passedSince);
    // The proven rate may be too low (half-empty windows) and the tried rate is too high, so the
    // blend is closer to the proven one.
    const blend = proven ** (2 / 3) * ticket.rate ** (1 / 3);
    this.#rate = Math.max(Math.min(ticket.rate, blend), this.#hasFloor ? floorRate : 0);
    this.#holdFactor = Math.max(0.07, Math.min(1, this.#passed / 20));
    // Pauses for four requests, so that jitter does not meet an empty bucket again.
    this.#waitUntil(now + this.#bounded(4 / this.#rate));
  }

  #waitUntil(at: number): void {
    this.#nextAt = Math.max(this.#nextAt, at);
    this.#steadySince = this.#nextAt;
  }

  /** Holds the learned rate, then increases it ever faster until an edge (CUBIC, RFC 9438). */
  #rateAt(now: number): number {
    if (this.#rate === Infinity) return Infinity;
    const holdMs = this.#holdFactor * (2_100 + 24 / this.#rate);
    const beyond = Math.max(0, (now - this.#steadySince) / holdMs - 1);
    return this.#rate * (1 + 0.03 * beyond ** 4);
  }
}
