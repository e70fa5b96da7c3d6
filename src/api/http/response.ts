/*
 * Reads an HTTP response as a record, or as one of the failures of section 7 of the specification.
 * A response in any other form is a failure of the service, never of the data.
 */
import type { CarbonError, RateLimit } from '../../runtime/carbon-error.ts';
import { readRateLimit } from '../rate-limit/headers.ts';
import { canBeRecord, isObject } from '../reference.ts';
import type { Organization } from '../schema.ts';
import { header, quotable, readFailure, unreadable } from './failed-response.ts';
import type { HttpResponse } from './request.ts';

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
  /** Id of the requested organization; undefined for a registration. */
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

/** Checks for an error status as a string, such as "404", which is no status of research. */
export function isErrorStatus(status: unknown): boolean {
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
