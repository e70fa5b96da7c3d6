/* Converts a response of any endpoint to an error, by its status alone. */
import type { HttpResponse } from '../../../api/request.ts';
import {
  CarbonError,
  type CarbonErrorCode,
  type ErrorDetails,
  HintedError,
} from '../../../runtime/carbon-error.ts';

/** The request that failed. */
export interface FailedRequest {
  readonly method: string;
  readonly path: string;
  /** Whether it is safe to send the request again. */
  readonly isRepeatable: boolean;
}

const codes: Readonly<Record<number, CarbonErrorCode>> = {
  400: 'refused',
  401: 'unauthorized',
  402: 'payment_required',
  403: 'unauthorized',
  404: 'not_found',
  422: 'refused',
  429: 'rate_limited',
};

const checkBeforeRepeating =
  'The service may have processed the request. Check this before you send it again.';

/**
 * Returns the error for a response whose status is not 2xx.
 *
 * The forms of the specification do not apply, because other endpoints may have others.
 * @param failure the error that the client reads from the response
 */
export function responseError(
  { status }: HttpResponse,
  failure: CarbonError,
  { method, path, isRepeatable }: FailedRequest,
): CarbonError {
  if (failure.reason === 'redirect') return failure;
  const { title, detail, retryAfterMs, retryAtMs, rateLimit } = failure;
  const code = codes[status] ?? (status >= 500 ? 'service_failed' : 'unreadable_answer');
  const name = title === undefined ? '' : ` ${title}`;
  const message = `${method} ${path} failed: the service responded ${status}${name}`;
  const details: ErrorDetails = { status, title, detail, retryAfterMs, retryAtMs, rateLimit };
  if (code === 'service_failed' && !isRepeatable)
    return new HintedError(code, message, { ...details, hint: checkBeforeRepeating });
  // The hints for these codes are about organizations and records.
  if (code === 'refused' || code === 'not_found' || code === 'unreadable_answer')
    return new HintedError(code, message, { ...details, hint: hintFor(status) });
  return new CarbonError(code, message, details);
}

/** Returns the error of a request without a response; another hint if it is not repeatable. */
export function connectionError(error: CarbonError, { isRepeatable }: FailedRequest): CarbonError {
  const mayHaveArrived = error.code === 'network' || error.code === 'timeout';
  if (isRepeatable || !mayHaveArrived || error.reason !== undefined) return error;
  return new HintedError(error.code, error.message, { hint: checkBeforeRepeating });
}

function hintFor(status: number): string | undefined {
  if (status === 404) return 'Check the path. It is relative to the base URL of `carbon whoami`.';
  return status === 405 ? 'Check the method and the path.' : undefined;
}
