import { nameQuotaError } from './system-error.ts';

/**
 * The code of a failure: a closed list, for programs.
 *
 * - `usage`: the command line or the environment is wrong
 * - `invalid_input`: an argument, a file or a field is invalid; nothing was sent
 * - `no_base_url`: no address of a service is configured
 * - `no_key`: no API key is configured for the address
 * - `unauthorized`: the service refused the API key or does not permit the request (401, 403)
 * - `payment_required`: the account does not permit the request (402)
 * - `refused`: the service refused the data (400, 422)
 * - `not_found`: the service knows no such organization (404)
 * - `rate_limited`: too many requests (429), or a quota is used up
 * - `service_failed`: the service failed (5xx)
 * - `unreadable_answer`: the response is not in the form of the specification
 * - `network`: the service or the proxy could not be reached
 * - `timeout`: the service did not respond in time
 * - `proxy`: the proxy refused the connection or cannot be used
 * - `pending`: research was still in progress when `wait` reached its time limit
 * - `local`: a failure of this machine, such as a full disk
 * - `interrupted`: a signal ended the run
 * - `bug`: an unexpected failure of the program itself
 */
export type CarbonErrorCode =
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
  | 'pending'
  | 'local'
  | 'interrupted'
  | 'bug';

/** What exactly is wrong, where a code covers several cases that a user fixes in different ways. */
export type CarbonErrorReason =
  // invalid_input and usage
  | 'base_url'
  | 'plain_http'
  | 'api_key'
  | 'proxy_url'
  // local
  | 'no_webassembly'
  | 'no_network_permission'
  // unreadable_answer
  | 'redirect'
  | 'unknown_path'
  | 'too_large'
  // any code: one row of a list failed, and other rows did not
  | 'row_failed'
  | 'row_forbidden'
  // network
  | 'host_not_found'
  | 'connection_refused'
  | 'not_http'
  | 'unexpected_continue'
  | 'not_tls'
  | 'tls_version'
  | 'certificate_host'
  | 'certificate_dates'
  | 'certificate_untrusted'
  | 'proxy_unreachable'
  // proxy
  | 'proxy_without_tls'
  | 'proxy_login';

/** A rate limit as the headers of one response state it; what they leave open is undefined. */
export interface RateLimit {
  /** Requests permitted in each window, at least 1. */
  readonly quota: number | undefined;
  /** Length of a window in milliseconds. */
  readonly windowMs: number | undefined;
  /** Requests still permitted until the reset. */
  readonly remaining: number | undefined;
  /** Milliseconds from the response until the complete quota is available again. */
  readonly resetMs: number | undefined;
}

/** What an error may carry beside its code and message. */
export interface ErrorDetails {
  /** What exactly is wrong, where the code covers several cases. */
  readonly reason?: CarbonErrorReason | undefined;
  /** HTTP status of the response that is the error. */
  readonly status?: number | undefined;
  /** `title` of the service's error body (section 2.10). */
  readonly title?: string | undefined;
  /** `detail` of the service's error body (section 2.10), verbatim. */
  readonly detail?: string | undefined;
  /** The organization id that the error is about. */
  readonly id?: string | undefined;
  /** How long the service asks to wait before another request (Retry-After), in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** When that wait is over, in milliseconds since 1970. */
  readonly retryAtMs?: number | undefined;
  /** The rate limit that the headers of the response state. */
  readonly rateLimit?: RateLimit | undefined;
  /**
   * The proxy that failed: its address without a password, and the environment variable that names
   * it.
   */
  readonly proxy?: { readonly url: string; readonly from: string } | undefined;
  /**
   * A clause that describes the response without the address: for a request that failed among
   * others.
   */
  readonly response?: string | undefined;
  readonly cause?: unknown;
}

/** What a log has of an error: its members in JSON. */
export interface LoggedError {
  readonly code: CarbonErrorCode;
  readonly message: string;
  readonly status: number | undefined;
  readonly title: string | undefined;
  readonly detail: string | undefined;
  readonly id: string | undefined;
  readonly retryable: boolean;
}

