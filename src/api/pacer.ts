import type { PacingOutcome } from '../pacing-outcome.ts';
import type { RateLimit } from './rate-limit.ts';

/*
 * The sending rate of a batch or a watch, learned from its answers.
 *
 * A 429 is an edge: at that moment the allowance was empty. What the service let through between two edges,
 * divided by the time between them, is the rate it permits, whatever burst it grants. So the pacer sends
 * evenly at a little above the proven rate, meets an edge every few seconds, and corrects itself there.
 *
 * Arithmetic only: time comes in as milliseconds of a clock that never goes back, and nothing here waits.
 */

/** What the pacer must be told of one answer. */
export type Outcome = PacingOutcome<RateLimit>;

/** One request that was sent. */
export interface Ticket {
  readonly sequence: number;
  readonly sentAt: number;
  /** Requests per millisecond that the pacer permitted when it was sent. */
  readonly rate: number;
}

/** A time in which every request is refused, in milliseconds of the same clock. */
export interface Drought {
  readonly since: number;
  readonly until: number;
}

const firstInFlight = 4;
/** A shorter Retry-After concerns the refused request alone: a bucket that refills every 20 ms says "1" too. */
const longWaitMs = 2_000;
/** Nobody is kept waiting for longer than this without being told. */
const longestWaitMs = 3_600_000;
/** How late a sender may come, a timer's lateness above all, and still catch up. */
const latenessMs = 10;
const longestProbeMs = 15_000;
/** Five windows of a minute, which other processes may have drained. */
const longestDryMs = 300_000;
/** Two windows of a minute: for a run that has had nothing yet and was told no wait. */
const firstDryMs = 130_000;
/** Such a run probes more often, to meet the beginning of a window before other processes have drained it. */
const firstProbeMs = 2_000;

/**
 * Finds out how fast the service may be asked, holds that rate, and shares it with the other processes that
 * meet the same limit. All workers of a run share one pacer: each asks `delay`, sends, and reports back.
 */
export class Pacer {
  readonly #concurrency: number;
  readonly #maxRate: number;

  #sequence = 0;
  #inFlight = 0;
  #window: number;
  #roundTripEnds = 0;
  #nextAt = 0;

  /** Requests per millisecond; Infinity until the first edge. */
  #rate = Infinity;
  #patience = 1;
  #calmSince = 0;

  #edgeAt: number | undefined;
  #passed = 0;
  #passedSince = 0;
  /** Requests with a lower sequence were sent before the last decision: their refusals are not news. */
  #decided = 0;
  #drought = 0;
  #exhausted = false;
  /** Whether something was accepted, or a refusal told a wait: then refusals are most likely a rate limit. */
  #hasLimit = false;

  #toldRate = Infinity;
  #left = Infinity;
  /* The rate of the last request that waited for the service's limit, Infinity when it waited for something else. */
  #held = Infinity;

  /**
   * @param options.concurrency the most requests in flight, at least 1
   * @param options.maxRate the most requests per second, above 0; a sender up to 10 ms late may catch up
   */
  constructor({ concurrency, maxRate = Infinity }: { concurrency: number; maxRate?: number }) {
    this.#concurrency = concurrency;
    this.#maxRate = maxRate / 1000;
    this.#window = Math.min(firstInFlight, concurrency);
  }

  /**
   * Whether the refusals are a used-up quota and not a rate limit: five probes in a row were refused, each
   * sent after the whole wait that the one before it asked for (without Retry-After as long again as nothing
   * had been accepted, at most 15 s), and nothing was accepted for five minutes; so windows of a minute, even
   * when other processes drain most of them, are no quota. Where nothing was ever accepted and no refusal told
   * a wait, 130 seconds of a probe every two are enough, so that a quota that was used up yesterday costs each
   * run no more. Or a refusal asks for more than an hour. The next accepted request takes it back.
   */
  get exhausted(): boolean {
    return this.#exhausted;
  }

