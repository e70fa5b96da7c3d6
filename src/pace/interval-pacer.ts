import { HalfIntervalTest } from './half-interval-test.ts';
import type { Ticket } from './request-pacer.ts';
import { TurnProbes } from './turn-probes.ts';

/*
 * A limit without a burst (nginx's `limit_req` without `burst=`) accepts a request only if a full
 * interval has passed since the last accepted one. It refuses a request that is a millisecond
 * early, and unused intervals are lost. Two processes that both send evenly cause refusals for each
 * other and lose most intervals. So processes take turns: one sends at the interval until a request
 * of another process comes between by chance. Then it waits and probes occasionally. A turn takes
 * about two hundred intervals.
 */

/** Factor of the interval after a refusal: covers network jitter and leaves gaps for others. */
const retreat = 1.06;
/** Factors while the interval is not well known, and after half the interval was tried. */
const wideRetreat = 1.2;
const firstRetreat = 1.4;
/** Accepted requests until the rate has grown by 5 %: initially, for a known interval, maximum. */
const firstGrowth = 3;
const knownGrowth = 9;
const maxGrowth = 40;
/** Maximum gap that can be the interval; in a longer one, other processes sent requests. */
const maxGapMs = 800;
/** Maximum first gap; after a longer one, another process has often resumed its turn. */
const maxFirstGapMs = 10;
/** The first burst test comes early, in case other processes had used up a burst. */
const firstTest = 3;
const testGrowth = 4;

/** Paces one process at a limit without a burst. Times are milliseconds of the pacer's clock. */
export class IntervalPacer {
  /** Time between two requests; Infinity until it is measured. */
  #interval = Infinity;
  /** Minimum time between two accepted requests, an upper limit of the interval. */
  #shortest = Infinity;
  /** Accepted requests until the rate has grown by 5 %; 0 halves the interval with each request. */
  #growth = 0;
  #minGrowth = firstGrowth;
  /** Accepted requests in the current measurement; 0 if there is none. */
  #measuring = 0;
  readonly #firstGapMs: number;

  #acceptedAt: number | undefined;
  /** Shortest recent round trip, in milliseconds. */
  #minRoundTripMs = Infinity;
  #edgeAt = 0;
  /** Refusals since the last accepted request. */
  #refusals = 0;
  /** Accepted requests since the last refusal, in this turn, and in total. */
  #acceptedInRow = 0;
  #acceptedInTurn = 0;
  #accepted = 0;
  #testAt = firstTest;
  /** Requests in a row that were accepted only after two refusals. */
  #detours = 0;
  /** Turns in a row that ended immediately. */
  #lostTurns = 0;
  readonly #halfTest = new HalfIntervalTest();
  readonly #probes = new TurnProbes();

  /** @param guessMs estimated minimum of the interval */
  constructor(guessMs: number) {
    this.#firstGapMs = Math.min(guessMs, maxFirstGapMs);
  }

  /** Whether the next request must wait for the response to the last one. */
  get isProbing(): boolean {
    return this.#interval === Infinity || this.#refusals > 0 || this.#measuring > 0;
  }

  /** Whether to test for a burst again: after 3, 12, 48, ... accepted requests. */
  get isTestDue(): boolean {
    return this.#accepted === this.#testAt;
  }

