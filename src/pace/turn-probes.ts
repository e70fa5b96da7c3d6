import type { Ticket } from './request-pacer.ts';

/** Intervals between two probes for a turn; with 7 waiting processes, 1 in 16 requests fails. */
const intervalsBetweenProbes = 110;
const maxProbeMs = 24_000;
/** Maximum wait of a process that does not know the interval, which may be short. */
const maxFirstProbeMs = 5_000;
/** Refusals in a row after which an accepted request proves that another process had a turn. */
const minRefusalsOfWait = 5;
/**
 * While another process has its turn, one in 20 to 40 probes passes. So two probes a second for
 * two minutes show whether a quota is used up or another process has its turn.
 */
export const urgentMs = 120_000;
export const urgentProbeMs = 500;
/** Maximum refusal streak: 5 minutes, or 15 if this process has already waited for a turn. */
const maxStreakMs = 300_000;
const maxStreakInTurnsMs = 900_000;

/** Decides how often a process probes while another one has its turn, and for how long. */
export class TurnProbes {
  #hasWaited = false;

  /** Duration of a refusal streak that counts as a used-up quota. */
  get maxStreakMs(): number {
    return this.#hasWaited ? maxStreakInTurnsMs : maxStreakMs;
  }

  /** Records an accepted request after `refusals` in a row. */
  accepted(refusals: number): void {
    if (refusals >= minRefusalsOfWait) this.#hasWaited = true;
  }

  /** Checks whether the refusals will soon count as a used-up quota. */
  isUrgent(refusals: number, streakMs: number): boolean {
    return refusals > minRefusalsOfWait && streakMs >= this.maxStreakMs - urgentMs;
  }

  /** Returns the maximum wait before a probe; `intervalMs` is Infinity until it is measured. */
  maxWaitMs(intervalMs: number, isUrgent: boolean): number {
    if (isUrgent) return urgentProbeMs;
    if (intervalMs === Infinity) return maxFirstProbeMs;
    return Math.min(intervalsBetweenProbes * intervalMs, maxProbeMs);
  }

  /** Returns the wait before the next probe, which differs between processes and probes. */
  waitMs(intervalMs: number, isUrgent: boolean, ticket: Ticket, now: number): number {
    const spread = ((ticket.sequence * 2_654_435_761 + Math.floor(now * 1000)) % 1000) / 1000;
    return this.maxWaitMs(intervalMs, isUrgent) * (0.75 + spread / 2);
  }
}
