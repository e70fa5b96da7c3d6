import type { Ticket } from './outcome.ts';

/*
 * A limit without a burst (nginx's `limit_req` without `burst=`) lets a request through only when a
 * whole interval has passed since the last one that it let through. A request that comes a
 * millisecond early is refused, and the allowance of an interval that nobody uses is lost. Two
 * processes that both send evenly refuse each other at random and lose most intervals. So they take
 * turns: one sends, an interval apart, until a request of another comes in between by chance; then
 * it
 * waits, and asks now and then. A turn takes about two hundred intervals.
 */

/**
 * How much slower to send after a refusal: enough for the jitter of a network, and a gap for
 * others.
 */
const retreat = 1.06;
/** The same while the interval is not known well, and when half the interval was tried. */
const wideRetreat = 1.2;
const firstRetreat = 1.4;
/**
 * After how many accepted requests the rate has grown by 5 %: at first, with a known interval, at
 * most.
 */
const firstGrowth = 3;
const knownGrowth = 9;
const maxGrowth = 30;
/**
 * After how many accepted requests half the interval is tried, at first and at most: the requests
 * of others may have made it far too long.
 */
const firstHalving = 30;
const minHalvingMs = 5_000;
const maxHalving = 300;
/**
 * How many intervals to wait before asking for a turn; seven that wait make every sixteenth request a
 * refusal.
 */
const intervalsBetweenProbes = 110;
const maxProbeMs = 24_000;
/**
 * Two accepted requests further apart are no measure of the interval: those of others were in
 * between.
 */
const maxGapMs = 800;
/** A process that starts on a busy machine knows no round trip to begin with. */
const maxFirstGapMs = 50;
/** After so many refusals in a row, an accepted request proves that another process had a turn. */
const minRefusalsOfWait = 5;
/**
 * One in twenty to forty requests passes between those of a process that sends evenly. So two
 * minutes of them, two a second, tell a used-up quota from the turn of another shard.
 */
export const urgentMs = 120_000;
export const urgentProbeMs = 500;
/**
 * Five minutes, as at other limits, but fifteen where this process has waited for its turn before.
 */
const maxDryMs = 300_000;
const maxDryInTurnsMs = 900_000;
/**
 * The first of them comes early, so that a process which only met a burst that others had used up
 * leaves soon.
 */
const firstTest = 3;
const testGrowth = 4;

/** Paces one process at a limit without a burst. Times are milliseconds of the pacer's clock. */
export class Turns {
  /** Between two requests; Infinity until two were accepted with only refusals in between. */
  #interval = Infinity;
  /** The shortest time between two accepted requests: the interval is not longer. */
  #shortest = Infinity;
  /**
   * After how many accepted requests the rate has grown by 5 %; 0 halves the interval with each.
   */
  #growth = 0;
  #leastGrowth = firstGrowth;
  /** Counts the accepted requests after which the interval is measured; 0 when it is not. */
  #measuring = 0;
  readonly #firstGapMs: number;

  #acceptedAt: number | undefined;
  /** The shortest recent round trip of a request. */
  #minRoundTripMs = Infinity;
  #edgeAt = 0;
  /** Refused since the last accepted request. */
  #refusals = 0;
  /** Accepted since the last refused request, in this turn, and in all. */
  #calm = 0;
  #turn = 0;
  #accepts = 0;
  #testAt = firstTest;
  /**
   * Requests that were accepted only after two refusals, and turns that ended at once, in a row.
   */
  #detours = 0;
  #lostTurns = 0;
  #hasWaited = false;
  /** Whether the last request tried half the interval, and accepted requests until the next does. */
  #isHalving = false;
  #untilHalving = firstHalving;
  #halving = firstHalving;

  /** @param guessMs what the interval may be at the least */
  constructor(guessMs: number) {
    this.#firstGapMs = Math.min(guessMs, maxFirstGapMs);
  }

  /** Whether the next request has to wait for the answer to the last one. */
  get isProbing(): boolean {
    return this.#interval === Infinity || this.#refusals > 0 || this.#measuring > 0;
  }

