import { constants } from 'node:os';
import type { Hint } from './hint.ts';

/**
 * Identifies the kind of failure, for programs. The list is closed, and docs/reference/errors.md
 * has the meaning of each code.
 */
export type CarbonErrorCode =
  | 'usage'
  | 'invalid_input'
  | 'no_base_url'
  | 'no_key'
  | 'unauthorized'
  | 'payment_required'
  | 'rejected'
  | 'not_found'
  | 'rate_limited'
  | 'service_failed'
  | 'unreadable_response'
  | 'network'
  | 'timeout'
  | 'proxy'
  | 'not_sent'
  | 'pending'
  | 'local'
  | 'interrupted'
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
  // network: the connection ended during the request, which the request itself may cause
  | 'connection_lost'
  // network: probably another server than the service
  | 'wrong_address'
  | 'certificate_dates'
  | 'certificate_untrusted'
  // proxy
  | 'proxy_login'
  | 'proxy_scheme'
  // rate_limited: a 429 to every request for so long that a quota is used up
  | 'quota'
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

export interface ErrorDetails {
  readonly reason?: CarbonErrorReason | undefined;
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
  readonly rateLimit?: RateLimit | undefined;
  /** Proxy that failed: its URL without credentials, and the environment variable that sets it. */
  readonly proxy?: { readonly url: string; readonly from: string } | undefined;
  readonly cause?: unknown;
}

export type LoggedError = Pick<
  CarbonError,
  'code' | 'message' | 'status' | 'title' | 'detail' | 'id' | 'retryable'
>;

const retryableStatuses: readonly unknown[] = [429, 500, 502, 503, 504];

const DetailedError = Error as new (
  message: string,
  options?: ErrorOptions,
) => Error & ErrorDetails;

/** Reports a failure: a code for programs, a message for people, and details of the response. */
export class CarbonError extends DetailedError {
  override readonly name: string = 'CarbonError';
  declare readonly code: CarbonErrorCode;

  constructor(code: CarbonErrorCode, message: string, { cause, ...details }: ErrorDetails = {}) {
    super(message, cause === undefined ? undefined : { cause });
    Object.assign(this, { code, ...details });
  }

  /** Whether the same request may succeed later. */
  get retryable(): boolean {
    const { code, status } = this;
    return code === 'network' || code === 'timeout' || retryableStatuses.includes(status);
  }

  toJSON(): LoggedError {
    const { code, message, status, title, detail, id, retryable } = this;
    return { code, message, status, title, detail, id, retryable };
  }
}

/** Rejects an invalid base URL, key or argument before any request. */
export class InvalidInputError extends CarbonError {
  override readonly name = 'InvalidInputError';
  /** What to do, if the reason alone does not say it. */
  declare readonly hint: string | undefined;
  constructor(
    message: string,
    {
      code = 'invalid_input',
      ...details
    }: {
      readonly code?: 'invalid_input' | 'usage';
      readonly reason?: CarbonErrorReason;
      readonly hint?: string | undefined;
    } = {},
  ) {
    super(code, message, details);
  }
}

/** One way out of a failure, as a change of the command line. */
export interface Choice {
  readonly label: string;
  /** What it leads to, such as first values, numbers of rows or sums. */
  readonly hint?: string | undefined;
  /** Words to add, not quoted. */
  readonly add?: readonly string[];
  /** Long names of options to leave out, with their values. */
  readonly without?: readonly string[];
  /** The words after `carbon` of a command line that replaces this one. */
  readonly instead?: readonly string[];
  /** What the user has to run; it is shown, and the run stops. */
  readonly advice?: string;
}

/** A question that a failure leaves to the user, for which a terminal shows its ways out. */
export interface Choices {
  /** The failure without what the options repeat; by default its message. */
  readonly problem?: string | undefined;
  readonly question: string;
  readonly options: readonly Choice[];
  /** Index of the option that is selected at first; by default the first one. */
  readonly initial?: number;
  /** The label of the last option, which changes nothing. */
  readonly stop?: string;
}

/**
 * Returns the ways out of a failure; undefined without any. Only a terminal calls it, so it may
 * read files to find out what each way leads to.
 */
export type FindChoices = () => Choices | undefined | Promise<Choices | undefined>;

interface HintedDetails extends ErrorDetails {
  readonly hint?: Hint | undefined;
  readonly choices?: FindChoices | undefined;
}

/** Reports a failure together with its remedy. */
export class HintedError extends CarbonError {
  override readonly name: string = 'HintedError';
  declare readonly hint: Hint | undefined;
  declare readonly choices: FindChoices | undefined;
  constructor(code: CarbonErrorCode, message: string, { choices, ...details }: HintedDetails = {}) {
    super(code, message, details);
    // Not enumerable, so that no view of an error shows it.
    Object.defineProperty(this, 'choices', { value: choices });
  }
}

/** Rejects an invalid command line or input before any request. */
export class UsageError extends HintedError {
  override readonly name = 'UsageError';
  declare readonly code: 'usage' | 'invalid_input' | 'no_base_url';
  constructor(
    message: string,
    hint?: Hint,
    code: UsageError['code'] = 'usage',
    choices?: FindChoices,
  ) {
    super(code, message, { hint, choices });
  }
}

export function invalidInput(message: string, hint?: Hint, choices?: FindChoices): UsageError {
  return new UsageError(message, hint, 'invalid_input', choices);
}

/** Reports a failure of this machine: a file, the disk, the terminal. */
export class LocalError extends HintedError {
  override readonly name = 'LocalError';
  constructor(message: string, details?: HintedDetails) {
    super('local', message, details);
  }
}

/** Reports that a signal ended the run; `main` re-raises the signal. */
export class InterruptedError extends HintedError {
  override readonly name = 'InterruptedError';
  constructor(hint?: string) {
    super('interrupted', 'Interrupted', { hint });
  }
}

/** Returns the error for a failed write to standard output, such as on a full disk. */
export function outputError(cause: unknown): LocalError {
  return new LocalError(`Standard output could not be written: ${explainSystemError(cause)}`);
}

/** Converts any thrown value: a failed system call to a `LocalError`, anything else to a bug. */
export function toCarbonError(thrown: unknown): CarbonError {
  if (thrown instanceof CarbonError) return thrown;
  if (thrown instanceof Error && 'syscall' in thrown) {
    if (codeOf(thrown) === 'EDQUOT') return new LocalError(explainSystemError(thrown));
    return new LocalError(thrown.message, { cause: thrown });
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new CarbonError('bug', `Unexpected failure: ${message}`, { cause: thrown });
}

const systemErrors: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  ENOENT: 'no such file or directory',
  ENOTDIR: 'not a directory',
  EISDIR: 'is a directory',
  EBUSY: 'resource busy, or open in another program',
  EEXIST: 'file exists',
  EROFS: 'read-only file system',
  ENAMETOOLONG: 'file name too long',
  ENOSPC: 'no space left on device',
  EDQUOT: 'disk quota exceeded',
};

/** Describes a system error with its code; returns the message of any other error. */
export function explainSystemError(error: unknown): string {
  const words = systemErrors[codeOf(error)];
  return words === undefined ? (error as Error).message : `${words} (${codeOf(error)})`;
}

/**
 * Returns the code of a system error, such as `ENOSPC`; empty for any other error. Node calls an
 * exceeded disk quota `Unknown system error -122`.
 */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error && 'code' in error)) return '';
  const { code, errno } = error as NodeJS.ErrnoException;
  return errno === -constants.errno.EDQUOT ? 'EDQUOT' : String(code);
}
