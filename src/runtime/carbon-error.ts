import { codeOf, explainSystemError, nameQuotaError } from './system-error.ts';

/** Identifies the kind of failure, for programs. The list is closed. */
export type CarbonErrorCode =
  /** The command line or the environment is wrong. */
  | 'usage'
  /** An argument, a file or a field is invalid, and nothing was sent. */
  | 'invalid_input'
  /** No base URL is configured. */
  | 'no_base_url'
  /** No API key is configured for the base URL, or its file or command provides none. */
  | 'no_key'
  /** The service rejected the API key or does not allow the request (401, 403). */
  | 'unauthorized'
  /** The account does not allow the request (402). */
  | 'payment_required'
  /** The service rejected the data (400, 422). */
  | 'rejected'
  /** The service knows no such organization (404). */
  | 'not_found'
  /** Too many requests (429), or a quota is used up. */
  | 'rate_limited'
  /** The service failed (5xx). */
  | 'service_failed'
  /** The response is not in the form of the specification. */
  | 'unreadable_response'
  /** The service or the proxy could not be reached. */
  | 'network'
  /** The service did not respond in time. */
  | 'timeout'
  /** The proxy refused the connection or cannot be used. */
  | 'proxy'
  /** Research was still in progress when `wait` reached its time limit. */
  | 'pending'
  /** A failure of this machine, such as a full disk. */
  | 'local'
  /** A signal ended the run. */
  | 'interrupted'
  /** An unexpected failure of the program itself. */
  | 'bug';

/** Distinguishes cases of one code that a user fixes in different ways. */
export type CarbonErrorReason =
  // invalid_input and usage
  | 'base_url'
  | 'api_key'
  | 'proxy_url'
  // unreadable_response
  | 'redirect'
  | 'unknown_path'
  // network: probably another server than the service
  | 'wrong_address'
  | 'certificate_dates'
  | 'certificate_untrusted'
  | 'client_certificate'
  // proxy
  | 'proxy_without_tls'
  | 'proxy_login'
  // any code: one row of a list failed, while other rows succeeded
  | 'row_failed';

/** Describes a rate limit as the headers of one response state it. */
export interface RateLimit {
  /** Requests allowed in each window, at least 1. */
  readonly quota: number | undefined;
  /** Length of a window in milliseconds. */
  readonly windowMs: number | undefined;
  /** Requests still allowed until the reset. */
  readonly remaining: number | undefined;
  /** Milliseconds from the response until the complete quota is available again. */
  readonly resetMs: number | undefined;
}

/** Describes a failure beyond its code and message. */
export interface ErrorDetails {
  /** Case within the code, if the code covers several. */
  readonly reason?: CarbonErrorReason | undefined;
  /** HTTP status of the error response. */
  readonly status?: number | undefined;
  /** `title` of the service's error body (section 2.10). */
  readonly title?: string | undefined;
  /** `detail` of the service's error body (section 2.10), verbatim. */
  readonly detail?: string | undefined;
  /** ID of the requested organization. */
  readonly id?: string | undefined;
  /** Wait that the service requests before the next request (Retry-After), in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** End of that wait, in milliseconds since 1970. */
  readonly retryAtMs?: number | undefined;
  /** Rate limit in the headers of the response. */
  readonly rateLimit?: RateLimit | undefined;
  /** Proxy that failed: its URL without credentials, and the environment variable that sets it. */
  readonly proxy?: { readonly url: string; readonly from: string } | undefined;
  /** Clause that describes the response without the address, such as `it responded 500`. */
  readonly response?: string | undefined;
  /** Error that led to this one. */
  readonly cause?: unknown;
}

/** Contains the members that an error has in JSON. */
export type LoggedError = Pick<
  CarbonError,
  'code' | 'message' | 'status' | 'title' | 'detail' | 'id' | 'retryable'
>;

const retryableStatuses = new Set<number | undefined>([429, 500, 502, 503, 504]);

