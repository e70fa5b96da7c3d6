import type { FailureExit } from './exit-codes.ts';
import { nameQuotaError } from './system-error.ts';

/** The closed list of error codes that `--json` prints. */
export type ErrorCode =
  | 'usage'
  | 'invalid_input'
  | 'no_base_url'
  | 'no_key'
  | 'unauthorized'
  | 'payment_required'
  | 'refused'
  | 'not_found'
  | 'rate_limited'
  | 'service_failed'
  | 'unreadable_answer'
  | 'network'
  | 'timeout'
  | 'proxy'
  | 'local'
  | 'interrupted'
  | 'bug';

/** What an error may carry beside its message. */
export interface ErrorDetails {
  /** What the user can do about it, one sentence. */
  readonly hint?: string | undefined;
  /** HTTP status of the answer that is the error. */
  readonly status?: number | undefined;
  /** `title` of the service's error body. */
  readonly title?: string | undefined;
  /** `detail` of the service's error body, verbatim. */
  readonly detail?: string | undefined;
  /** The organization id that the error is about. */
  readonly id?: string | undefined;
  readonly cause?: unknown;
}

/** The JSON form of an error, printed with `--json` and as a failed item of a stream. */
export interface ErrorObject {
  readonly code: ErrorCode;
  readonly exit: number;
  readonly message: string;
  readonly status?: number | undefined;
  readonly title?: string | undefined;
  readonly detail?: string | undefined;
  readonly id?: string | undefined;
  readonly retryable: boolean;
  readonly hint?: string | undefined;
}

const passingStatuses = new Set([429, 500, 502, 503, 504]);

/** A failure that the user is told of: a message in the user's terms, an exit code from 1 to 6, a hint. */
export class CarbonError extends Error {
  override readonly name: string = 'CarbonError';
  readonly hint: string | undefined;
  readonly status: number | undefined;
  readonly title: string | undefined;
  readonly detail: string | undefined;
  readonly id: string | undefined;

  constructor(
    readonly code: ErrorCode,
    readonly exit: FailureExit,
    message: string,
    details: ErrorDetails = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.hint = details.hint;
    this.status = details.status;
    this.title = details.title;
    this.detail = details.detail;
    this.id = details.id;
  }

  /** Whether the same request may succeed later: after connection errors and timeouts, 429, 500, 502, 503 and 504. */
  get retryable(): boolean {
    if (this.code === 'network' || this.code === 'timeout') return true;
    return this.exit === 6 && this.status !== undefined && passingStatuses.has(this.status);
  }

  toJSON(): ErrorObject {
    const { code, exit, message, status, title, detail, id, retryable, hint } = this;
    return { code, exit, message, status, title, detail, id, retryable, hint };
  }
}

/** The command line or the input is invalid; nothing was sent (exit 2). */
export class UsageError extends CarbonError {
  override readonly name = 'UsageError';
  constructor(message: string, hint?: string, code: 'usage' | 'invalid_input' | 'no_base_url' = 'usage') {
    super(code, 2, message, { hint });
  }
}

/** The service refused the data: 400, 422 (exit 3). */
export class RefusedError extends CarbonError {
  override readonly name = 'RefusedError';
  constructor(message: string, details?: ErrorDetails) {
    super('refused', 3, message, details);
  }
}

/**
 * There is no key, or the service refused it (401, 403), or it wants a payment (402): exit 4. It ends a
 * run, but for a 403 that is about one organization: see `concernsAccount`.
 */
export class UnauthorizedError extends CarbonError {
  override readonly name = 'UnauthorizedError';
  constructor(
    message: string,
    details?: ErrorDetails,
    code: 'unauthorized' | 'payment_required' | 'no_key' = 'unauthorized',
  ) {
    super(code, 4, message, details);
  }
}

/**
 * Checks whether an error concerns the account, so that no further request can succeed: a 401, a 402,
 * and a 403 before the service has answered any request. A later 403 is about one organization.
 */
export function concernsAccount(error: unknown, hasAnswered: boolean): error is UnauthorizedError {
  return error instanceof UnauthorizedError && !(error.status === 403 && hasAnswered);
}

/** The service knows no such organization: 404 with the specification's body (exit 5). */
export class NotFoundError extends CarbonError {
  override readonly name = 'NotFoundError';
  constructor(message: string, details?: ErrorDetails) {
    super('not_found', 5, message, details);
  }
}

/** The kinds of failure that are the service's or the way's to it. */
export type UnavailableCode =
  | 'rate_limited'
  | 'service_failed'
  | 'unreadable_answer'
  | 'network'
  | 'timeout'
  | 'proxy';

/** Not the data's fault: 429, 5xx, network, timeout, or an answer that is not the service's (exit 6). */
export class UnavailableError extends CarbonError {
  override readonly name = 'UnavailableError';
  /** How long the service asked to wait before another request, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** The rate limit that the headers of the answer tell, for the pacer. */
  readonly limit: unknown;
  constructor(
    code: UnavailableCode,
    message: string,
    details?: ErrorDetails & { readonly retryAfterMs?: number | undefined; readonly limit?: unknown },
  ) {
    super(code, 6, message, details);
    this.retryAfterMs = details?.retryAfterMs;
    this.limit = details?.limit;
  }
}

/** A failure of this machine: a file, the disk, the terminal (exit 1). */
export class LocalError extends CarbonError {
  override readonly name = 'LocalError';
  constructor(message: string, details?: ErrorDetails) {
    super('local', 1, message, details);
  }
}

/** The error of a standard output that takes nothing more, as on a full disk. */
export function outputError(cause: unknown): LocalError {
  return new LocalError('Standard output could not be written', { cause: nameQuotaError(cause) });
}

/** The run was ended by a signal; `main` re-raises it. */
export class InterruptedError extends CarbonError {
  override readonly name = 'InterruptedError';
  constructor(hint?: string) {
    super('interrupted', 1, 'Interrupted', { hint });
  }
}

/** Any thrown value as a `CarbonError`: what is not one is a bug, or a failed system call of this machine. */
export function toCarbonError(thrown: unknown): CarbonError {
  if (thrown instanceof CarbonError) return thrown;
  if (thrown instanceof Error && 'syscall' in thrown) {
    const cause = nameQuotaError(thrown);
    return new LocalError((cause as Error).message, { cause });
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new CarbonError('bug', 1, `Unexpected failure: ${message}`, {
    hint: 'This is a bug of carbon: please report it with the output of the same command and --debug.',
    cause: thrown,
  });
}
