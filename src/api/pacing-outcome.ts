/*
 * Classifies the outcome of a request for the pacer, equally for `get`, `watch` and `batch`.
 */

import type { PacingOutcome } from '../pace/pacer.ts';
import { CarbonError, type CarbonErrorCode } from '../runtime/carbon-error.ts';
import { UnavailableError } from './errors.ts';

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
