/*
 * What an HTTP answer means: a record, or one of the failures of the specification's section 7.
 * An answer that is not in the specification's form is a failure of the service, never of the data.
 */
import type { Organization } from '../contract.ts';
import {
  type CarbonError,
  type ErrorDetails,
  NotFoundError,
  RefusedError,
  UnauthorizedError,
  UnavailableError,
} from '../errors.ts';
import type { Answer } from './exchange.ts';
import { type RateLimit, readRateLimit } from './rate-limit.ts';
import { readRetryAfter } from './retry-after.ts';

/** A record as it was received. */
export interface Received {
  /** The record, not yet checked: `readRecord` makes it safe to show. */
  readonly record: Organization;
  /** The received JSON text, byte for byte: numbers, key order and repeated keys as the service sent them. */
  readonly json: string;
  /** The rate limit that the headers tell. */
  readonly limit?: RateLimit | undefined;
}

/** What was asked, for messages: `subject` is the organization's name or `organization 12`. */
export interface Asked {
  readonly subject: string;
  readonly baseUrl: string;
  readonly id?: string | undefined;
  /** Hides the key in text of the service, which ends up in messages, results and files. */
  readonly hide?: ((text: string) => string) | undefined;
}

/* More than any honest service says; it is kept for every row that a batch sends. */
const longestTitle = 200;
const longestDetail = 4_000;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Makes something of an answer that was asked for at the wall time `now`.
 * @throws CarbonError when the answer is an error, or not the service's
 */
export type ReadAnswer<Got> = (answer: Answer, asked: Asked, now: number) => Got;

/** Reads an answer as a record, or throws the error that it is. */
export function readAnswer(answer: Answer, asked: Asked, now: number): Received {
  const { status } = answer;
  if (status < 200 || status > 299) throw readFailure(answer, asked, now);
  const { json, value } = readJson(answer, asked);
  if (!isObject(value)) throw unreadable(answer, asked, `${describe(value)} instead of a JSON object`);
  if (typeof value['status'] === 'number' && 'detail' in value) {
    const { title = '', detail = title } = readError(value, asked);
    throw unreadable(answer, asked, `an error as its body: ${detail || value['status']}`);
  }
  return { record: value as Organization, json, limit: readRateLimit(answer.headers, now) };
}

function readJson(answer: Answer, asked: Asked): { json: string; value: unknown } {
  let json: string;
  try {
    json = utf8.decode(answer.body);
  } catch {
    const coding = header(answer, 'content-encoding');
    throw unreadable(
      answer,
      asked,
      coding === undefined ? 'bytes that are not UTF-8 text' : 'a compressed body, which was not asked for',
    );
  }
  if (json.trim() === '') throw unreadable(answer, asked, 'an empty body');
  try {
    return { json, value: JSON.parse(json) };
  } catch {
    // Without the cause: its message quotes the answer, and may quote half of a key.
    throw unreadable(answer, asked, notJson(json));
  }
}

