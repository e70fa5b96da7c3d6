import { urgentMs, urgentProbeMs } from './turn-probes.ts';

/** Describes a period in which the service refuses every request, in milliseconds of the clock. */
export interface RefusalStreak {
  readonly since: number;
  /** When the refusals count as a used-up quota, at the earliest. */
  readonly until: number;
}

/** Maximum wait of a rate limit; a refusal that requests a longer one means a used-up quota. */
export const maxWaitMs = 3_600_000;
const maxProbeMs = 15_000;
/** Five windows of one minute, which other processes may have used up. */
const maxLimitStreakMs = 300_000;
/** Two windows of one minute, for a run without an accepted request or a Retry-After so far. */
const maxFirstStreakMs = 130_000;
/**
 * Maximum time between the probes of such a run, which must meet the start of a window before other
 * processes use it up.
 */
const maxFirstProbeMs = 2_000;
/** Maximum time between probes while another process may have its turn. */
const maxTurnProbeMs = 3_000;

/** Distinguishes a used-up quota from a rate limit, by the duration of a refusal streak. */
export class RefusalStreakTracker {
  #edgeAt: number | undefined;
  #refusals = 0;
  #isExhausted = false;
  /** Whether a request was accepted or a refusal had a Retry-After, which suggests a rate limit. */
  #hasLimit = false;
  #lastMs = 0;
  #hasAccepted = false;
  /** Whether processes may take turns at this limit. */
  mayTakeTurns = false;
  /** Maximum streak while processes take turns; undefined if they do not. */
  maxTurnsMs: number | undefined;

  /** Whether the refusals mean a used-up quota. */
  get isExhausted(): boolean {
    return this.#isExhausted;
  }

  /** Whether a streak is in progress. */
  get isActive(): boolean {
    return this.#refusals > 0;
  }

  /** Duration of the last streak that ended. */
  get lastMs(): number {
    return this.#lastMs;
  }

  /** The current streak; undefined while requests are accepted. */
  get current(): RefusalStreak | undefined {
    if (this.#refusals === 0 || this.#edgeAt === undefined) return undefined;
    return { since: this.#edgeAt, until: this.#edgeAt + this.#maxStreakMs };
  }

  get #maxStreakMs(): number {
    return this.maxTurnsMs ?? (this.#hasLimit ? maxLimitStreakMs : maxFirstStreakMs);
  }

  get #maxProbeMs(): number {
    if (!this.#hasLimit) return maxFirstProbeMs;
    return this.mayTakeTurns ? maxTurnProbeMs : maxProbeMs;
  }

  /** Ends the streak. */
  accepted(sentAt: number): void {
    if (this.#refusals > 0 && this.#edgeAt !== undefined)
      this.#lastMs = Math.max(0, sentAt - this.#edgeAt);
    this.#refusals = 0;
    this.#isExhausted = false;
    this.#hasLimit = true;
    this.#hasAccepted = true;
  }

  /** Records that the service requested a wait. */
  waitRequested(): void {
    this.#hasLimit = true;
  }

  /** Records a refusal with the requested wait. */
  refused(waitMs: number): void {
    if (waitMs > maxWaitMs) this.#isExhausted = true;
  }

  /** Records a refusal after accepted requests, where a streak may start. */
  start(sentAt: number): void {
    this.#edgeAt = sentAt;
  }

  /** Extends the streak and returns the wait before the next probe. */
  extend(sentAt: number): number {
    const streakMs = sentAt - (this.#edgeAt ?? sentAt);
    this.#refusals += 1;
    if (this.#refusals >= 5 && streakMs >= this.#maxStreakMs) this.#isExhausted = true;
    const isUrgent =
      this.mayTakeTurns && this.#hasAccepted && streakMs >= this.#maxStreakMs - urgentMs;
    return Math.min(streakMs, isUrgent ? urgentProbeMs : this.#maxProbeMs);
  }
}
