/*
 * What an HTTP answer means: a record, or one of the failures of the specification's section 7.
 * An answer that is not in the specification's form is a failure of the service, never of the data.
 */

import type { CarbonError, RateLimit } from '../../runtime/carbon-error.ts';
import { readRateLimit } from '../rate-limit/headers.ts';
import { canBeRecord, isObject } from '../reference.ts';
import type { Organization } from '../schema.ts';
import { quotable } from './error-body.ts';
import { header, readFailure, unreadable } from './failed-response.ts';
import type { HttpResponse } from './request.ts';

/** A record as it was received. */
export interface RecordResponse {
  /** The record, not yet checked: `readRecord` makes it safe to show. */
  readonly record: Organization;
  /**
   * The received JSON text, byte for byte: numbers, key order and repeated keys as the service sent
   * them.
   */
  readonly json: string;
  /** The rate limit that the headers tell. */
  readonly limit?: RateLimit | undefined;
}

/** What was asked, for messages: `subject` is the organization's name or `organization 12`. */
export interface RequestInfo {
  readonly subject: string;
  readonly baseUrl: string;
  /** The requested organization; undefined for a registration. */
  readonly id?: string | undefined;
  /** Hides the key in text of the service, which ends up in messages, results and files. */
  readonly hide?: ((text: string) => string) | undefined;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Makes something of an answer that was asked for at the wall time `now`.
 * @throws CarbonError when the answer is an error, or not the service's
 */
export type ReadResponse<Got> = (answer: HttpResponse, asked: RequestInfo, now: number) => Got;

/**
 * Reads an answer as a record, or throws the error that it is.
 *
 * The specification defines only 200 for a record. A record with another 2xx status counts too: it
 * is complete, and nothing is lost by reading it.
 */
export function readResponse(
  answer: HttpResponse,
  asked: RequestInfo,
  now: number,
): RecordResponse {
  const { status } = answer;
  if (status < 200 || status > 299) throw readFailure(answer, asked, now);
  const wrong = (what: string) => unreadable(answer, asked, now, what);
  const { json, value } = readJson(answer, wrong);
  if (!isObject(value)) throw wrong(`${describe(value)} instead of a JSON object`);
  // A record's status is text (section 2.1), an error's is a number (section 2.10).
  if (typeof value['status'] === 'number' && errorTexts.some((name) => name in value)) {
    throw wrong(`an error as its body${quoteOf(value, asked) || `: ${value['status']}`}`);
  }
  if (
    isErrorStatus(value['status']) &&
    (typeof value['title'] === 'string' || typeof value['detail'] === 'string')
  ) {
    throw wrong(`an error as its body${quoteOf(value, asked)}`);
  }
  if (!canBeRecord(value))
    throw wrong(`JSON that holds no organization record${quoteOf(value, asked)}`);
  return { record: value as Organization, json, limit: readRateLimit(answer.headers, now) };
}

/** Checks whether a status is that of an error as text, such as "404": no state of research is. */
export function isErrorStatus(status: unknown): boolean {
  return typeof status === 'string' && /^[45]\d\d$/.test(status);
}

const errorTexts = ['detail', 'message', 'error', 'title'];

/* What such objects say for themselves, as in {"message":"down for maintenance"}. */
function quoteOf(value: Record<string, unknown>, { hide }: RequestInfo): string {
  const words = errorTexts
    .map((name) => value[name])
    .find((text) => typeof text === 'string' && text !== '');
  return typeof words === 'string' ? `: ${quotable(words, undefined, hide)}` : '';
}

function readJson(
  answer: HttpResponse,
  wrong: (what: string) => CarbonError,
): { readonly json: string; readonly value: unknown } {
  let json: string;
  try {
    json = utf8.decode(answer.body);
  } catch {
    const isCoded = header(answer, 'content-encoding') !== undefined;
    throw wrong(
      isCoded ? 'a compressed body, which was not asked for' : 'bytes that are not UTF-8 text',
    );
  }
  if (json.trim() === '') throw wrong('an empty body');
  try {
    return { json, value: JSON.parse(json) };
  } catch {
    // Without the cause: its message quotes the answer, and may quote half of a key.
    throw wrong(notJson(json));
  }
}

function notJson(text: string): string {
  if (/^\s*<(!doctype|html|\?xml)/i.test(text)) return 'a web page instead of JSON';
  return /^\s*[{[]/.test(text) ? 'JSON that is cut off or broken' : 'text that is not JSON';
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
