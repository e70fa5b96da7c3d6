/*
 * What a response without a record means. Only a response in the form of the specification is the
 * service's word; any other one is a failure of the service or of something in front of it, such as
 * a proxy, a firewall or a wrong base URL. It is never the data's fault.
 */
import type { CarbonError, ErrorDetails, RateLimit } from '../../runtime/carbon-error.ts';
import { NotFoundError, RefusedError, UnauthorizedError, UnavailableError } from '../errors.ts';
import { readRateLimit } from '../rate-limit/headers.ts';
import { isSameId } from '../reference.ts';
import { readRetryAfter } from '../retry-after.ts';
import { type ErrorBody, quotable, readErrorBody } from './error-body.ts';
import type { HttpResponse } from './request.ts';
import type { RequestInfo } from './response.ts';

/** Returns the error of a response whose status is not 2xx, received at the wall time `now`. */
export function readFailure(answer: HttpResponse, asked: RequestInfo, now: number): CarbonError {
  const { status } = answer;
  const body = readErrorBody(answer.body, status, asked.hide);
  const { form, title, detail } = body;
  const details = { title, detail, ...readDetails(answer, asked, now) };
  if (status === 429) return tooMany(details);
  if (status >= 500) return serviceFailed(asked, details);
  if (status === 401 || isForbidden(status, form)) return unauthorized(details);
  if (status === 402) return paymentRequired(details);
  if (isRefusal(status, form)) return refused(asked, details);
  if (status === 404 && isNotFound(body, asked)) return notFound(asked, details);
  const target = status === 304 ? undefined : header(answer, 'location');
  if (status >= 300 && status < 400 && target !== undefined)
    return redirected(target, asked, details);
  return notOfTheService(asked, details);
}

/** Returns the error of a 2xx response that holds no record: `what` it holds instead. */
export function unreadable(
  answer: HttpResponse,
  asked: RequestInfo,
  now: number,
  what: string,
): UnavailableError {
  const { status } = answer;
  return new UnavailableError(
    'unreadable_answer',
    `${asked.baseUrl} answered ${status} with ${what}`,
    {
      ...readDetails(answer, asked, now),
      response: `it responded ${status} with ${what}`,
    },
  );
}

/** Returns the first value of a header. */
export function header(answer: HttpResponse, name: string): string | undefined {
  const value = answer.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/* A firewall's page says nothing of the key. */
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
 * Sections 4.1 and 4.2. A framework's own 404 has neither of the two forms, or the id of the
 * request in a log (a trace), not that of the organization.
 */
function isNotFound({ form, id }: ErrorBody, asked: RequestInfo): boolean {
  if (asked.id === undefined) return form === 'error without title';
  return id !== undefined && isSameId(id, asked.id);
}

type Details = ErrorDetails & {
  readonly status: number;
  readonly retryAfterMs: number | undefined;
  readonly rateLimit: RateLimit | undefined;
};

function readDetails(answer: HttpResponse, asked: RequestInfo, now: number): Details {
  const retryAfterMs = readRetryAfter(header(answer, 'retry-after'), now);
  return {
    status: answer.status,
    id: asked.id,
    retryAfterMs,
    retryAtMs: retryAfterMs === undefined ? undefined : now + retryAfterMs,
    rateLimit: readRateLimit(answer.headers, now),
  };
}

function refused(asked: RequestInfo, details: Details): CarbonError {
  return new RefusedError(`${asked.subject} was not accepted: ${said(details)}`, details);
}

function notFound(asked: RequestInfo, details: Details): CarbonError {
  const message =
    asked.id === undefined
      ? `The service did not find ${asked.subject}`
      : `There is no ${asked.subject}`;
  return new NotFoundError(`${message}: ${said(details)}`, details);
}

function unauthorized(details: Details): CarbonError {
  const message =
    details.status === 401 ? 'The service refused the API key' : 'The API key does not permit this';
  return new UnauthorizedError(`${message}: ${said(details)}`, details);
}

function paymentRequired(details: Details): CarbonError {
  const message = `The account does not permit this request: ${said(details)}`;
  return new UnauthorizedError(message, details, 'payment_required');
}

function tooMany(details: Details): CarbonError {
  return new UnavailableError('rate_limited', `Too many requests: ${said(details)}`, details);
}

function serviceFailed(asked: RequestInfo, details: Details): CarbonError {
  const message = `The service at ${asked.baseUrl} failed: ${said(details)}`;
  return new UnavailableError('service_failed', message, { ...details, response: said(details) });
}

function redirected(target: string, asked: RequestInfo, details: Details): CarbonError {
  const to = quotable(target, undefined, asked.hide);
  return new UnavailableError(
    'unreadable_answer',
    `${asked.baseUrl} redirects to ${to} (${details.status}); the API key is not sent along a redirect`,
    { ...details, reason: 'redirect', response: `it redirects to ${to} (${details.status})` },
  );
}

function notOfTheService(asked: RequestInfo, details: Details): CarbonError {
  const { status, title, detail } = details;
  const cause = status === 404 ? ': nothing is served at this path; check the base URL' : '';
  const words = detail ?? title;
  const quoted = words === undefined || words === '' ? '' : ` (the response says: ${words})`;
  return new UnavailableError(
    'unreadable_answer',
    `${asked.baseUrl} answered ${status}, but not in the form of the service${cause}${quoted}`,
    {
      ...details,
      reason: status === 404 ? 'unknown_path' : undefined,
      response: `it responded ${status} in an undefined form${quoted}`,
    },
  );
}

function said({ status, title, detail }: Details): string {
  const label = title === undefined ? `${status}` : `${status} ${title}`;
  return detail === undefined ? label : `${detail} (${label})`;
}