  /**
   * Since when nothing but refusals has come, and when that counts as a used-up quota at the earliest; undefined
   * while requests are accepted, and until a second one was refused.
   */
  get drought(): Drought | undefined {
    if (this.#drought === 0 || this.#edgeAt === undefined) return undefined;
    return { since: this.#edgeAt, until: this.#edgeAt + this.#mostDryMs };
  }

  /**
   * Requests per second that the service's limit permits, while that is what sending waits for; undefined
   * while something else holds it back, such as latency or the caller's own rate.
   */
  get permitted(): number | undefined {
    return this.#held === Infinity ? undefined : this.#held * 1_000;
  }

  get #mostDryMs(): number {
    return this.#hasLimit ? longestDryMs : firstDryMs;
  }

  /** Milliseconds until one more request may be sent: 0 for now, Infinity for not before an answer arrives. */
  delay(now: number): number {
    const probing = this.#drought > 0 && this.#sequence > this.#decided;
    // Half of what is left is for the other processes.
    const window = Math.min(this.#window, Math.max(1, this.#left / 2));
    if (this.#inFlight > 0 && (probing || this.#inFlight >= window)) return Infinity;
    return Math.max(0, this.#nextAt - now);
  }

  /** Records that a request was sent. Each ticket must be answered once. */
  sent(now: number): Ticket {
    const rate = this.#rateAt(now);
    const slot = Math.max(this.#nextAt, now - latenessMs);
    this.#held = rate < this.#maxRate && now - this.#nextAt < latenessMs / 2 ? rate : Infinity;
    // While nobody wants to send, calm proves nothing.
    this.#calmSince += slot - this.#nextAt;
    this.#nextAt = slot + 1 / rate;
    this.#inFlight += 1;
    return { sequence: this.#sequence++, sentAt: now, rate };
  }

  /** Learns from an answer, or from its failing to come. */
  answered(ticket: Ticket, now: number, { kind, retryAfterMs = 0, limit }: Outcome): void {
    this.#inFlight -= 1;
    const resetMs = limit ? this.#heed(limit) : 0;
    if (kind === 'accepted') {
      if (resetMs > 0 && resetMs <= longestWaitMs) this.#waitUntil(now + resetMs);
      this.#accepted(ticket);
      return;
    }
    // A failure says nothing about the limit: a reset in hours beside it is no reason to stand still.
    const isStanding = kind === 'failed' && resetMs > longestWaitMs;
    const waitMs = Math.max(retryAfterMs, isStanding ? 0 : resetMs);
    if (waitMs > longWaitMs) this.#waitUntil(now + waitMs);
    if (waitMs > 0) this.#hasLimit = true;
    if (ticket.sequence < this.#decided) return;
    this.#decided = this.#sequence;
    if (kind === 'failed') return;
    if (waitMs > longestWaitMs) this.#exhausted = true;
    if (this.#edgeAt !== undefined && this.#passed === 0) {
      this.#endure(now, ticket.sentAt - this.#edgeAt);
      return;
    }
    if (resetMs === 0) this.#learn(ticket, now);
    this.#edgeAt = ticket.sentAt;
    this.#passedSince = ticket.sentAt;
    this.#passed = 0;
  }

  #accepted(ticket: Ticket): void {
    this.#drought = 0;
    this.#exhausted = false;
    this.#hasLimit = true;
    if (ticket.sentAt > this.#passedSince) this.#passed += 1;
    if (this.#passed >= 100) {
      // Forgets the older half, or a limit that has risen would be measured by what it was.
      this.#passed /= 2;
      this.#passedSince += (ticket.sentAt - this.#passedSince) / 2;
    }
    if (ticket.sequence < this.#roundTripEnds) return;
    this.#roundTripEnds = this.#sequence;
    this.#window = Math.min(this.#concurrency, this.#window < 8 ? this.#window * 2 : this.#window + 4);
  }

  /** Nothing was accepted since the last edge: one probe at a time, each after as long again. */
  #endure(now: number, dryMs: number): void {
    this.#drought += 1;
    if (this.#drought >= 5 && dryMs >= this.#mostDryMs) this.#exhausted = true;
    this.#waitUntil(now + Math.min(dryMs, this.#hasLimit ? longestProbeMs : firstProbeMs));
  }

  #learn(ticket: Ticket, now: number): void {
    if (this.#rate === Infinity) {
      const roundTripMs = Math.max(1, now - ticket.sentAt);
      this.#rate = 2 / roundTripMs;
      this.#patience = 0.07;
      // What was in flight has to come back before it can be told apart.
      this.#waitUntil(now + roundTripMs);
      return;
    }
    const proven = (this.#passed + 1) / Math.max(1, ticket.sentAt - this.#passedSince);
    // Proven may be too low (windows left half empty), tried is too high: twice as near to what is proven.
    this.#rate = Math.min(ticket.rate, proven ** (2 / 3) * ticket.rate ** (1 / 3));
    this.#patience = Math.max(0.07, Math.min(1, this.#passed / 20));
    // Four slots of rest, so that no jitter meets an empty bucket again.
    this.#waitUntil(now + 4 / this.#rate);
  }

  /** Takes over what the headers tell, and returns for how long they permit nothing more. */
  #heed({ quota, windowMs, remaining, resetMs }: RateLimit): number {
    if (quota !== undefined && windowMs !== undefined && windowMs < 10_000) {
      this.#toldRate = (0.995 * quota) / windowMs;
      this.#left = Infinity;
      return 0;
    }
    // Whole seconds are too coarse to pace by within a short window.
    if (remaining === undefined || resetMs === undefined || resetMs <= longWaitMs) return 0;
    const plenty = remaining === 0 || remaining > (quota ?? 0) / 2 || resetMs > longestWaitMs;
    this.#toldRate = plenty ? Infinity : remaining / resetMs;
    this.#left = remaining;
    return remaining === 0 ? resetMs : 0;
  }

  #waitUntil(at: number): void {
    this.#nextAt = Math.max(this.#nextAt, at);
    this.#calmSince = this.#nextAt;
  }

  /** Holds the learned rate for a while, then exceeds it ever faster until the next edge (as CUBIC, RFC 9438). */
  #rateAt(now: number): number {
    const bound = Math.min(this.#maxRate, this.#toldRate);
    if (this.#rate === Infinity) return bound;
    const holdMs = this.#patience * (2_100 + 9 / this.#rate);
    const beyond = Math.max(0, (now - this.#calmSince) / holdMs - 1);
    return Math.min(bound, this.#rate * (1 + 0.03 * beyond ** 4));
  }
}
