/*
 * What a failed request says about the rate limit: the one classification behind `get`, `watch` and
 * `batch`.
 */

import { CarbonError, type CarbonErrorCode, type RateLimit } from '../../runtime/carbon-error.ts';
import { UnavailableError } from '../errors.ts';

/** What a pacer must be told of one request. */
export interface PacingOutcome {
  /**
   * `refused`: by the rate limit (`failureKind`). `accepted`: any other response of the service, an
   * error too, since the rate limit let it through. `failed`: anything else, which says nothing
   * about the limit.
   */
  readonly kind: 'accepted' | 'refused' | 'failed';
  /** Retry-After of a refusal or failure, in milliseconds from now (RFC 9110 section 10.2.3). */
  readonly retryAfterMs?: number;
  /** The limit as the response's headers state it: between the client and the pacer. */
  readonly limit?: RateLimit | undefined;
}

/** The kinds of failure that are not the data's fault. */
export type FailureKind = 'rate limited' | 'overloaded' | 'service failed';

/**
 * Classifies a failure, for pace and retries alike. `rate limited` is a 429, or a 503 with
 * Retry-After: it ends, so that retries need no bound.
 *
 * Servers such as nginx (`limit_req`) refuse with a 503 without Retry-After by default, which is
 * also what a service that is down answers. While the service answers other requests, it is
 * `overloaded`: a refusal for the pace, but retries are bounded, because one request may be the
 * reason.
 * @param isAnswering whether the service has answered other requests
 */
export function failureKind(error: UnavailableError, isAnswering: boolean): FailureKind {
  if (error.code === 'rate_limited') return 'rate limited';
  if (error.status !== 503) return 'service failed';
  if (error.retryAfterMs !== undefined) return 'rate limited';
  return isAnswering ? 'overloaded' : 'service failed';
}

/** Returns what the pacer learns from a request that failed; `isAnswering` as for `failureKind`. */
export function pacingOutcome(error: unknown, isAnswering: boolean): PacingOutcome {
  if (!(error instanceof CarbonError)) return { kind: 'failed' };
  // The service's word on the data or the key: the rate limit let it through.
  if (!(error instanceof UnavailableError))
    return { kind: isVerdict(error.code) ? 'accepted' : 'failed' };
  const { retryAfterMs, rateLimit } = error;
  return {
    kind: failureKind(error, isAnswering) === 'service failed' ? 'failed' : 'refused',
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(rateLimit === undefined ? {} : { limit: rateLimit }),
  };
}

/* Whether the service has judged the data or the key. */
function isVerdict(code: CarbonErrorCode): boolean {
  return (
    code === 'refused' ||
    code === 'not_found' ||
    code === 'unauthorized' ||
    code === 'payment_required'
  );
}
