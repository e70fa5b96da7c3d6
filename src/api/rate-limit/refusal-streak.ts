import { urgentMs, urgentProbeMs } from './send-slots.ts';

/** A time in which every request is refused, in milliseconds of the pacer's clock. */
export interface RefusalStreak {
  readonly since: number;
  readonly until: number;
}

/** A refusal that asks for a longer wait counts as a used-up quota. */
export const maxWaitMs = 3_600_000;
const maxProbeMs = 15_000;
/** Five windows of a minute, which other processes may have drained. */
const maxDryMs = 300_000;
/** Two windows of a minute: for a run that has had nothing yet and was told no wait. */
const maxFirstStreakMs = 130_000;
/**
 * Such a run probes more often, to meet the beginning of a window before other processes have
 * drained it.
 */
const firstProbeMs = 2_000;
/** The same where another process may have taken a turn: it lets few requests pass. */
const turnProbeMs = 3_000;

/** Tells a used-up quota from a rate limit, by how long nothing but refusals has come. */
export class DroughtWatch {
  #edgeAt: number | undefined;
  #refusals = 0;
  #isExhausted = false;
  /**
   * Whether something was accepted, or a refusal told a wait: then refusals are most likely a rate
   * limit.
   */
  #hasLimit = false;
  #lastMs = 0;
  #hasAccepted = false;
  /** Whether processes take turns at this limit, or may have to. */
  mayTakeTurns = false;
  /** The end of a drought where processes take turns; undefined where they do not. */
  maxTurnsMs: number | undefined;

  get isExhausted(): boolean {
    return this.#isExhausted;
  }

  get isOn(): boolean {
    return this.#refusals > 0;
  }

  /** How long the last drought took that ended. */
  get lastMs(): number {
    return this.#lastMs;
  }

  get refusalStreak(): RefusalStreak | undefined {
    if (this.#refusals === 0 || this.#edgeAt === undefined) return undefined;
    return { since: this.#edgeAt, until: this.#edgeAt + this.#maxStreakMs };
  }

  get #maxStreakMs(): number {
    return this.maxTurnsMs ?? (this.#hasLimit ? maxDryMs : maxFirstStreakMs);
  }

  get #mostProbeMs(): number {
    if (!this.#hasLimit) return firstProbeMs;
    return this.mayTakeTurns ? turnProbeMs : maxProbeMs;
  }

  accepted(sentAt: number): void {
    if (this.#refusals > 0 && this.#edgeAt !== undefined)
      this.#lastMs = Math.max(0, sentAt - this.#edgeAt);
    this.#refusals = 0;
    this.#isExhausted = false;
    this.#hasLimit = true;
    this.#hasAccepted = true;
  }

  /** The service asked for a wait. */
  toldWait(): void {
    this.#hasLimit = true;
  }

  /** A refusal asks for a wait of so long. */
  refused(waitMs: number): void {
    if (waitMs > maxWaitMs) this.#isExhausted = true;
  }

  /** A request was refused after others had been accepted. */
  edge(sentAt: number): void {
    this.#edgeAt = sentAt;
  }

  /** Nothing was accepted since the last edge; returns how long to wait before the next probe. */
  endured(sentAt: number): number {
    const dryMs = sentAt - (this.#edgeAt ?? sentAt);
    this.#refusals += 1;
    if (this.#refusals >= 5 && dryMs >= this.#maxStreakMs) this.#isExhausted = true;
    const isUrgent =
      this.mayTakeTurns && this.#hasAccepted && dryMs >= this.#maxStreakMs - urgentMs;
    return Math.min(dryMs, isUrgent ? urgentProbeMs : this.#mostProbeMs);
  }
}
