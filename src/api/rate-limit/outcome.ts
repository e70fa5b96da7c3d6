import type { PacingOutcome } from './pacing-outcome.ts';

/** What the pacer must be told of one response. */
export type Outcome = PacingOutcome;

/** One request that was sent. */
export interface Ticket {
  readonly sequence: number;
  readonly sentAt: number;
  /** Requests per millisecond that the pacer permitted when it was sent. */
  readonly rate: number;
}