const passingStatuses = new Set<number | undefined>([429, 500, 502, 503, 504]);

/** A failure: a code for programs, a message for people, and what the service says of it. */
export class CarbonError extends Error {
  override readonly name: string = 'CarbonError';
  /** What failed, from a closed list. */
  declare readonly code: CarbonErrorCode;
  /** What exactly is wrong, where the code covers several cases. */
  declare readonly reason: CarbonErrorReason | undefined;
  /** HTTP status of the response that is the error. */
  declare readonly status: number | undefined;
  /** `title` of the service's error body (section 2.10). */
  declare readonly title: string | undefined;
  /** `detail` of the service's error body (section 2.10), verbatim. */
  declare readonly detail: string | undefined;
  /** The organization id that the error is about. */
  declare readonly id: string | undefined;
  /** A clause that describes the response without the address: `it responded 500`. */
  declare readonly response: string | undefined;
  /** How long the service asks to wait before another request (Retry-After), in milliseconds. */
  declare readonly retryAfterMs: number | undefined;
  /** When that wait is over, in milliseconds since 1970. */
  declare readonly retryAtMs: number | undefined;
  /** The rate limit that the headers of the response state. */
  declare readonly rateLimit: RateLimit | undefined;
  /**
   * The proxy that failed: its address without a password, and the environment variable that names
   * it.
   */
  declare readonly proxy: { readonly url: string; readonly from: string } | undefined;

  constructor(code: CarbonErrorCode, message: string, { cause, ...details }: ErrorDetails = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    Object.assign(this, details);
  }

  /**
   * Whether the same request may succeed later: after connection errors and timeouts, 429, 500,
   * 502, 503 and 504.
   */
  get retryable(): boolean {
    return this.code === 'network' || this.code === 'timeout' || passingStatuses.has(this.status);
  }

  /** Returns what a log should have of the error. */
  toJSON(): LoggedError {
    const { code, message, status, title, detail, id, retryable } = this;
    return { code, message, status, title, detail, id, retryable };
  }
}

/** An address, a key or an argument that no request can be made with; nothing was sent. */
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

/** What such an error may carry. */
type HintedDetails = ErrorDetails & { readonly hint?: string | undefined };

/** A failure whose remedy only the place that found it knows. */
export class HintedError extends CarbonError {
  override readonly name: string = 'HintedError';
  /** What the user can do about it, one sentence. */
  declare readonly hint: string | undefined;
  constructor(code: CarbonErrorCode, message: string, details?: HintedDetails) {
    super(code, message, details);
  }
}

/** The command line or the input is invalid; nothing was sent. */
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

/** A failure of this machine: a file, the disk, the terminal. */
export class LocalError extends HintedError {
  override readonly name = 'LocalError';
  constructor(message: string, details?: HintedDetails) {
    super('local', message, details);
  }
}

/** The error of a standard output that takes nothing more, as on a full disk. */
export function outputError(cause: unknown): LocalError {
  return new LocalError('Standard output could not be written', { cause: nameQuotaError(cause) });
}

/** The run was ended by a signal; `main` re-raises it. */
export class InterruptedError extends HintedError {
  override readonly name = 'InterruptedError';
  constructor(hint?: string) {
    super('interrupted', 'Interrupted', { hint });
  }
}

/**
 * Returns any thrown value as a `CarbonError`: any other one is a bug, or a failed system call of
 * this machine.
 */
export function toCarbonError(thrown: unknown): CarbonError {
  if (thrown instanceof CarbonError) return thrown;
  if (thrown instanceof Error && 'syscall' in thrown) {
    const cause = nameQuotaError(thrown);
    return new LocalError((cause as Error).message, { cause });
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new CarbonError('bug', `Unexpected failure: ${message}`, { cause: thrown });
}
