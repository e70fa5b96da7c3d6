import type { RateLimit } from '../runtime/carbon-error.ts';

/** Represents a request that was sent. */
export interface Ticket {
  readonly sequence: number;
  readonly sentAt: number;
  /** Requests per millisecond that the pacer permitted at that time. */
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
  readonly retryAfterMs?: number;
  /** Rate limit in the headers of the response. */
  readonly limit?: RateLimit | undefined;
}

/** Decides when to send requests; `Pacer` implements it. Times are in milliseconds. */
export interface RequestPacer {
  /** Returns the wait before the next request; Infinity until a response arrives. */
  delay(now: number): number;
  /** Records a sent request. */
  sent(now: number): Ticket;
  /** Records the outcome of a request, once for each ticket. */
  responded(ticket: Ticket, now: number, outcome: PacingOutcome): void;
}