function notJson(text: string): string {
  if (/^\s*<(!doctype|html|\?xml)/i.test(text)) return 'a web page instead of JSON';
  return /^\s*[{[]/.test(text) ? 'JSON that is cut off or broken' : 'text that is not JSON';
}

function readFailure(answer: Answer, asked: Asked, now: number): CarbonError {
  const { status } = answer;
  const body = readErrorBody(answer, asked);
  const limit = readRateLimit(answer.headers, now);
  const details = { ...body, status, id: asked.id, retryAfterMs: retryAfter(answer, now), limit };
  if (status === 429) return tooMany(details, now);
  if (status >= 500) return serviceFailed(asked, details, now);
  if (status === 401 || status === 403) return unauthorized(status, details);
  if (status >= 300 && status < 400) return redirected(answer, asked);
  if (body === undefined) return notOfTheService(asked, status);
  if (status === 404) return notFound(asked, details);
  if (status === 408) return serviceFailed(asked, details, now);
  return refused(asked, details);
}

type Failure = ErrorDetails & {
  readonly status: number;
  readonly retryAfterMs: number | undefined;
  readonly limit: RateLimit | undefined;
};

function refused(asked: Asked, details: Failure): CarbonError {
  const isAboutFields = asked.id === undefined && (details.status === 400 || details.status === 422);
  return new RefusedError(`${asked.subject} was not accepted: ${said(details)}`, {
    ...details,
    ...(isAboutFields && {
      hint: '`carbon register --help` lists the fields; --field sends one that it does not know.',
    }),
  });
}

function notFound(asked: Asked, details: Failure): CarbonError {
  const message =
    asked.id === undefined ? `The service did not find ${asked.subject}` : `There is no ${asked.subject}`;
  return new NotFoundError(`${message}: ${said(details)}`, {
    ...details,
    hint:
      asked.id === undefined
        ? 'More of what identifies the organization may help: a country, a website, an LEI.'
        : 'Only a registered organization has an id: `carbon register --name ...` answers with it.',
  });
}

function unauthorized(status: number, details: Failure): CarbonError {
  const message = status === 401 ? 'The service refused the API key' : 'The API key does not permit this';
  return new UnauthorizedError(`${message}: ${said(details)}`, {
    ...details,
    hint: '`carbon whoami` shows which key is used and where it comes from; `carbon login` stores another.',
  });
}

function tooMany(details: Failure, now: number): CarbonError {
  return new UnavailableError('rate_limited', `Too many requests: ${said(details)}`, {
    ...details,
    hint:
      askedPatience(details, now) ??
      'Try again later. If it stays so, the quota of your plan may be used up.',
  });
}

function serviceFailed(asked: Asked, details: Failure, now: number): CarbonError {
  return new UnavailableError('service_failed', `The service at ${asked.baseUrl} failed: ${said(details)}`, {
    ...details,
    hint: askedPatience(details, now) ?? 'Try again later; the same command may be repeated safely.',
  });
}

function askedPatience({ retryAfterMs }: Failure, now: number): string | undefined {
  if (retryAfterMs === undefined || retryAfterMs < 1_000) return undefined;
  const until = new Date(Math.min(now + retryAfterMs, 8.64e15)).toISOString().replace(/\.\d+Z$/, 'Z');
  return `The service asks to wait ${Math.ceil(retryAfterMs / 1000)} s, until ${until}.`;
}

function redirected(answer: Answer, asked: Asked): CarbonError {
  const target = shown(header(answer, 'location') ?? 'another address', longestDetail, asked);
  return new UnavailableError(
    'unreadable_answer',
    `${asked.baseUrl} redirects to ${target} (${answer.status}); the API key is not sent along a redirect`,
    {
      status: answer.status,
      id: asked.id,
      hint: 'If that is the service, give its address as the base URL.',
    },
  );
}

function notOfTheService(asked: Asked, status: number): CarbonError {
  return new UnavailableError(
    'unreadable_answer',
    `${asked.baseUrl} answered ${status}, but not in the form of the service`,
    { status, id: asked.id, hint: checkBaseUrl },
  );
}

const checkBaseUrl = 'Check the base URL with `carbon whoami`; a proxy in between may have answered instead.';

function unreadable(answer: Answer, asked: Asked, what: string): CarbonError {
  return new UnavailableError(
    'unreadable_answer',
    `${asked.baseUrl} answered ${answer.status} with ${what}`,
    { status: answer.status, id: asked.id, hint: checkBaseUrl },
  );
}

/** `title` and `detail` of an error body (section 2.10), undefined for a body of any other form. */
function readErrorBody(answer: Answer, asked: Asked): ErrorText | undefined {
  let body: unknown;
  try {
    body = JSON.parse(utf8.decode(answer.body));
  } catch {
    return undefined;
  }
  if (!isObject(body)) return undefined;
  const error = readError(body, asked);
  return 'title' in error || 'detail' in error ? error : undefined;
}

type ErrorText = Pick<ErrorDetails, 'title' | 'detail'>;

function readError({ title, detail }: Record<string, unknown>, asked: Asked): ErrorText {
  return {
    ...(typeof title === 'string' && { title: shown(title, longestTitle, asked) }),
    ...(typeof detail === 'string' && { detail: shown(detail, longestDetail, asked) }),
  };
}

function shown(text: string, most: number, { hide = (same) => same }: Asked): string {
  const hidden = hide(text);
  return hidden.length > most ? `${hidden.slice(0, most)}…` : hidden;
}

function said({ status, title, detail }: Failure): string {
  const label = title === undefined ? `${status}` : `${status} ${title}`;
  return detail === undefined ? label : `${detail} (${label})`;
}

function retryAfter(answer: Answer, now: number): number | undefined {
  return readRetryAfter(header(answer, 'retry-after'), now);
}

function header(answer: Answer, name: string): string | undefined {
  const value = answer.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
