import { NotFoundError, RefusedError, UnauthorizedError, UnavailableError } from '../api/errors.ts';
import type { FailureKind } from '../api/rate-limit/pacing-outcome.ts';
import { failureKind, type PacingOutcome } from '../api/rate-limit/pacing-outcome.ts';
import type { OrganizationId } from '../api/reference.ts';
import type { Registration } from '../api/schema.ts';
import { backoffMs } from '../runtime/backoff.ts';
import { type CarbonError, HintedError, type RateLimit } from '../runtime/carbon-error.ts';
import { maxFailures } from './circuit-breaker.ts';

/** What the service says of a row that it registered. */
export interface Accepted {
  readonly id: OrganizationId;
  readonly status: string | undefined;
  /** The record as it was received, where records are wanted. */
  readonly json?: string | undefined;
  /** The rate limit that the answer's headers tell, for the pacer. */
  readonly limit?: RateLimit | undefined;
}

/**
 * Makes one try to register an organization.
 * @throws CarbonError; UnavailableError for a response without a usable id too
 */
export type Register = (registration: Registration, signal: AbortSignal) => Promise<Accepted>;

/** Decides when the next request may be sent. Times are of the monotonic clock, in milliseconds. */
export interface Pacing<Ticket> {
  /** How long to wait, Infinity until a request that is in flight is answered. */
  delay(now: number): number;
  sent(now: number): Ticket;
  answered(ticket: Ticket, now: number, outcome: PacingOutcome): void;
  /** Whether refusals have persisted so long that they must be a quota. */
  readonly exhausted: boolean;
  /**
   * Since when every request was refused, and when that counts as a quota; undefined while some are
   * accepted.
   */
  readonly refusalStreak: { readonly since: number; readonly until: number } | undefined;
}

/** What an error of one try means for the run. */
export type ErrorClass = 'row refused' | FailureKind | 'forbidden' | 'stop';

/**
 * Tells the row's fault from the service's; an error of any other kind stops the run, such as a
 * 401.
 * @param isAnswering whether the service has answered other requests, as for `failureKind`
 */
export function classify(error: CarbonError, isAnswering: boolean): ErrorClass {
  if (error instanceof RefusedError || error instanceof NotFoundError) return 'row refused';
  if (error instanceof UnauthorizedError && error.status === 403) return 'forbidden';
  if (!(error instanceof UnavailableError)) return 'stop';
  return failureKind(error, isAnswering);
}

/** How often a row is tried that the service fails on, before the next run takes it up. */
export const maxAttempts = 4;
const firstWaitMs = 500;
const maxWaitMs = 8_000;

/**
 * How long a row waits before it is tried again, in milliseconds: its whole Retry-After, else a
 * random part of a doubling bound.
 * @param tried how often it was tried, from 1
 * @param random from 0 inclusive to 1 exclusive
 */
export function waitMs(error: CarbonError, tried: number, random: number): number {
  const asked = error instanceof UnavailableError ? error.retryAfterMs : undefined;
  return asked ?? random * backoffMs(tried, firstWaitMs, maxWaitMs);
}

const maxRetryAfterMs = 3_600_000;

/**
 * Whether an error asks for more than an hour. The next run may wait as long; this one would seem
 * to hang.
 */
export function exceedsMaxRetryAfter(error: CarbonError): boolean {
  return error instanceof UnavailableError && (error.retryAfterMs ?? 0) > maxRetryAfterMs;
}

/** The error of a run that ends because every row is forbidden; it names the first. */
export function keyForbidden(error: CarbonError, line: number): CarbonError {
  const { message, status, title, detail } = error;
  return new UnauthorizedError(`line ${line}: ${message}`, { status, title, detail });
}

/** The error of a row that is postponed because it alone is forbidden: the key is not to blame. */
export function rowForbidden({ message, status, title, detail }: CarbonError): CarbonError {
  return new HintedError(
    'unauthorized',
    `The service refused this row (403): ${detail ?? title ?? message}`,
    {
      status,
      title,
      detail,
      hint: 'Ask the service whether the account may register this organization; a firewall may reject its values.',
    },
  );
}

/**
 * Returns the error of a row that is postponed although the service has registered other rows: the
 * base URL is right. Anything but a failure of the service stays as it is.
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
      reason: status === 403 ? 'row_forbidden' : 'row_failed',
    },
  );
}

/** The error of a run that ends because the service fails again and again. */
export function tooManyFailures(last: CarbonError): CarbonError {
  return new UnavailableError(
    'service_failed',
    `${maxFailures} requests in a row failed. The last one: ${last.message}`,
    {
      status: last.status,
      cause: last,
    },
  );
}

/** The error of a run that ends because every request is refused for too long. */
export function quotaExhausted(last: CarbonError): CarbonError {
  const { status, title, detail } = last;
  const why = status === 503 ? 'The service stays overloaded.' : 'The quota seems to be used up.';
  return new HintedError(
    'rate_limited',
    `The service takes no more registrations: ${last.message}`,
    {
      hint: `${why} The same command goes on later where this run ended.`,
      status,
      title,
      detail,
      cause: last,
    },
  );
}
