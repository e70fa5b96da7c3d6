/*
 * Reads an HTTP response as a record, or as one of the failures of section 7 of the specification.
 * A response in any other form is a failure of the service, never of the data.
 */

import { readRateLimit, responseTime } from '../pace/rate-limit-headers.ts';
import {
  type CarbonError,
  type ErrorDetails,
  isQuota,
  type RateLimit,
} from '../runtime/carbon-error.ts';
import { NotFoundError, RefusedError, UnauthorizedError, UnavailableError } from './errors.ts';
import { canBeRecord, isObject, isSameId, type OrganizationId, readReference } from './ids.ts';
import type { HttpResponse } from './request.ts';
import { readRetryAfter } from './retry.ts';
import type { Organization } from './schema.ts';

/** Contains a record as the service sent it. */
export interface RecordResponse {
  /** Record whose values are not checked yet; `readRecord` drops values of unexpected types. */
  readonly record: Organization;
  /** JSON text of the response, byte for byte: numbers, key order and repeated keys unchanged. */
  readonly json: string;
  /** Rate limit in the headers of the response. */
  readonly limit?: RateLimit | undefined;
}

/** Describes the request in messages. */
export interface RequestInfo {
  /** Name of the organization, or `organization 12`. */
  readonly subject: string;
  readonly baseUrl: string;
  /** ID of the requested organization; undefined for a registration. */
  readonly id?: string | undefined;
  /** Removes the key from text of the service, which ends up in messages, results and files. */
  readonly redact?: ((text: string) => string) | undefined;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a response that arrived at the wall time `now`.
 * @throws CarbonError for an error, or for a response in another form than the specification's
 */
export type ReadResponse<Result> = (
  response: HttpResponse,
  info: RequestInfo,
  now: number,
) => Result;

/**
 * Reads a response as a record, or throws its error.
 *
 * The specification defines only 200 for a record. This function accepts any 2xx status, because
 * such a record is complete.
 */
export function readResponse(
  response: HttpResponse,
  info: RequestInfo,
  now: number,
): RecordResponse {
  const { status } = response;
  if (status < 200 || status > 299) throw readFailure(response, info, now);
  const wrong = (what: string) => unreadable(response, info, now, what);
  const { json, value } = readJson(response, wrong);
  if (!isObject(value)) throw wrong(`${describe(value)} instead of a JSON object`);
  // The status of a record is a string (section 2.1), that of an error a number (section 2.10).
  if (typeof value['status'] === 'number' && errorTexts.some((name) => name in value)) {
    throw wrong(`an error as its body${quoteOf(value, info) || `: ${value['status']}`}`);
  }
  if (
    isErrorStatus(value['status']) &&
    (typeof value['title'] === 'string' || typeof value['detail'] === 'string')
  ) {
    throw wrong(`an error as its body${quoteOf(value, info)}`);
  }
  if (!canBeRecord(value))
    throw wrong(`JSON that holds no organization record${quoteOf(value, info)}`);
  return { record: value as Organization, json, limit: readRateLimit(response.headers, now) };
}

/** Contains a record that proves a registration. */
export interface RegistrationResponse extends RecordResponse {
  readonly id: OrganizationId;
  readonly status: string | undefined;
}

/**
 * Reads a response as a record that proves a registration.
 *
 * Accepts only status 200, which sections 4.1 and 4.2 of the specification define for a record, and
 * only a usable id, which later commands need.
 * @throws UnavailableError for any other record
 */
export function readRegistration(
  response: HttpResponse,
  info: RequestInfo,
  now: number,
): RegistrationResponse {
  const received = readResponse(response, info, now);
  const wrong = (what: string) => unreadable(response, info, now, what);
  if (response.status !== 200) throw wrong('a record, which is valid only with status 200');
  if (typeof received.record.status === 'number')
    throw wrong('a record whose status is a number, like that of an error');
  const { id, status } = readReference(received.record);
  if (id === undefined) throw wrong('a record without a usable ID');
  return { record: received.record, json: received.json, limit: received.limit, id, status };
}

/* Checks for an error status as a string, such as "404", which is no status of research. */
function isErrorStatus(status: unknown): boolean {
  return typeof status === 'string' && /^[45]\d\d$/.test(status);
}

const errorTexts = ['detail', 'message', 'error', 'title'];

/* Quotes the text of an object such as {"message":"down for maintenance"}. */
function quoteOf(object: Record<string, unknown>, { redact }: RequestInfo): string {
  const text = errorTexts
    .map((name) => object[name])
    .find((value) => typeof value === 'string' && value !== '');
  return typeof text === 'string' ? `: ${quotable(text, undefined, redact)}` : '';
}

function readJson(
  response: HttpResponse,
  wrong: (what: string) => CarbonError,
): { readonly json: string; readonly value: unknown } {
  let json: string;
  try {
    json = utf8.decode(response.body);
  } catch {
    const isCompressed = header(response, 'content-encoding') !== undefined;
    throw wrong(
      isCompressed
        ? 'a compressed body, which carbon did not request'
        : 'bytes that are not UTF-8 text',
    );
  }
  if (json.trim() === '') throw wrong('an empty body');
  try {
    return { json, value: JSON.parse(json) };
  } catch {
    // Omits the cause, whose message quotes the response and may contain half of a key.
    throw wrong(notJson(json));
  }
}

function notJson(text: string): string {
  if (/^\s*<(!doctype|html|\?xml)/i.test(text)) return 'a web page instead of JSON';
  return /^\s*[{[]/.test(text) ? 'truncated or invalid JSON' : 'text that is not JSON';
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}

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
    'unreadable_response',
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
  const retryAfterMs = readRetryAfter(
    header(response, 'retry-after'),
    responseTime(response.headers, now),
  );
  return {
    status: response.status,
    id: info.id,
    retryAfterMs,
    retryAtMs: retryAfterMs === undefined ? undefined : now + retryAfterMs,
    rateLimit: readRateLimit(response.headers, now),
  };
}

function refused(info: RequestInfo, details: Details): CarbonError {
  return new RefusedError(explain(`The service rejected ${info.subject}`, details), details);
}

function notFound(info: RequestInfo, details: Details): CarbonError {
  const message =
    info.id === undefined
      ? explain(`The service did not find ${info.subject}`, details)
      : `No organization has ID ${info.id}`;
  return new NotFoundError(message, details);
}

function unauthorized(details: Details): CarbonError {
  const what =
    details.status === 401
      ? 'The service rejected the API key'
      : 'The API key does not allow this request';
  return new UnauthorizedError(explain(what, details), details);
}

function paymentRequired(details: Details): CarbonError {
  const message = explain('The account does not allow this request', details);
  return new UnauthorizedError(message, details, 'payment_required');
}

function tooMany(details: Details): CarbonError {
  const what = isQuota(details) ? 'Quota used up' : 'Too many requests';
  return new UnavailableError('rate_limited', explain(what, details), details);
}

function serviceFailed(info: RequestInfo, details: Details): CarbonError {
  const message = explain(`The service at ${info.baseUrl} failed`, details);
  return new UnavailableError('service_failed', message, {
    ...details,
    response: `it responded ${labelOf(details)}${textOf(details)}`,
  });
}

function redirected(target: string, info: RequestInfo, details: Details): CarbonError {
  const to = quotable(target, undefined, info.redact);
  return new UnavailableError(
    'unreadable_response',
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
    'unreadable_response',
    `${info.baseUrl} responded ${status}, but not in the format of the service${cause}${quote}`,
    {
      ...details,
      reason: status === 404 ? 'unknown_path' : undefined,
      response: `it responded ${status} in an undefined format${quote}`,
    },
  );
}

/* Adds the status and the text of the service: `what (422 Title): detail`. */
function explain(what: string, details: Details): string {
  return `${what} (${labelOf(details)})${textOf(details)}`;
}

function labelOf({ status, title }: Details): string {
  // The title of a 429 repeats what the message says.
  return title === undefined || status === 429 ? `${status}` : `${status} ${title}`;
}

function textOf({ detail }: Details): string {
  // More words may follow the message.
  return detail === undefined ? '' : `: ${detail.replace(/\.$/, '')}`;
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
