/*
 * The failures of requests, one class for each that a caller treats differently.
 */
import { CarbonError, type ErrorDetails } from '../runtime/carbon-error.ts';

/** The service refused the data: 400, 422. */
export class RefusedError extends CarbonError {
  override readonly name = 'RefusedError';
  constructor(message: string, details?: ErrorDetails) {
    super('refused', message, details);
  }
}

/**
 * The service refused the key (401, 403) or wants a payment (402). It concerns the account, except
 * for a 403 that is about one organization: see `concernsAccount`.
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
 * Checks whether an error concerns the account, so that no further request can succeed: a 401, a
 * 402, and a 403 before the service has answered any request. A later 403 is about one
 * organization.
 */
export function concernsAccount(error: unknown, hasAnswered: boolean): error is UnauthorizedError {
  return error instanceof UnauthorizedError && !(error.status === 403 && hasAnswered);
}

/** The service knows no such organization: 404 with the specification's body. */
export class NotFoundError extends CarbonError {
  override readonly name = 'NotFoundError';
  constructor(message: string, details?: ErrorDetails) {
    super('not_found', message, details);
  }
}

/** The codes of failures that are those of the service, or of the way to it. */
export type UnavailableCode =
  | 'rate_limited'
  | 'service_failed'
  | 'unreadable_answer'
  | 'network'
  | 'timeout'
  | 'proxy';

/** Not the data's fault: 429, 5xx, network, timeout, or a response that is not the service's. */
export class UnavailableError extends CarbonError {
  override readonly name = 'UnavailableError';
  declare readonly code: UnavailableCode;
  constructor(code: UnavailableCode, message: string, details?: ErrorDetails) {
    super(code, message, details);
  }
}

/** Research was still in progress when the time limit of `wait` was over. */
export class PendingError extends CarbonError {
  override readonly name = 'PendingError';
  /** The last status of the record; undefined where it had none. */
  declare readonly researchStatus: string | undefined;
  constructor(
    message: string,
    details: ErrorDetails & { readonly researchStatus: string | undefined },
  ) {
    super('pending', message, details);
  }
}