  /** Whether to test again that there is no burst: after 3, 12, 48 accepted requests and so on. */
  get isTestDue(): boolean {
    return this.#accepts === this.#testAt;
  }

  /**
   * How long after a request the next one follows: shorter the longer nothing is refused, slowly at
   * first.
   */
  get spacingMs(): number {
    if (this.#interval === Infinity) return 0;
    if (this.#growth === 0) return this.#interval;
    // Doubles five times within `growth` requests: a process that is left alone has the whole rate
    // soon.
    return (
      this.#interval / (1 + (retreat - 1) * 2 ** ((5 * (this.#calm - this.#growth)) / this.#growth))
    );
  }

  /** For how long nothing but refusals may come before they count as a used-up quota. */
  get maxDryMs(): number {
    return this.#hasWaited ? maxDryInTurnsMs : maxDryMs;
  }

  get #isKnown(): boolean {
    return this.#leastGrowth === knownGrowth;
  }

  /**
   * No refusal by another process makes the interval longer than what was accepted, but jitter may.
   */
  get #longest(): number {
    return (this.#isKnown ? 1.3 : 1) * this.#shortest;
  }

  /**
   * Learns from an accepted request; returns when the next one may follow, or undefined to keep the
   * pace.
   */
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
      // On the way, the second may have lost some of what the first had lost.
      this.#shortest = Math.min(this.#shortest, gapMs + (now - ticket.sentAt) / 10);
    }
    this.#acceptedAt = Math.max(this.#acceptedAt ?? 0, ticket.sentAt);
    if (!isNews) return undefined;
    if (this.isTestDue) this.#testAt *= testGrowth;
    this.#accepts += 1;
    this.#calm += 1;
    this.#turn += 1;
    const refusals = this.#refusals;
    this.#refusals = 0;
    if (refusals >= minRefusalsOfWait && this.#interval < Infinity) this.#hasWaited = true;
    if (this.#calm >= 5) this.#detours = 0;
    if (this.#turn >= 3) this.#lostTurns = 0;
    // Refused a little too early, accepted a little later: that was the interval, not somebody
    // else.
    if (refusals === 1) this.#growth = Math.min(maxGrowth, 1.5 * this.#growth);
    if (this.#growth > knownGrowth) this.#leastGrowth = knownGrowth;
    if (this.#measuring > 0 && gapMs > 0 && gapMs < maxGapMs * 2 ** (this.#measuring - 1)) {
      return this.#measured(ticket, now, gapMs);
    }
    const isNewTurn = refusals >= 3 || this.#interval === Infinity;
    if (this.#measuring > 0 || (isNewTurn && !this.#isKnown)) {
      this.#measuring += 1;
      this.#turn = 1;
      return Math.max(now, ticket.sentAt + Math.min(this.#firstGapMs, this.#interval / 4));
    }
    this.#interval = Math.min(this.#interval, this.#longest);
    if (refusals === 2 && this.#isKnown) {
      this.#detours += 1;
      if (this.#detours >= 3) this.#forget();
    }
    if (refusals > 0) return Math.max(now, ticket.sentAt + this.#interval);
    if (this.#growth === 0) this.#interval /= 2;
    if (!isLast) return undefined;
    // A request that came late was counted late: the next one is a whole interval behind it.
    const lateMs = roundTripMs - this.#minRoundTripMs;
    const countedAt = ticket.sentAt + lateMs;
    if (this.#isHalving) {
      this.#isHalving = false;
      this.#interval = Math.min(this.#interval, gapMs);
      this.#untilHalving = 1;
    } else this.#untilHalving -= 1;
    this.#isHalving = this.#untilHalving <= 0 && this.#growth > 0;
    if (this.#isHalving) return Math.max(now, countedAt + this.spacingMs / 2);
    return Math.max(nextAt, countedAt + this.spacingMs);
  }

  /**
   * Learns from a refused request, after which none was sent where `isLast`; returns when the next
   * one may follow.
   */
  refused(ticket: Ticket, now: number, nextAt: number, isLast: boolean): number {
    if (this.#isHalving) {
      this.#isHalving = false;
      this.#halving = Math.min(maxHalving, 8 * this.#halving);
      this.#untilHalving = this.#halving;
      return Math.max(now, (this.#acceptedAt ?? now) + this.spacingMs);
    }
    this.#refusals += 1;
    this.#calm = 0;
    const isUrgent = this.#isUrgent(ticket);
    const maxWaitMs = isUrgent ? urgentProbeMs : maxProbeMs;
    // Whoever waits that long may have measured the gaps between the requests of others.
    if (isUrgent) this.#leastGrowth = firstGrowth;
    if (this.#interval === Infinity || this.#measuring > 0) {
      if (this.#refusals === 1) this.#edgeAt = ticket.sentAt;
      // Twice as long after the last accepted request as this one.
      const gapMs = ticket.sentAt - (this.#acceptedAt ?? this.#edgeAt);
      return now + Math.min(maxWaitMs, Math.max(now - ticket.sentAt, gapMs, this.#firstGapMs));
    }
    if (this.#refusals === 1) return this.#retreat(ticket, now, nextAt, isLast);
    // Another process has come in between, unless the limit has fallen: then a longer interval
    // passes.
    if (this.#refusals === 2) return now + 1.5 * this.#interval;
    if (this.#refusals === 3) this.#endTurn();
    // Some numbers differ in each process; so those that wait do not ask all at once.
    const spread = ((ticket.sequence * 2_654_435_761 + Math.floor(now * 1000)) % 1000) / 1000;
    const waitMs = Math.min(intervalsBetweenProbes * this.#interval, maxWaitMs);
    return now + waitMs * (0.75 + spread / 2);
  }

  #measured(ticket: Ticket, now: number, gapMs: number): number {
    this.#measuring = 0;
    // Requests of others make the gap longer more often than the limit falls; so it at most doubles.
    const measuredMs = Math.min(gapMs, 2 * this.#shortest);
    this.#shortest = measuredMs;
    this.#interval = measuredMs;
    this.#restartHalving();
    this.#growth = 0;
    this.#turn = 2;
    return Math.max(now, ticket.sentAt + measuredMs / 2);
  }

  #restartHalving(): void {
    this.#halving = Math.max(2, Math.min(firstHalving, minHalvingMs / this.#interval));
    this.#untilHalving = this.#halving;
  }

  /** Sends a little later, and from then on a little slower. */
  #retreat(ticket: Ticket, now: number, nextAt: number, isLast: boolean): number {
    const factor =
      this.#growth === 0 ? firstRetreat : this.#growth < knownGrowth ? wideRetreat : retreat;
    if (this.#growth === 0) this.#growth = firstGrowth;
    const triedMs = 1 / ticket.rate;
    this.#interval = Math.min(triedMs * factor, this.#longest);
    const laterMs = triedMs * (factor - 1);
    return Math.max(now, isLast ? Math.min(ticket.sentAt, nextAt) + laterMs : nextAt + laterMs);
  }

  /** Whether the time is nearly over after which refusals count as a used-up quota. */
  #isUrgent(ticket: Ticket): boolean {
    const dryMs = ticket.sentAt - (this.#acceptedAt ?? this.#edgeAt);
    return this.#refusals > minRefusalsOfWait && dryMs >= this.maxDryMs - urgentMs;
  }

  #endTurn(): void {
    if (this.#turn <= 2) {
      this.#lostTurns += 1;
      if (this.#lostTurns >= 4) this.#forget();
    }
    if (this.#turn < this.#growth) this.#growth = this.#leastGrowth;
    this.#turn = 0;
  }

  /** Measures the interval again: perhaps the limit has fallen. */
  #forget(): void {
    this.#detours = 0;
    this.#lostTurns = 0;
    this.#leastGrowth = firstGrowth;
    this.#measuring = 1;
  }
}
