import { isUtf8 } from 'node:buffer';
import { hash, timingSafeEqual } from 'node:crypto';
import type { Identifier } from '../client/registration/fields.ts';
import { isoCodes } from '../client/registration/iso-codes.ts';
import { identifierSchema } from '../client/registration/schema.ts';
import { toCarbonError } from '../runtime/carbon-error.ts';
import type { Clock } from '../runtime/clock.ts';
import {
  defaultCurrency,
  knownCurrency,
  ratesPerDollar,
  recordOf,
  scenarioOf,
  statusOf,
} from './records.ts';
import { identityOf, type Store } from './store.ts';

export interface PlainRequest {
  readonly method: string;
  /** Path and query exactly as sent. */
  readonly target: string;
  readonly authorization: string | undefined;
  /** Undefined if the body was larger than `maxBodyBytes`. */
  readonly body: Buffer | undefined;
}

/** The largest request body that the sandbox reads. */
export const maxBodyBytes = 1024 * 1024;

export interface SandboxResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** How a fault disturbs the delivery: see `faultKinds`. */
  readonly delivery?: 'reset' | 'silent' | 'slow' | 'truncated';
}

const titles: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Unauthorized',
  404: 'Not found',
  405: 'Method not allowed',
  422: 'Unrecognized parameters',
  429: 'Too many organizations',
  500: 'Server error',
  502: 'Bad gateway',
  503: 'Service unavailable',
  504: 'Gateway timeout',
};

/* Not part of the specification. A client can report that the figures are synthetic. */
const synthetic = { 'Carbon-Sandbox': 'synthetic' };

/** Makes a response with a JSON body. */
export function jsonResponse(
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): SandboxResponse {
  const type = { 'Content-Type': 'application/json', ...synthetic };
  return { status, headers: { ...type, ...headers }, body };
}

/** Makes an error response (section 2.10); a 401 has the challenge of RFC 9110, 11.6.1. */
export function problem(
  status: number,
  detail: string,
  headers?: Readonly<Record<string, string>>,
): SandboxResponse {
  const body = { status, title: titles[status] ?? 'Error', detail };
  const challenge = status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {};
  return jsonResponse(status, JSON.stringify(body), { ...challenge, ...headers });
}

/** Makes the 404 response to a registration (section 4.1). */
export function nothingMatches(detail: string): SandboxResponse {
  return jsonResponse(404, JSON.stringify({ status: 404, detail }));
}

/** Makes the 404 response to a retrieval, the only error with an id (section 4.2). */
export function notRegistered(id: string): SandboxResponse {
  const detail = 'No organization is registered under this id.';
  const body = { status: 404, title: 'Organization not found', detail, id };
  return jsonResponse(404, JSON.stringify(body));
}

/*
 * Creates a token bucket that holds `rate` tokens, at least 1, and gains as many per second. It
 * returns the seconds until a request is allowed, an integer from 1; 0 if this one is.
 */
function tokenBucket(clock: Clock, rate: number): () => number {
  const size = Math.max(1, rate);
  let tokens = size;
  let filledAtMs = clock.elapsed();
  return () => {
    const nowMs = clock.elapsed();
    tokens = Math.min(size, tokens + ((nowMs - filledAtMs) / 1000) * rate);
    filledAtMs = nowMs;
    // Rounding errors must not reject a client that waited for Retry-After.
    if (tokens <= 1 - 1e-6) return Math.max(1, Math.ceil((1 - tokens) / rate - 1e-6));
    tokens = Math.max(0, tokens - 1);
    return 0;
  };
}

/** Options of the service. */
export interface SandboxServiceOptions {
  /** The clock of rate limit, latency and research. */
  readonly clock: Clock;
  /** The only API key that the sandbox accepts. */
  readonly key: string;
  /** Maximum requests per second and in a burst; any further one gets a 429 with Retry-After. */
  readonly rate?: number | undefined;
  /** Maximum number of new organizations; any further one gets a 429 without Retry-After. */
  readonly quota?: number | undefined;
  /** Typical duration of research, plus or minus a quarter; 10,000 by default. */
  readonly researchMs?: number | undefined;
}

