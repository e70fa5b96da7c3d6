/*
 * Reads an HTTP response as a record. A response in any other form is a failure of the service,
 * never of the data; `failures.ts` reads those with an error status.
 */

import { isUtf8 } from 'node:buffer';
import {
  type CarbonError,
  type ErrorDetails,
  HintedError,
  type RateLimit,
} from '../../runtime/carbon-error.ts';
import { readRateLimit, responseTime } from '../pace/rate-limit-headers.ts';
import { UnavailableError } from './errors.ts';
import { isObject, isSameId, type OrganizationId, readReference } from './ids.ts';
import { memberNames } from './member-names.ts';
import type { ReadRecord } from './read-record.ts';
import type { Organization } from './schema.ts';

/** Contains one complete HTTP response; header names are in lower case. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Uint8Array;
}

/** Contains a record that the service sent, without its values of unexpected types. */
export interface RecordResponse extends ReadRecord {
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
  /** Checks the values of a record by the schema; undefined if only its JSON text matters. */
  readonly parse?: ((record: object, bytes: number) => ReadRecord) | undefined;
}

export const utf8 = new TextDecoder('utf-8', { fatal: true });

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
 * Checks whether a response has a record. The specification defines only 200 for one; any other 2xx
 * status counts as well, because such a record is complete.
 */
export function isSuccess({ status }: HttpResponse): boolean {
  return status >= 200 && status <= 299;
}

/**
 * Reads a successful response as a record.
 * @throws UnavailableError for anything else
 */
export function readResponse(
  response: HttpResponse,
  info: RequestInfo,
  now: number,
): RecordResponse {
  const { status, headers } = response;
  const wrong = (what: string) => {
    const details = readDetails(response, info, now);
    return unreadable(info, details, `responded ${status} with ${what}`);
  };
  const { json, value } = readJson(response, wrong);
  const record = isObject(value) ? value : {};
  // The status of a record is a string (section 2.1), that of an error a number (section 2.10).
  if (typeof record['status'] === 'number') throw wrong('an error in its body');
  if (!canBeRecord(record)) throw wrong('JSON that is not an organization record');
  const limit = readRateLimit(headers, now);
  const parsed = info.parse?.(record, response.body.length) ?? unparsed(record);
  // For each copy by a spread, Node 20 makes a hidden class in the old generation.
  return {
    record: parsed.record,
    droppedPaths: parsed.droppedPaths,
    droppedCount: parsed.droppedCount,
    json,
    limit,
  };
}

/**
 * Checks whether an object can be a record: it has a value for a field of section 2.1 other than
 * `status`, which health checks and error bodies also have.
 */
export function canBeRecord(value: Readonly<Record<string, unknown>>): boolean {
  return memberNames.some((name) => name !== 'status' && (value[name] ?? null) !== null);
}

function unparsed(record: object): ReadRecord {
  return { record: record as Organization, droppedPaths: [], droppedCount: 0 };
}

/**
 * Reads a response as the record of the organization that was requested.
 * @throws HintedError for the record of another one
 */
export function readRequested(
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
  const received = readResponse(response, info, now);
  const { id, status } = readReference(received.record);
  if (response.status === 200 && id !== undefined) {
    const { record, droppedPaths, droppedCount, json, limit } = received;
    return { record, droppedPaths, droppedCount, json, limit, id, status };
  }
  const what = `responded ${response.status} with a record that does not confirm the registration`;
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

/** Returns the error for a response in another form. */
export function unreadable(
  { baseUrl }: RequestInfo,
  details: Details,
  what: string,
): UnavailableError {
  return new UnavailableError('unreadable_response', `${baseUrl} ${what}`, details);
}

/** Checks a body that is not UTF-8 text: a proxy may drop the header, and gzip begins so. */
export function isCompressed(response: HttpResponse): boolean {
  const { body } = response;
  if (body[0] === 0x1f && body[1] === 0x8b) return true;
  const coding = header(response, 'content-encoding') ?? 'identity';
  return coding !== 'identity' && !isUtf8(body);
}

/** Returns the first value of a header. */
export function header(response: HttpResponse, name: string): string | undefined {
  const value = response.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

type Details = ErrorDetails & { readonly status: number };

export function readDetails(response: HttpResponse, info: RequestInfo, now: number): Details {
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
