import { longRetryAfterMs, ToldLimit } from './advertised-limit.ts';
import { BurstTest, initialWindow } from './burst-test.ts';
import type { Outcome, Ticket } from './outcome.ts';
import { DroughtWatch, maxWaitMs, type RefusalStreak } from './refusal-streak.ts';
import { Turns } from './send-slots.ts';

/*
 * The sending rate of a batch or a watch, learned from its answers.
 *
 * A 429 is an edge: at that moment the allowance was empty. What the service let through between
 * two edges, divided by the time between them, is the rate it permits, whatever burst it grants. So
 * the pacer sends evenly at a little above the proven rate, meets an edge every few seconds, and
 * corrects itself there. A limit without a burst has no such edges: there, `Turns` paces.
 *
 * Arithmetic only: time comes in as milliseconds of a clock that never goes back, and nothing here
 * waits.
 */

/** How late a sender may come, a timer's lateness above all, and still catch up. */
const latenessMs = 10;
/**
 * The first round trip of a process takes seconds on a busy machine, and says nothing of the next.
 */
const maxFirstRoundTripMs = 250;

/**
 * Finds out how fast the service may be asked, holds that rate, and shares it with the other
 * processes that meet the same limit. All workers of a run share one pacer: each asks `delay`,
 * sends, and reports back.
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
  #holdFactor = 1;
  #steadySince = 0;

  #hasEdge = false;
  #passed = 0;
  #passedSince = 0;
  /**
   * Requests with a lower sequence were sent before the last decision: their refusals are not news.
   */
  #decided = 0;
  readonly #dry = new DroughtWatch();
  readonly #told = new ToldLimit();
  readonly #test = new BurstTest();
  /** Paces instead while the limit seems to have no burst. */
  #turns: Turns | undefined;

  /**
   * The rate of the last request that waited for the service's limit, Infinity when it waited for
   * something else.
   */
  #held = Infinity;
  /** Nothing is sent before: the service asked for it. */
  #stoppedUntil = Number.NEGATIVE_INFINITY;
  /** A request that was sent before would exceed `maxRate` or what the headers tell. */
  #tooEarlyUntil = Number.NEGATIVE_INFINITY;

  /**
   * @param options.concurrency the most requests in flight, at least 1
   * @param options.maxRate the most requests per second, above 0; a sender up to 10 ms late may
   * catch up
   */
  constructor({ concurrency, maxRate = Infinity }: { concurrency: number; maxRate?: number }) {
    this.#concurrency = concurrency;
    this.#maxRate = maxRate / 1000;
    this.#window = Math.min(initialWindow, concurrency);
  }

  /**
   * Whether the refusals are a used-up quota and not a rate limit: five probes in a row were
   * refused, each sent after the whole wait that the one before it asked for (without Retry-After
   * as long again as nothing had been accepted, at most 15 s), and nothing was accepted for five
   * minutes; so windows of a minute, even when other processes drain most of them, are no quota.
   * Where processes take turns and this one has waited for its own before, fifteen minutes. Where
   * nothing was ever accepted and no refusal told a wait, 130 seconds of a probe every two are
   * enough, so that a quota that was used up yesterday costs each run no more. Or a refusal asks
   * for more than an hour. The next accepted request takes it back.
   */
  get exhausted(): boolean {
    return this.#dry.isExhausted;
  }

  /**
   * Since when nothing but refusals has come, and when that counts as a used-up quota at the
   * earliest; undefined while requests are accepted, and until a second one was refused.
   */
  get refusalStreak(): RefusalStreak | undefined {
    return this.#dry.refusalStreak;
  }

  /**
   * Requests per second that the service's limit permits, while that is what sending waits for;
   * undefined while something else holds it back, such as latency or the caller's own rate.
   */
  get permitted(): number | undefined {
    return this.#held === Infinity ? undefined : this.#held * 1_000;
  }

  /**
   * Milliseconds until one more request may be sent: 0 for now, Infinity for not before an answer
   * arrives.
   */
  delay(now: number): number {
    const isAlone = this.#turns?.isProbing || (this.#dry.isOn && this.#sequence > this.#decided);
    const isProbing = isAlone && !this.#test.isUnderWay;
    // Half of what is left is for the other processes.
    const window = Math.min(this.#window, Math.max(1, this.#told.left / 2));
    if (this.#inFlight > 0 && (isProbing || this.#inFlight >= window)) return Infinity;
    return Math.max(0, this.#nextAt - now);
  }

  /** Records that a request was sent. Each ticket must be answered once. */
  sent(now: number): Ticket {
    const rate = this.#rateAt(now);
    // Without a burst, who catches up comes too early.
    const slot = Math.max(this.#nextAt, this.#turns ? now : now - latenessMs);
    this.#held = rate < this.#maxRate && now - this.#nextAt < latenessMs / 2 ? rate : Infinity;
    // While nobody wants to send, calm proves nothing.
    this.#steadySince += slot - this.#nextAt;
    this.#tooEarlyUntil = slot + 1 / this.#bound;
    this.#nextAt = this.#test.hasMore ? this.#tooEarlyUntil : slot + 1 / rate;
    this.#test.sent();
    this.#inFlight += 1;
    return { sequence: this.#sequence++, sentAt: now, rate };
  }

  /** Learns from an answer, or from its failing to come. */
  answered(ticket: Ticket, now: number, { kind, retryAfterMs = 0, limit }: Outcome): void {
    this.#inFlight -= 1;
    this.#test.answered();
    const resetMs = limit ? this.#told.heed(limit) : 0;
    if (kind === 'accepted') {
      if (resetMs > 0 && resetMs <= maxWaitMs) this.#stop(now + resetMs);
      this.#accepted(ticket, now);
      return;
    }
    // A failure says nothing about the limit: a reset in hours beside it is no reason to stand
    // still.
    const isStanding = kind === 'failed' && resetMs > maxWaitMs;
    const waitMs = Math.max(retryAfterMs, isStanding ? 0 : resetMs);
    if (waitMs > longRetryAfterMs) {
      this.#stop(now + waitMs);
      this.#test.end();
    }
    if (waitMs > 0) this.#dry.toldWait();
    if (kind === 'refused' && this.#test.includes(ticket)) this.#takeTurns();
    if (ticket.sequence < this.#decided) return;
    if (this.#turns && this.#test.isExtra(ticket)) return;
    this.#decided = this.#sequence;
    if (kind === 'failed') return;
    this.#dry.refused(waitMs);
    const isDry = this.#hasEdge && this.#passed === 0;
    if (this.#turns) {
      if (isDry) this.#dry.endured(ticket.sentAt);
      const isLast = ticket.sequence === this.#sequence - 1;
      this.#resumeAt(this.#turns.refused(ticket, now, this.#nextAt, isLast));
    } else if (isDry) {
      // One probe at a time, each after as long again.
      this.#waitUntil(now + this.#dry.endured(ticket.sentAt));
    } else if (resetMs === 0) this.#learn(ticket, now);
    if (isDry) return;
    this.#dry.edge(ticket.sentAt);
    this.#hasEdge = true;
    this.#dry.mayTakeTurns = this.#turns !== undefined || this.#test.hasDoubt;
    this.#dry.maxTurnsMs = this.#turns?.maxDryMs;
    this.#passedSince = ticket.sentAt;
    this.#passed = 0;
  }

  #accepted(ticket: Ticket, now: number): void {
    this.#dry.accepted(ticket.sentAt);
    this.#test.accepted(ticket);
    const isNews = ticket.sequence >= this.#decided;
    if (isNews && this.#test.isDue(now)) this.#doubt(now);
    if (this.#turns) this.#goOn(this.#turns, ticket, now, isNews);
    if (ticket.sentAt > this.#passedSince) this.#passed += 1;
    if (this.#passed >= 100) {
      // Forgets the older half, or a limit that has risen would be measured by what it was.
      this.#passed /= 2;
      this.#passedSince += (ticket.sentAt - this.#passedSince) / 2;
    }
    if (ticket.sequence < this.#roundTripEnds) return;
    this.#roundTripEnds = this.#sequence;
    this.#window = Math.min(
      this.#concurrency,
      this.#window < 8 ? this.#window * 2 : this.#window + 4,
    );
  }

  /** Tests after a rest, in which a burst grows; after a drought, four slots may be too short. */
  #doubt(now: number): void {
    this.#test.end();
    if (this.#told.rate < Infinity) return;
    this.#test.start(this.#sequence);
    this.#waitUntil(Math.max(this.#nextAt, now) + Math.max(4 / this.#rate, this.#dry.lastMs / 8));
  }

  #takeTurns(): void {
    // Of several processes, each waits longer than the interval.
    this.#turns ??= new Turns(Math.max(1 / this.#rate, this.#dry.lastMs / 2) / 8);
  }

  /** Tests now and then again: other processes may have used up the burst before. */
  #goOn(turns: Turns, ticket: Ticket, now: number, isNews: boolean): void {
    if (this.#test.isPassed) {
      this.#rate = 1 / Math.max(1, turns.spacingMs);
      this.#holdFactor = 0.3;
      this.#passedSince = now;
      this.#passed = 0;
      this.#turns = undefined;
      this.#dry.mayTakeTurns = false;
      this.#dry.maxTurnsMs = undefined;
      this.#waitUntil(now);
    } else if (!this.#test.isExtra(ticket)) {
      const isLast = ticket.sequence === this.#sequence - 1;
      const nextAt = turns.accepted(ticket, now, this.#nextAt, isNews, isLast);
      if (nextAt !== undefined) this.#resumeAt(nextAt);
      if (!isNews || !turns.isTestDue) return;
      this.#test.start(this.#sequence);
      // One interval from the last request, and two and a half more make three of a burst.
      this.#nextAt += 2.5 * turns.spacingMs;
    }
  }

  #learn(ticket: Ticket, now: number): void {
    if (this.#rate === Infinity) {
      const roundTripMs = Math.min(maxFirstRoundTripMs, Math.max(1, now - ticket.sentAt));
      this.#rate = 2 / roundTripMs;
      this.#holdFactor = 0.07;
      this.#test.begin(now);
      // What was in flight has to come back before it can be told apart.
      this.#waitUntil(now + roundTripMs);
      return;
    }
    const proven = (this.#passed + 1) / Math.max(1, ticket.sentAt - this.#passedSince);
    // Proven may be too low (windows left half empty), tried is too high: twice as near to what is
    // proven. Where hardly anything passes, as without a burst, it is too high by far.
    const blend = proven ** (2 / 3) * ticket.rate ** (1 / 3);
    this.#rate = Math.min(ticket.rate, this.#test.hasDoubt ? proven : blend);
    this.#holdFactor = Math.max(0.07, Math.min(1, this.#passed / 20));
    // Four slots of rest, so that no jitter meets an empty bucket again.
    this.#waitUntil(now + 4 / this.#rate);
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
    this.#steadySince = this.#nextAt;
  }

  get #bound(): number {
    return Math.min(this.#maxRate, this.#told.rate);
  }

  /**
   * Holds the learned rate for a while, then exceeds it ever faster until the next edge (as CUBIC,
   * RFC 9438).
   */
  #rateAt(now: number): number {
    const bound = this.#bound;
    if (this.#rate === Infinity) return bound;
    if (this.#turns) return Math.min(bound, 1 / this.#turns.spacingMs);
    const holdMs = this.#holdFactor * (2_100 + 9 / this.#rate);
    const beyond = Math.max(0, (now - this.#steadySince) / holdMs - 1);
    return Math.min(bound, this.#rate * (1 + 0.03 * beyond ** 4));
  }
}
