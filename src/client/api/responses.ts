/*
 * Reads an HTTP response as a record, or as one of the failures of section 7 of the specification.
 * A response in any other form is a failure of the service, never of the data.
 */

import { isUtf8 } from 'node:buffer';
import {
  type CarbonError,
  type ErrorDetails,
  HintedError,
  type RateLimit,
} from '../../runtime/carbon-error.ts';
import { readRateLimit, responseTime } from '../pace/rate-limit-headers.ts';
import { NotFoundError, RejectedError, UnauthorizedError, UnavailableError } from './errors.ts';
import { canBeRecord, isObject, isSameId, type OrganizationId, readReference } from './ids.ts';
import type { Organization } from './schema.ts';

/** Contains one complete HTTP response; header names are in lower case. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Uint8Array;
}

/** Contains a record as the service sent it. */
export interface RecordResponse {
  /** Record whose values are not checked yet; `readRecord` drops values of unexpected types. */
  readonly record: Organization;
  /** JSON text of the response, byte for byte: numbers, key order and repeated keys unchanged. */
  readonly json: string;
  readonly limit?: RateLimit | undefined;
}

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
  const { status, headers } = response;
  if (status < 200 || status > 299) throw readFailure(response, info, now);
  const wrong = (what: string) => {
    const details = readDetails(response, info, now);
    return unreadable(info, details, `responded ${status} with ${what}`);
  };
  const { json, value } = readJson(response, wrong);
  const record = isObject(value) ? value : {};
  // The status of a record is a string (section 2.1), that of an error a number (section 2.10).
  if (typeof record['status'] === 'number') throw wrong('an error in its body');
  if (!canBeRecord(record)) throw wrong('JSON that is not an organization record');
  return { record: record as Organization, json, limit: readRateLimit(headers, now) };
}

/**
 * Reads a response as the record of the organization that was requested.
 * @throws HintedError for the record of another one
 */
export function readRetrieval(
  response: HttpResponse,
  info: RequestInfo,
  now: number,
): RecordResponse {
  const received = readResponse(response, info, now);
  const { id = '' } = info;
  // A record without a usable id counts as that of the requested organization.
  const found = readReference(received.record).id ?? id;
  if (isSameId(found, id)) return received;
  const problem = `The service sent the record of organization ${found} for organization ${id}`;
  const hint = 'Check the base URL, or report this to the operator of the service.';
  throw new HintedError('unreadable_response', problem, { id, hint });
}

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
  const { record, json, limit } = readResponse(response, info, now);
  const { id, status } = readReference(record);
  if (response.status === 200 && id !== undefined) return { record, json, limit, id, status };
  const what = `responded ${response.status} with a record that proves no registration`;
  throw unreadable(info, readDetails(response, info, now), what);
}

function readJson(
  response: HttpResponse,
  wrong: (what: string) => CarbonError,
): { readonly json: string; readonly value: unknown } {
  const { body } = response;
  let json: string;
  try {
    json = utf8.decode(body);
  } catch {
    throw wrong(
      isCompressed(response)
        ? 'a compressed body (gzip or similar), which carbon did not request'
        : 'bytes that are not UTF-8 text',
    );
  }
  try {
    return { json, value: JSON.parse(json) };
  } catch {
    // Omits the cause, whose message quotes the response and may contain half of a key.
    if (json.trim() === '') throw wrong('an empty body');
    const isPage = /^\s*<(!doctype|html|\?xml)/i.test(json);
    throw wrong(isPage ? 'a web page instead of JSON' : 'truncated or invalid JSON');
  }
}

