/*
 * Defines the failures of requests: one class for each that a caller handles differently.
 */

import { CarbonError, type ErrorDetails } from '../../runtime/carbon-error.ts';
import { backoffMs } from '../../runtime/clock.ts';
import type { PacingOutcome } from '../pace/pacer.ts';

/** Reports that the service rejected the data (400, 422). */
export class RejectedError extends CarbonError {
  override readonly name = 'RejectedError';
  constructor(message: string, details?: ErrorDetails) {
    super('rejected', message, details);
  }
}

/**
 * Reports that the service rejected the key (401, 403) or requires payment (402).
 *
 * A 403 may concern a single organization instead of the account.
 */
export class UnauthorizedError extends CarbonError {
  override readonly name = 'UnauthorizedError';
  constructor(
    message: string,
    details?: ErrorDetails,
    code: 'unauthorized' | 'payment_required' = 'unauthorized',
  ) {
    super(code, message, details);
  }
}

/**
 * Checks whether an error concerns the account, so that no other request can succeed.
 *
 * True for a 401, a 402, and a 403 before the service accepted any request. A later 403 concerns
 * one organization.
 * @param hasAccepted whether the service has accepted a request
 */
export function concernsAccount(error: unknown, hasAccepted: boolean): error is UnauthorizedError {
  return error instanceof UnauthorizedError && !(error.status === 403 && hasAccepted);
}

/** Reports that the service found no such organization (404 in the form of the specification). */
export class NotFoundError extends CarbonError {
  override readonly name = 'NotFoundError';
  constructor(message: string, details?: ErrorDetails) {
    super('not_found', message, details);
  }
}

/** Lists the codes of failures of the service or of the connection to it. */
export type UnavailableCode =
  | 'rate_limited'
  | 'service_failed'
  | 'unreadable_response'
  | 'network'
  | 'timeout'
  | 'proxy';

/** Reports a failure of the service or the connection: 429, 5xx, network, timeout, bad response. */
export class UnavailableError extends CarbonError {
  override readonly name = 'UnavailableError';
  declare readonly code: UnavailableCode;
  constructor(code: UnavailableCode, message: string, details?: ErrorDetails) {
    super(code, message, details);
  }
}

/** Reports that research was still in progress at the time limit of `wait`. */
export class PendingError extends CarbonError {
  override readonly name = 'PendingError';
  /** Last status of the record; undefined if it had none. */
  declare readonly researchStatus: string | undefined;
  constructor(
    message: string,
    details: ErrorDetails & { readonly researchStatus: string | undefined },
  ) {
    super('pending', message, details);
  }
}

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

/**
 * Checks whether a failure comes from the service or the way to it, whatever was sent: a refused
 * connection, DNS, TLS, a proxy, or a 503 with Retry-After.
 *
 * Any other one may be the fault of the request: a 5xx, a web page, a timeout, a lost connection.
 */
export function isOutage({ code, reason, status, retryAfterMs }: CarbonError): boolean {
  if (code === 'network') return reason !== 'connection_lost';
  return code === 'proxy' || (status === 503 && retryAfterMs !== undefined);
}

/** Checks whether a response is in the form of the specification, so that the service works. */
export function isAnswer(error: CarbonError): boolean {
  const { status, title, detail } = error;
  return isJudgment(error) || (status === 500 && title !== undefined && detail !== undefined);
}

/** Returns the outcome of a failed request for the pacer; `isAnswering` as for `failureKind`. */
export function pacingOutcome(error: unknown, isAnswering: boolean): PacingOutcome {
  if (!(error instanceof CarbonError)) return { kind: 'failed' };
  // The service judged the data or the key, so the request passed the rate limit.
  if (!(error instanceof UnavailableError))
    return { kind: isJudgment(error) ? 'accepted' : 'failed' };
  const { retryAfterMs, rateLimit } = error;
  const kind = failureKind(error, isAnswering) === 'service failed' ? 'failed' : 'refused';
  return { kind, retryAfterMs, limit: rateLimit };
}

/** Checks whether the service judged the data or the key, so that it has accepted the request. */
export function isJudgment({ code }: CarbonError): boolean {
  return ['rejected', 'not_found', 'unauthorized', 'payment_required'].includes(code);
}

/**
 * Returns the wait before the next attempt in milliseconds: Retry-After, or else a random part of a
 * limit that doubles from 1 to 8 s ("full jitter"). Registration may be repeated, because it is
 * idempotent (section 4.1).
 * @param attempts number of failed attempts, at least 1
 * @param random number in [0, 1)
 */
export function retryWaitMs(
  attempts: number,
  { retryAfterMs }: CarbonError,
  random: number,
): number {
  return retryAfterMs ?? random * backoffMs(attempts, 1_000, 8_000);
}