  /** Time between two requests; shrinks slowly, then faster, while nothing is refused. */
  get spacingMs(): number {
    if (this.#interval === Infinity) return 0;
    if (this.#growth === 0) return this.#interval;
    // Doubles five times within `growth` requests, so that a lone process soon uses the full rate.
    return (
      this.#interval /
      (1 + (retreat - 1) * 2 ** ((5 * (this.#acceptedInRow - this.#growth)) / this.#growth))
    );
  }

  /** Duration of a refusal streak that counts as a used-up quota. */
  get maxStreakMs(): number {
    return this.#probes.maxStreakMs;
  }

  get #isKnown(): boolean {
    return this.#minGrowth === knownGrowth;
  }

  /** Refusals cannot prove a longer interval than an accepted gap, except for jitter. */
  get #maxInterval(): number {
    return (this.#isKnown ? 1.3 : 1) * this.#shortest;
  }

  /** Records an accepted request; returns the time of the next one, undefined to keep the pace. */
  accepted(
    ticket: Ticket,
    now: number,
    nextAt: number,
    isNews: boolean,
    isLast: boolean,
  ): number | undefined {
    const roundTripMs = now - ticket.sentAt;
    this.#minRoundTripMs = Math.min(roundTripMs, 1.05 * this.#minRoundTripMs);
    const gapMs = this.#acceptedAt === undefined ? 0 : ticket.sentAt - this.#acceptedAt;
    if (gapMs > 0 && this.#interval < Infinity) {
      // Network delays of the first request may have shortened the gap at the service.
      this.#shortest = Math.min(this.#shortest, gapMs + (now - ticket.sentAt) / 10);
    }
    this.#acceptedAt = Math.max(this.#acceptedAt ?? 0, ticket.sentAt);
    if (!isNews) return undefined;
    if (this.isTestDue) this.#testAt *= testGrowth;
    this.#accepted += 1;
    this.#acceptedInRow += 1;
    this.#acceptedInTurn += 1;
    const refusals = this.#refusals;
    this.#refusals = 0;
    if (this.#interval < Infinity) this.#probes.accepted(refusals);
    if (this.#acceptedInRow >= 5) this.#detours = 0;
    if (this.#acceptedInTurn >= 3) this.#lostTurns = 0;
    // A refusal followed by an accepted request was too early; no other process was involved.
    if (refusals === 1) this.#growth = Math.min(maxGrowth, 1.5 * this.#growth);
    if (this.#growth > knownGrowth) this.#minGrowth = knownGrowth;
    if (this.#measuring > 0 && gapMs > 0 && gapMs < maxGapMs * 2 ** (this.#measuring - 1)) {
      return this.#measured(ticket, now, gapMs);
    }
    const isNewTurn = refusals >= 3 || this.#interval === Infinity;
    if (this.#measuring > 0 || (isNewTurn && !this.#isKnown)) {
      this.#measuring += 1;
      this.#acceptedInTurn = 1;
      return Math.max(now, ticket.sentAt + Math.min(this.#firstGapMs, this.#interval / 4));
    }
    this.#interval = Math.min(this.#interval, this.#maxInterval);
    if (refusals === 2 && this.#isKnown) {
      this.#detours += 1;
      if (this.#detours >= 3) this.#restart();
    }
    if (refusals > 0) return Math.max(now, ticket.sentAt + this.#interval);
    if (this.#growth === 0) this.#interval /= 2;
    if (!isLast) return undefined;
    // The service counts from when a request arrives. A slow round trip indicates a late arrival.
    const lateMs = roundTripMs - this.#minRoundTripMs;
    const countedAt = ticket.sentAt + lateMs;
    if (this.#halfTest.accepted()) this.#interval = Math.min(this.#interval, gapMs);
    const halfAt = countedAt + this.spacingMs / 2;
    if (this.#halfTest.isDue && this.#growth > 0 && now <= halfAt) {
      this.#halfTest.start();
      return halfAt;
    }
    return Math.max(nextAt, countedAt + this.spacingMs);
  }

  /**
   * Records a refused request; returns the time of the next one.
   * @param isLast whether no request was sent after it
   */
  refused(ticket: Ticket, now: number, nextAt: number, isLast: boolean): number {
    if (this.#halfTest.isInProgress) {
      this.#halfTest.refused();
      return Math.max(now, (this.#acceptedAt ?? now) + this.spacingMs);
    }
    this.#refusals += 1;
    this.#acceptedInRow = 0;
    const streakMs = ticket.sentAt - (this.#acceptedAt ?? this.#edgeAt);
    const isUrgent = this.#probes.isUrgent(this.#refusals, streakMs);
    // After such a wait, the measured gaps may be those of other processes.
    if (isUrgent) this.#minGrowth = firstGrowth;
    if (this.#interval === Infinity || this.#measuring > 0) {
      if (this.#refusals === 1) this.#edgeAt = ticket.sentAt;
      // Doubles the distance to the last accepted request.
      const gapMs = ticket.sentAt - (this.#acceptedAt ?? this.#edgeAt);
      const maxWaitMs = this.#probes.maxWaitMs(this.#interval, isUrgent);
      return now + Math.min(maxWaitMs, Math.max(now - ticket.sentAt, gapMs, this.#firstGapMs));
    }
    if (this.#refusals === 1) return this.#retreat(ticket, now, nextAt, isLast);
    // Another process came between, or the limit has decreased: then a longer interval works.
    if (this.#refusals === 2) return now + 1.5 * this.#interval;
    if (this.#refusals === 3) this.#endTurn();
    return now + this.#probes.waitMs(this.#interval, isUrgent, ticket, now);
  }

  #measured(ticket: Ticket, now: number, gapMs: number): number {
    this.#measuring = 0;
    // Other processes lengthen a gap more often than the limit falls, so it at most doubles.
    const measuredMs = Math.min(gapMs, 2 * this.#shortest);
    this.#shortest = measuredMs;
    this.#interval = measuredMs;
    this.#halfTest.restart(measuredMs);
    this.#growth = 0;
    this.#acceptedInTurn = 2;
    return Math.max(now, ticket.sentAt + measuredMs / 2);
  }

  /** Delays the next request and increases the interval. */
  #retreat(ticket: Ticket, now: number, nextAt: number, isLast: boolean): number {
    const factor =
      this.#growth === 0 ? firstRetreat : this.#growth < knownGrowth ? wideRetreat : retreat;
    if (this.#growth === 0) this.#growth = firstGrowth;
    const triedMs = 1 / ticket.rate;
    this.#interval = Math.min(triedMs * factor, this.#maxInterval);
    const laterMs = triedMs * (factor - 1);
    return Math.max(now, isLast ? Math.min(ticket.sentAt, nextAt) + laterMs : nextAt + laterMs);
  }

  #endTurn(): void {
    if (this.#acceptedInTurn <= 2) {
      this.#lostTurns += 1;
      if (this.#lostTurns >= 4) this.#restart();
    }
    if (this.#acceptedInTurn < this.#growth) this.#growth = this.#minGrowth;
    this.#acceptedInTurn = 0;
  }

  /** Measures the interval again, in case the limit has decreased. */
  #restart(): void {
    this.#detours = 0;
    this.#lostTurns = 0;
    this.#minGrowth = firstGrowth;
    this.#measuring = 1;
  }
}