/** Returns the error for a response whose status is not 2xx, received at the wall time `now`. */
function readFailure(response: HttpResponse, info: RequestInfo, now: number): CarbonError {
  const { status } = response;
  const { subject, baseUrl, redact } = info;
  const body = readErrorBody(response.body);
  const title = quotable(body['title'], redact, maxTitleLength);
  const detail = quotable(body['detail'], redact);
  const details = { title, detail, ...readDetails(response, info, now) };
  const label = title === undefined ? `${status}` : `${status} ${title}`;
  // More words may follow the message.
  const text = detail === undefined ? '' : `: ${detail.replace(/\.$/, '')}`;
  const explained = (what: string) => `${what} (${label})${text}`;
  if (status === 429) {
    // Nothing in a response tells a quota from a rate limit, so the service's own words follow.
    const isUsual = /^too many requests\.?$/i.test(title ?? '');
    const named = isUsual
      ? undefined
      : (title ?? quotable(readText(response.body), redact, maxTitleLength));
    const said = detail ?? named;
    const words = said === undefined ? '' : `: ${said.replace(/\.$/, '')}`;
    return new UnavailableError('rate_limited', `Too many requests (429)${words}`, details);
  }
  if (status >= 500)
    return new UnavailableError(
      'service_failed',
      explained(`The service at ${baseUrl} failed`),
      details,
    );
  if (status === 401)
    return new UnauthorizedError(explained('The service rejected the API key'), details);
  if (status === 402) {
    const message = explained('The account does not allow this request');
    return new UnauthorizedError(message, details, 'payment_required');
  }
  // The page of a firewall has another form, and is not about the key or the data.
  const isError = body['status'] === status && typeof body['detail'] === 'string';
  const isTitled = isError && typeof body['title'] === 'string';
  if (status === 403 && isTitled)
    return new UnauthorizedError(explained('The API key does not allow this request'), details);
  if ((status === 400 || status === 422) && isTitled)
    return new RejectedError(explained(`The service rejected ${subject}`), details);
  if (status === 404 && info.id === undefined && isError && (body['title'] ?? null) === null)
    return new NotFoundError(explained(`The service did not find ${subject}`), details);
  // The 404 of a web framework has no id, or that of a trace instead of the organization's.
  if (status === 404 && info.id !== undefined && isTitled && isIdOf(body['id'], info.id))
    return new NotFoundError(`No organization has ID ${info.id}`, details);
  const target = header(response, 'location');
  if (status >= 300 && status < 400 && status !== 304 && target !== undefined) {
    const to = `redirects to ${quotable(target, redact)} (${status})`;
    const what = `${to}; carbon does not send the API key there`;
    return unreadable(info, { ...details, reason: 'redirect' }, what);
  }
  const quote = detail || title ? ` (response text: ${detail || title})` : '';
  if (isCompressed(response)) {
    const what = `responded ${status} with a compressed body (gzip or similar), which carbon did not request`;
    return unreadable(info, details, what);
  }
  const what = `responded ${status}, but not in the format of the service${quote}`;
  return unreadable(info, status === 404 ? { ...details, reason: 'unknown_path' } : details, what);
}

/* Returns the error for a response in another form. */
function unreadable({ baseUrl }: RequestInfo, details: Details, what: string): UnavailableError {
  return new UnavailableError('unreadable_response', `${baseUrl} ${what}`, details);
}

/* Checks a body that is not UTF-8 text: a proxy may drop the header, and gzip begins so. */
function isCompressed(response: HttpResponse): boolean {
  const { body } = response;
  if (body[0] === 0x1f && body[1] === 0x8b) return true;
  const coding = header(response, 'content-encoding') ?? 'identity';
  return coding !== 'identity' && !isUtf8(body);
}

/* Returns the first value of a header. */
function header(response: HttpResponse, name: string): string | undefined {
  const value = response.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

type Details = ErrorDetails & { readonly status: number };

function readDetails(response: HttpResponse, info: RequestInfo, now: number): Details {
  const receivedAt = responseTime(response.headers, now);
  const retryAfterMs = readRetryAfter(header(response, 'retry-after'), receivedAt);
  return {
    status: response.status,
    id: info.id,
    retryAfterMs,
    retryAtMs: retryAfterMs === undefined ? undefined : now + retryAfterMs,
    rateLimit: readRateLimit(response.headers, now),
  };
}

/* Longer than any reasonable text; a batch stores it for every row. */
const maxTitleLength = 200;
const maxDetailLength = 4_000;

/* Reads the body of a response with an error status (section 2.10); {} if it is no JSON object. */
function readErrorBody(body: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(utf8.decode(body));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/* Returns what a body in no form of the specification says, unless it is a web page. */
function readText(body: Uint8Array): string | undefined {
  try {
    const text = utf8.decode(body).trim();
    const value: unknown = /^[{["]/.test(text) ? JSON.parse(text) : text;
    const said = isObject(value) ? (value['message'] ?? value['error']) : value;
    return typeof said === 'string' && said !== '' && !said.startsWith('<') ? said : undefined;
  } catch {
    return undefined;
  }
}

function isIdOf(value: unknown, id: string): boolean {
  return (typeof value === 'string' || typeof value === 'number') && isSameId(value, id);
}

/* Redacts and truncates text of the service, which ends up in messages, results and files. */
function quotable(
  text: unknown,
  redact: RequestInfo['redact'] = (unchanged) => unchanged,
  maxLength = maxDetailLength,
): string | undefined {
  if (typeof text !== 'string') return undefined;
  const redacted = redact(text);
  return redacted.length > maxLength ? `${redacted.slice(0, maxLength)}…` : redacted;
}

/**
 * Parses a Retry-After header: seconds, or an HTTP date (RFC 9110, section 10.2.3).
 * @param now time of the response in milliseconds since 1970, by the service's clock
 * @returns the wait in milliseconds, 0 for a date in the past, undefined for an invalid value
 */
export function readRetryAfter(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000;
  const date = text.endsWith('GMT') ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
