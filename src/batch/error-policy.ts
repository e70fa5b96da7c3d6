import { NotFoundError, RefusedError, UnauthorizedError, UnavailableError } from '../api/errors.ts';
import type { OrganizationId } from '../api/ids.ts';
import { type FailureKind, failureKind } from '../api/pacing-outcome.ts';
import type { Registration } from '../api/schema.ts';
import type { PacingOutcome } from '../pace/pacer.ts';
import { type CarbonError, HintedError, type RateLimit } from '../runtime/carbon-error.ts';
import { backoffMs } from '../runtime/clock.ts';
import { flattenString } from '../runtime/flatten-string.ts';
import { maxFailures } from './circuit-breaker.ts';

/** The members of a response that a run uses for a registered row. */
export interface Accepted {
  readonly id: OrganizationId;
  readonly status: string | undefined;
  /** The record as received, if the run prints records. */
  readonly json?: string | undefined;
  /** The rate limit from the response headers, for the pacer. */
  readonly limit?: RateLimit | undefined;
}

const maxStatusLength = 200;

/** Shortens a status, so that no response fills the disk; in the specification it is one word. */
export function shortenStatus(status: string | undefined): string | undefined {
  if (status === undefined || status.length <= maxStatusLength) return status;
  return flattenString(status.slice(0, maxStatusLength));
}

/**
 * Attempts once to register an organization.
 *
 * @throws CarbonError; UnavailableError also for a response without a usable id
 */
export type Register = (registration: Registration, signal: AbortSignal) => Promise<Accepted>;

/** Decides when the next request may be sent. Times are milliseconds of the monotonic clock. */
export interface Pacing<Ticket> {
  /** Returns how long to wait; Infinity until a request in flight has ended. */
  delay(now: number): number;
  sent(now: number): Ticket;
  responded(ticket: Ticket, now: number, outcome: PacingOutcome): void;
  /** Whether the service has refused every request for so long that a quota must be the cause. */
  readonly exhausted: boolean;
  /**
   * When the refusals of every request began and when they count as a quota; undefined while the
   * service accepts requests.
   */
  readonly refusalStreak: { readonly since: number; readonly until: number } | undefined;
}

/** Classifies the error of one attempt by what the run does next. */
export type ErrorClass = 'row refused' | FailureKind | 'forbidden' | 'stop';

/**
 * Decides whether the row, the service or the run is the cause of an error.
 *
 * Any other error stops the run, such as a 401.
 * @param isAnswering whether the service has responded to other requests, as for `failureKind`
 */
export function classify(error: CarbonError, isAnswering: boolean): ErrorClass {
  if (error instanceof RefusedError || error instanceof NotFoundError) return 'row refused';
  if (error instanceof UnauthorizedError && error.status === 403) return 'forbidden';
  if (!(error instanceof UnavailableError)) return 'stop';
  return failureKind(error, isAnswering);
}

/** Maximum attempts for a row that the service fails on; the next run resumes with it. */
export const maxAttempts = 4;
const firstWaitMs = 500;
const maxWaitMs = 8_000;

/**
 * Returns how long a row waits before the next attempt, in milliseconds.
 *
 * The wait is the complete Retry-After, or else a random part of a bound that doubles.
 * @param attempts how often the row was sent, from 1
 * @param random from 0 inclusive to 1 exclusive
 */
export function waitMs(error: CarbonError, attempts: number, random: number): number {
  const retryAfterMs = error instanceof UnavailableError ? error.retryAfterMs : undefined;
  return retryAfterMs ?? random * backoffMs(attempts, firstWaitMs, maxWaitMs);
}

/**
 * Returns whether only the pacer decides when the row may be sent again: the rate limit refused it
 * without a Retry-After.
 */
export function isPaced(error: CarbonError): boolean {
  return (
    error instanceof UnavailableError &&
    error.code === 'rate_limited' &&
    error.retryAfterMs === undefined
  );
}

const maxRetryAfterMs = 3_600_000;

/**
 * Returns whether Retry-After exceeds one hour, in which this run would seem to hang.
 */
export function exceedsMaxRetryAfter(error: CarbonError): boolean {
  return error instanceof UnavailableError && (error.retryAfterMs ?? 0) > maxRetryAfterMs;
}

/** Returns the error of a run in which the service forbids every row; it names the first. */
export function keyForbidden(error: CarbonError, line: number): CarbonError {
  const { message, status, title, detail } = error;
  return new UnauthorizedError(`line ${line}: ${message}`, { status, title, detail });
}

/** Returns the error of a postponed row with a 403 that the key did not cause. */
export function rowForbidden({ message, status, title, detail }: CarbonError): CarbonError {
  return new HintedError(
    'unauthorized',
    `The service rejected this row (403): ${detail ?? title ?? message}`,
    {
      status,
      title,
      detail,
      hint: 'Ask the operator of the service whether your account may register this organization. A firewall may also reject its values.',
    },
  );
}

/**
 * Returns the error of a postponed row in a run that has registered other rows.
 *
 * The base URL is right then. Any error but a service failure is returned unchanged.
 */
export function rowFailed(error: CarbonError): CarbonError {
  if (!(error instanceof UnavailableError)) return error;
  const { code, message, status, title, detail, response, cause } = error;
  return new UnavailableError(
    code,
    response === undefined ? message : `The service failed on this row: ${response}`,
    {
      status,
      title,
      detail,
      cause,
      reason: 'row_failed',
    },
  );
}

/** Returns the error of a run that ends because of too many consecutive service failures. */
export function tooManyFailures(last: CarbonError): CarbonError {
  return new UnavailableError(
    'service_failed',
    `${maxFailures} consecutive requests failed. Last error: ${last.message}`,
    {
      status: last.status,
      cause: last,
    },
  );
}

/** Returns the error of a run in which the service refused every request for too long. */
export function quotaExhausted(last: CarbonError): CarbonError {
  const { status, title, detail, retryAfterMs, retryAtMs } = last;
  const message = `The service accepts no more registrations: ${last.message}`;
  const details = { status, title, detail, cause: last };
  // The wait that the service requests is part of the hint.
  if (exceedsMaxRetryAfter(last))
    return new UnavailableError('rate_limited', message, { ...details, retryAfterMs, retryAtMs });
  const why =
    status === 503 ? 'The service is still overloaded.' : 'The quota is probably used up.';
  return new HintedError('rate_limited', message, { ...details, hint: `${why} Try again later.` });
}