const DetailedError = Error as new (
  message: string,
  options?: ErrorOptions,
) => Error & ErrorDetails;

/** Reports a failure: a code for programs, a message for people, and details of the response. */
export class CarbonError extends DetailedError {
  override readonly name: string = 'CarbonError';
  /** Kind of failure, from a closed list. */
  declare readonly code: CarbonErrorCode;

  constructor(code: CarbonErrorCode, message: string, { cause, ...details }: ErrorDetails = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    Object.assign(this, details);
  }

  /** Whether the same request may succeed later. */
  get retryable(): boolean {
    return this.code === 'network' || this.code === 'timeout' || retryableStatuses.has(this.status);
  }

  toJSON(): LoggedError {
    const { code, message, status, title, detail, id, retryable } = this;
    return { code, message, status, title, detail, id, retryable };
  }
}

/** Checks whether a 429 means a quota: it mentions one, or asks for a wait above an hour. */
export function isQuota({ status, detail, retryAfterMs = 0 }: ErrorDetails): boolean {
  return status === 429 && (retryAfterMs > 3_600_000 || /\bquota\b/i.test(detail ?? ''));
}

/** Rejects an invalid base URL, key or argument before any request. */
export class InvalidInputError extends CarbonError {
  override readonly name = 'InvalidInputError';
  constructor(
    message: string,
    reason?: CarbonErrorReason,
    code: 'invalid_input' | 'usage' = 'invalid_input',
  ) {
    super(code, message, { reason });
  }
}

/** Reports a failure together with its remedy. */
export class HintedError extends CarbonError {
  override readonly name: string = 'HintedError';
  /** Remedy, one sentence. */
  declare readonly hint: string | undefined;
  constructor(
    code: CarbonErrorCode,
    message: string,
    details?: ErrorDetails & { readonly hint?: string | undefined },
  ) {
    super(code, message, details);
  }
}

/** Rejects an invalid command line or input before any request. */
export class UsageError extends HintedError {
  override readonly name = 'UsageError';
  constructor(
    message: string,
    hint?: string,
    code: 'usage' | 'invalid_input' | 'no_base_url' = 'usage',
  ) {
    super(code, message, { hint });
  }
}

/** Returns the error for input that cannot be used. */
export function invalidInput(message: string, hint?: string): UsageError {
  return new UsageError(message, hint, 'invalid_input');
}

/** Reports a failure of this machine: a file, the disk, the terminal. */
export class LocalError extends HintedError {
  override readonly name = 'LocalError';
  constructor(message: string, details?: ErrorDetails & { readonly hint?: string | undefined }) {
    super('local', message, details);
  }
}

/** Returns the error for a failed write to standard output, such as on a full disk. */
export function outputError(cause: unknown): LocalError {
  return new LocalError('Standard output could not be written', { cause: nameQuotaError(cause) });
}

/** Throws a UsageError for an input file that does not exist, otherwise a LocalError. */
export function throwUnreadable(name: string, cause: unknown): never {
  if (codeOf(cause) === 'ENOENT') throw new UsageError(`${name}: no such file or directory`);
  throw new LocalError(`${name} cannot be read: ${explainSystemError(cause)}`, { cause });
}

/** Reports that a signal ended the run; `main` re-raises the signal. */
export class InterruptedError extends HintedError {
  override readonly name = 'InterruptedError';
  constructor(hint?: string) {
    super('interrupted', 'Interrupted', { hint });
  }
}

/** Converts any thrown value: a failed system call to a `LocalError`, anything else to a bug. */
export function toCarbonError(thrown: unknown): CarbonError {
  if (thrown instanceof CarbonError) return thrown;
  if (thrown instanceof Error && 'syscall' in thrown) {
    const cause = nameQuotaError(thrown);
    return new LocalError((cause as Error).message, { cause });
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new CarbonError('bug', `Unexpected failure: ${message}`, { cause: thrown });
}
