/*
 * What a failed request says about the rate limit: the one classification behind `get`, `watch` and `batch`.
 */
import { UnavailableError } from './api/errors.ts';
import { CarbonError, type CarbonErrorCode, type RateLimit } from './errors.ts';

/** What a pacer must be told of one request. */
export interface PacingOutcome {
  /**
   * `refused`: by the rate limit (`isRateRefusal`). `accepted`: any other response of the service, an
   * error too, since the rate limit let it through. `failed`: anything else, which says nothing about
   * the limit.
   */
  readonly kind: 'accepted' | 'refused' | 'failed';
  /** Retry-After of a refusal or failure, in milliseconds from now (RFC 9110 section 10.2.3). */
  readonly retryAfterMs?: number;
  /** The limit as the response's headers state it: between the client and the pacer. */
  readonly limit?: RateLimit | undefined;
}

/**
 * Tells whether a failure is a refusal by the rate limit: a 429, or a 503 with Retry-After.
 *
 * Servers such as nginx (`limit_req`) refuse with a 503 without Retry-After by default, which is also
 * what a service that is down answers. While the service answers other requests, it is a refusal.
 * @param isAnswering whether the service has answered other requests
 */
export function isRateRefusal(error: UnavailableError, isAnswering: boolean): boolean {
  if (error.code === 'rate_limited') return true;
  return error.status === 503 && (isAnswering || error.retryAfterMs !== undefined);
}

/** Returns what the pacer learns from a request that failed; `isAnswering` as for `isRateRefusal`. */
export function pacingOutcome(error: unknown, isAnswering: boolean): PacingOutcome {
  if (!(error instanceof CarbonError)) return { kind: 'failed' };
  // The service's word on the data or the key: the rate limit let it through.
  if (!(error instanceof UnavailableError)) return { kind: isVerdict(error.code) ? 'accepted' : 'failed' };
  const { retryAfterMs, rateLimit } = error;
  return {
    kind: isRateRefusal(error, isAnswering) ? 'refused' : 'failed',
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(rateLimit === undefined ? {} : { limit: rateLimit }),
  };
}

/* Whether the service has judged the data or the key. */
function isVerdict(code: CarbonErrorCode): boolean {
  return code === 'refused' || code === 'not_found' || code === 'unauthorized' || code === 'payment_required';
}
