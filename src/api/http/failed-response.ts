/*
 * Converts a response without a record to an error. Only a response in the form of the
 * specification comes from the service. Any other response is a failure of the service or of
 * something in front of it, such as a proxy, a firewall or a wrong base URL, and never of the data.
 */
import type { CarbonError, ErrorDetails, RateLimit } from '../../runtime/carbon-error.ts';
import { NotFoundError, RefusedError, UnauthorizedError, UnavailableError } from '../errors.ts';
import { readRateLimit } from '../rate-limit/headers.ts';
import { isObject, isSameId, type OrganizationId } from '../reference.ts';
import { readRetryAfter } from '../retry.ts';
import type { HttpResponse } from './request.ts';
import type { RequestInfo } from './response.ts';

/** Returns the error for a response whose status is not 2xx, received at the wall time `now`. */
export function readFailure(response: HttpResponse, info: RequestInfo, now: number): CarbonError {
  const { status } = response;
  const body = readErrorBody(response.body, status, info.redact);
  const { form, title, detail } = body;
  const details = { title, detail, ...readDetails(response, info, now) };
  if (status === 429) return tooMany(details);
  if (status >= 500) return serviceFailed(info, details);
  if (status === 401 || isForbidden(status, form)) return unauthorized(details);
  if (status === 402) return paymentRequired(details);
  if (isRefusal(status, form)) return refused(info, details);
  if (status === 404 && isNotFound(body, info)) return notFound(info, details);
  const target = status === 304 ? undefined : header(response, 'location');
  if (status >= 300 && status < 400 && target !== undefined)
    return redirected(target, info, details);
  return unexpectedResponse(info, details);
}

/** Returns the error for a 2xx response without a record; `content` describes it. */
export function unreadable(
  response: HttpResponse,
  info: RequestInfo,
  now: number,
  content: string,
): UnavailableError {
  const { status } = response;
  return new UnavailableError(
    'unreadable_answer',
    `${info.baseUrl} responded ${status} with ${content}`,
    {
      ...readDetails(response, info, now),
      response: `it responded ${status} with ${content}`,
    },
  );
}