/** Creates the function that handles every request. It never throws. */
export function openService(
  options: SandboxServiceOptions,
  store: Store,
): (request: PlainRequest) => SandboxResponse {
  const { clock, rate, quota = Number.POSITIVE_INFINITY, researchMs = 10_000 } = options;
  const digest = (text: string) => hash('sha256', text, 'buffer');
  const expected = digest(options.key);
  const take = rate ? tokenBucket(clock, rate) : () => 0;
  let added = 0;

  function register({ body }: PlainRequest): SandboxResponse {
    const read = readIdentifier(body);
    if ('status' in read) return read;
    const { currency, ...identifier } = read;
    const identity = identityOf(identifier);
    const isNew = store.find(identity) === undefined;
    if (isNew && added >= quota)
      return problem(429, `The quota of ${quota} new organizations is used up.`);
    const id = store.register(identity, identifier, clock.now());
    // A registration that failed, as on a full disk, uses up no quota.
    if (isNew) added++;
    return recordResponse(id, currency || defaultCurrency);
  }

  function retrieve(id: string, query: URLSearchParams): SandboxResponse {
    const currency = query.get('currency') || defaultCurrency;
    const known = knownCurrency(currency);
    if (known === undefined) return problem(400, unknownCurrency(currency));
    return recordResponse(/^\d{1,15}$/.test(id) ? Number(id) : 0, known, id);
  }

  function recordResponse(id: number, currency: string, given = String(id)): SandboxResponse {
    const registered = store.get(id);
    if (registered === undefined) return notRegistered(given);
    const ageMs = clock.now() - registered.at;
    const record = recordOf(registered, statusOf(registered, ageMs, researchMs), currency);
    return jsonResponse(200, JSON.stringify(record));
  }

  function handle(request: PlainRequest): SandboxResponse {
    const [path = '', query = ''] = request.target
      .replace(/^https?:\/\/[^/]*/i, '')
      .split(/\?(.*)/s, 2);
    const id = /^\/organizations\/([^/]+)$/.exec(path)?.[1];
    if (path !== '/organizations' && id === undefined)
      return problem(404, 'This path does not exist.');
    const allowed = id === undefined ? 'POST' : 'GET';
    if (request.method !== allowed)
      return problem(405, `This path supports only ${allowed}.`, { Allow: allowed });
    if (request.authorization === undefined) return problem(401, 'The request has no API key.');
    // The scheme may have any case (RFC 9110, section 11.1).
    const given = /^bearer +(.*)$/i.exec(request.authorization)?.[1] ?? '';
    if (!timingSafeEqual(digest(given.trim()), expected))
      return problem(401, 'The API key is not valid.');
    const waitSeconds = take();
    if (waitSeconds > 0)
      return problem(429, `The rate limit is ${rate} requests per second.`, {
        'Retry-After': String(waitSeconds),
      });
    return id === undefined ? register(request) : retrieve(id, new URLSearchParams(query));
  }

  return (request) => {
    try {
      return handle(request);
    } catch (error) {
      return problem(500, `The sandbox failed: ${toCarbonError(error).message}`);
    }
  };
}

/* Parses the body of a registration; returns an error response for an invalid one. */
function readIdentifier(body: Buffer | undefined): Identifier | SandboxResponse {
  if (body === undefined) return problem(400, `The body is larger than ${maxBodyBytes} bytes.`);
  if (!isUtf8(body)) return problem(400, 'The body is not valid UTF-8.');
  let value: unknown;
  try {
    value = JSON.parse(body.toString());
  } catch {
    return problem(400, 'The body is not valid JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return problem(400, 'The body must be a JSON object.');
  const read = identifierSchema.safeParse(value);
  if (!read.success) return refusal(read.error.issues, value);
  const { name, hq_region, currency } = read.data;
  if (name.trim() === '') return problem(400, 'name must not be blank.');
  if (hq_region && !isoCodes.has(hq_region.toUpperCase()))
    return problem(422, `hq_region ${quoted(hq_region)} is not an ISO 3166-1 alpha-2 code.`);
  const known = currency && knownCurrency(currency);
  if (currency && !known) return problem(400, unknownCurrency(currency));
  const status = Number(scenarioOf(name));
  if (status === 404) return nothingMatches('No organization matches these details.');
  if (status >= 400) return problem(status, `This name asks for ${status}.`);
  return { ...read.data, ...(known && { currency: known }) };
}

type Issues = NonNullable<ReturnType<typeof identifierSchema.safeParse>['error']>['issues'];

function refusal(issues: Issues, value: object): SandboxResponse {
  const unknown = issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : []));
  if (unknown.length > 0) {
    const named = unknown.slice(0, 10).map(quoted).join(', ');
    return problem(422, `Unrecognized parameters: ${named}${unknown.length > 10 ? ' ...' : ''}.`);
  }
  const [issue] = issues;
  const field = String(issue?.path[0]);
  if (!Object.hasOwn(value, field)) return problem(400, `${field} is required.`);
  if (issue?.code !== 'invalid_type') return problem(400, `${field} must not be blank.`);
  return problem(400, `${field} must be a ${issue.expected}.`);
}

function unknownCurrency(code: string): string {
  const known = Object.keys(ratesPerDollar).join(', ');
  return `The sandbox has no rate for the currency ${quoted(code)}. It has rates for ${known}.`;
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
