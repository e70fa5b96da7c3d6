/*
 * Classifies the outcome of a request for the pacer, equally for `get`, `watch` and `batch`.
 */

import { CarbonError, type CarbonErrorCode, type RateLimit } from '../../runtime/carbon-error.ts';
import { UnavailableError } from '../errors.ts';

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
   * - `refused`: the rate limit refused the request (see `failureKind`)
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

/** Kinds of failure that the data did not cause. */
export type FailureKind = 'rate limited' | 'overloaded' | 'service failed';

/**
 * Classifies a failure for the pacer and for retries.
 *
 * - `rate limited`: a 429, or a 503 with Retry-After. It ends, so retries are unlimited.
 * - `overloaded`: a 503 without Retry-After while the service responds to other requests. The pacer
 *   treats it as a refusal, because nginx (`limit_req`) sends it by default. Retries are limited,
 *   because the request itself may be the cause.
 * - `service failed`: anything else
 * @param isAnswering whether the service has responded to other requests
 */
export function failureKind(error: UnavailableError, isAnswering: boolean): FailureKind {
  if (error.code === 'rate_limited') return 'rate limited';
  if (error.status !== 503) return 'service failed';
  if (error.retryAfterMs !== undefined) return 'rate limited';
  return isAnswering ? 'overloaded' : 'service failed';
}

/** Returns the outcome of a failed request for the pacer; `isAnswering` as for `failureKind`. */
export function pacingOutcome(error: unknown, isAnswering: boolean): PacingOutcome {
  if (!(error instanceof CarbonError)) return { kind: 'failed' };
  // The service judged the data or the key, so the request passed the rate limit.
  if (!(error instanceof UnavailableError))
    return { kind: isJudgment(error.code) ? 'accepted' : 'failed' };
  const { retryAfterMs, rateLimit } = error;
  return {
    kind: failureKind(error, isAnswering) === 'service failed' ? 'failed' : 'refused',
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(rateLimit === undefined ? {} : { limit: rateLimit }),
  };
}

/* Checks whether the service judged the data or the key. */
function isJudgment(code: CarbonErrorCode): boolean {
  return (
    code === 'refused' ||
    code === 'not_found' ||
    code === 'unauthorized' ||
    code === 'payment_required'
  );
}