/** Returns the first value of a header. */
export function header(response: HttpResponse, name: string): string | undefined {
  const value = response.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/* Ignores the page of a firewall, which is not about the key. */
function isForbidden(status: number, form: ErrorBody['form']): boolean {
  return status === 403 && hasTitleAndDetail(form);
}

function isRefusal(status: number, form: ErrorBody['form']): boolean {
  return (status === 400 || status === 422) && hasTitleAndDetail(form);
}

function hasTitleAndDetail(form: ErrorBody['form']): boolean {
  return form === 'error' || form === 'error with id';
}

/*
 * Checks for the 404 of sections 4.1 and 4.2. The 404 of a web framework has another form, or the
 * id of a trace instead of the organization's.
 */
function isNotFound({ form, id }: ErrorBody, info: RequestInfo): boolean {
  if (info.id === undefined) return form === 'error without title';
  return id !== undefined && isSameId(id, info.id);
}

type Details = ErrorDetails & {
  readonly status: number;
  readonly retryAfterMs: number | undefined;
  readonly rateLimit: RateLimit | undefined;
};

function readDetails(response: HttpResponse, info: RequestInfo, now: number): Details {
  const retryAfterMs = readRetryAfter(header(response, 'retry-after'), now);
  return {
    status: response.status,
    id: info.id,
    retryAfterMs,
    retryAtMs: retryAfterMs === undefined ? undefined : now + retryAfterMs,
    rateLimit: readRateLimit(response.headers, now),
  };
}

function refused(info: RequestInfo, details: Details): CarbonError {
  return new RefusedError(`The service refused ${info.subject}: ${describe(details)}`, details);
}

function notFound(info: RequestInfo, details: Details): CarbonError {
  const message =
    info.id === undefined
      ? `The service did not find ${info.subject}: ${describe(details)}`
      : `No organization has id ${info.id}`;
  return new NotFoundError(message, details);
}

function unauthorized(details: Details): CarbonError {
  const message =
    details.status === 401
      ? 'The service rejected the API key'
      : 'The API key does not permit this request';
  return new UnauthorizedError(`${message}: ${describe(details)}`, details);
}

function paymentRequired(details: Details): CarbonError {
  const message = `The account does not permit this request: ${describe(details)}`;
  return new UnauthorizedError(message, details, 'payment_required');
}

function tooMany(details: Details): CarbonError {
  return new UnavailableError('rate_limited', `Too many requests: ${describe(details)}`, details);
}

function serviceFailed(info: RequestInfo, details: Details): CarbonError {
  const message = `The service at ${info.baseUrl} failed: ${describe(details)}`;
  return new UnavailableError('service_failed', message, {
    ...details,
    response: describe(details),
  });
}

function redirected(target: string, info: RequestInfo, details: Details): CarbonError {
  const to = quotable(target, undefined, info.redact);
  return new UnavailableError(
    'unreadable_answer',
    `${info.baseUrl} redirects to ${to} (${details.status}); carbon does not send the API key there`,
    { ...details, reason: 'redirect', response: `it redirects to ${to} (${details.status})` },
  );
}

function unexpectedResponse(info: RequestInfo, details: Details): CarbonError {
  const { status, title, detail } = details;
  const cause = status === 404 ? ': there is nothing at this path; check the base URL' : '';
  const text = detail ?? title;
  const quote = text === undefined || text === '' ? '' : ` (response text: ${text})`;
  return new UnavailableError(
    'unreadable_answer',
    `${info.baseUrl} responded ${status}, but not in the format of the service${cause}${quote}`,
    {
      ...details,
      reason: status === 404 ? 'unknown_path' : undefined,
      response: `it responded ${status} in an undefined format${quote}`,
    },
  );
}

function describe({ status, title, detail }: Details): string {
  const label = title === undefined ? `${status}` : `${status} ${title}`;
  return detail === undefined ? label : `${detail} (${label})`;
}

/** Contains the text of an error body and its form. */
export interface ErrorBody extends Pick<ErrorDetails, 'title' | 'detail'> {
  /**
   * Form of the body; additional members do not matter.
   *
   * - `error`: status (equal to the HTTP status), title and detail
   * - `error with id`: the same with an id, the 404 of retrieval
   * - `error without title`: status and detail only, the 404 of registration
   * - `other`: anything else
   */
  readonly form: 'error' | 'error with id' | 'error without title' | 'other';
  /** Id in an `error with id`. */
  readonly id?: OrganizationId | undefined;
}

/* Longer than any reasonable text; a batch stores it for every row. */
const maxTitleLength = 200;
const maxDetailLength = 4_000;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads the body of a response with an error status (section 2.10 of the specification).
 *
 * Redacts and truncates titles and details, because they end up in messages, results and files.
 * @param status HTTP status; a body with another status has the form `other`
 * @param redact removes the key from the text of the service
 */
export function readErrorBody(
  body: Uint8Array,
  status: number,
  redact: ((text: string) => string) | undefined,
): ErrorBody {
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(body));
  } catch {
    return { form: 'other' };
  }
  if (!isObject(value)) return { form: 'other' };
  const form = classify(value, status);
  const id = form === 'error with id' ? (value['id'] as OrganizationId) : undefined;
  return { ...readErrorText(value, redact), form, id };
}

function classify(body: Readonly<Record<string, unknown>>, httpStatus: number): ErrorBody['form'] {
  const { status, title, detail, id } = body;
  if (status !== httpStatus || typeof detail !== 'string') return 'other';
  if (typeof title === 'string') {
    return typeof id === 'string' || typeof id === 'number' ? 'error with id' : 'error';
  }
  return (title ?? null) === null ? 'error without title' : 'other';
}

/** Reads `title` and `detail` of an object if they are strings. */
export function readErrorText(
  { title, detail }: Readonly<Record<string, unknown>>,
  redact: ((text: string) => string) | undefined,
): Pick<ErrorDetails, 'title' | 'detail'> {
  return {
    ...(typeof title === 'string' && { title: quotable(title, maxTitleLength, redact) }),
    ...(typeof detail === 'string' && { detail: quotable(detail, maxDetailLength, redact) }),
  };
}

/** Redacts and truncates text of the service for a message. */
export function quotable(
  text: string,
  maxLength = maxDetailLength,
  redact: (text: string) => string = (unchanged) => unchanged,
): string {
  const redacted = redact(text);
  return redacted.length > maxLength ? `${redacted.slice(0, maxLength)}…` : redacted;
}
