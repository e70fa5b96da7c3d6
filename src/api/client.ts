import packageJson from '../../package.json' with { type: 'json' };
import type { Registration } from '../registration/fields.ts';
import { CarbonError, HintedError, InvalidInputError } from '../runtime/carbon-error.ts';
import { type Clock, realClock, realRandom } from '../runtime/clock.ts';
import { checkProxies, isLoopback } from '../runtime/proxy.ts';
import { openTransport, type Transport } from '../runtime/transport.ts';
import { readConnectionFailure } from './connection-errors.ts';
import { checkBaseUrl, checkDuration, checkKey } from './credentials.ts';
import { retryWaitMs, UnavailableError } from './errors.ts';
import { isSameId, readReference } from './ids.ts';
import { createRedactor } from './redact.ts';
import { type HttpResponse, type Request, RequestDeadlines, sendRequest } from './request.ts';
import {
  type ReadResponse,
  type RecordResponse,
  type RegistrationResponse,
  type RequestInfo,
  readRegistration,
  readResponse,
} from './responses.ts';
import type { Environment } from './scheduler.ts';

/** Configures a client. Only `baseUrl` and `apiKey` are required. */
export interface ClientOptions {
  /** URL of the service, such as `https://api.example.com/v1`. */
  readonly baseUrl: string;
  /** API key; sent only to the origin of `baseUrl`. */
  readonly apiKey: string;
  /** Maximum time of one attempt, in milliseconds (default 30,000). */
  readonly timeoutMs?: number | undefined;
  /** Maximum number of attempts at a request (default 4), with a Retry-After of up to 60 s. */
  readonly attempts?: number | undefined;
  /** Maximum number of open connections (default 8). */
  readonly connections?: number | undefined;
  /** Aborts every request without a signal of its own, and every wait. */
  readonly signal?: AbortSignal | undefined;
  /** Called for each request, response and retry, for logs. Events never contain the key. */
  readonly onEvent?: ((event: ClientEvent) => void) | undefined;
}

/** Adds the options of the command line and of tests. */
export interface ServiceOptions extends ClientOptions {
  readonly clock?: Clock | undefined;
  /** Returns a random number in [0, 1). */
  readonly random?: (() => number) | undefined;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  readonly openTransport?: typeof openTransport | undefined;
}

/** Describes a step of a request, for logs. Durations are in milliseconds. */
export type ClientEvent =
  | {
      readonly kind: 'request';
      readonly method: string;
      readonly url: string;
      /** Number of the attempt, from 1. */
      readonly attempt: number;
    }
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly bytes: number;
      readonly ms: number;
      /** Whether the response comes from the sandbox of carbon. */
      readonly synthetic: boolean;
    }
  | {
      readonly kind: 'retry';
      /** Wait before the next attempt, or before the next request of a series. */
      readonly ms: number;
      readonly error: CarbonError;
    };

/** Configures a single retrieval. */
export interface RetrieveOptions {
  /** ISO 4217 code of the currency of revenue and emission factors (section 4.2). */
  readonly currency?: string | undefined;
  /** Maximum number of attempts (default: that of the client). */
  readonly attempts?: number | undefined;
}

const maxSubjectLength = 200;
const defaultConnections = 8;
const defaultAttempts = 4;
/* With a longer Retry-After, a command of one request would seem to hang. */
const maxRetryAfterMs = 60_000;

/**
 * Sends the requests of section 4 of the specification, with authentication, timeouts and retries.
 *
 * The command line uses it directly; the library exports `CarbonClient`. Every failure is a
 * `CarbonError`. Call `close` at the end.
 */
export class ServiceClient {
  readonly #options: ServiceOptions;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #signal: AbortSignal;
  readonly #timeoutMs: number;
  readonly #origin: string;
  readonly #path: string;
  readonly #headers: Request['headers'];
  readonly #redact: (text: string) => string;
  readonly #deadlines = new WeakMap<AbortSignal, RequestDeadlines>();
  #transport: Promise<Transport> | undefined;

  /** @throws InvalidInputError if the base URL, the key or the timeout is invalid */
  constructor(options: ServiceOptions) {
    const baseUrl = checkBaseUrl(String(options.baseUrl), 'baseUrl');
    const url = new URL(baseUrl);
    this.#options = {
      ...options,
      baseUrl,
      apiKey: checkKey(String(options.apiKey ?? ''), 'apiKey'),
    };
    this.#clock = options.clock ?? realClock;
    this.#random = options.random ?? realRandom;
    this.#signal = options.signal ?? new AbortController().signal;
    this.#timeoutMs = checkDuration(options.timeoutMs ?? 30_000, 'timeoutMs');
    this.#origin = url.origin;
    this.#path = url.pathname.replace(/\/+$/, '');
    this.#headers = headersWith(this.#options.apiKey);
    this.#redact = createRedactor(this.#options.apiKey);
  }

  /**
   * Registers an organization (section 4.1), and returns its record.
   * @param signal aborts this request (default: the signal of the client)
   * @param attempts maximum number of attempts (default: that of the client)
   */
  async register(
    identifier: Registration,
    signal?: AbortSignal,
    attempts?: number,
  ): Promise<RegistrationResponse> {
    if (typeof identifier?.name !== 'string' || identifier.name.trim() === '')
      throw new InvalidInputError('An organization needs a name');
    const body = JSON.stringify(identifier);
    const info = { subject: this.#shortName(identifier) };
    const request = { method: 'POST', path: '/organizations', body } as const;
    return this.#request(request, info, readRegistration, signal, attempts);
  }

  /**
   * Retrieves the current record of a registered organization (section 4.2).
   * @throws HintedError for the record of another organization
   */
  async retrieve(
    id: string | number,
    options?: RetrieveOptions,
    signal?: AbortSignal,
  ): Promise<RecordResponse> {
    const response = await this.retrieveAs(readResponse, id, options, signal);
    // A record without a usable id counts as that of the requested organization.
    const received = readReference(response.record).id ?? id;
    if (isSameId(received, id)) return response;
    const problem = `The service sent the record of organization ${received} for organization ${id}`;
    throw new HintedError('unreadable_response', problem, {
      id: String(id),
      hint: 'Check the base URL, or report this to the operator of the service.',
    });
  }

  /** Retrieves a record and reads the response with `read`. */
  async retrieveAs<Result extends object>(
    read: ReadResponse<Result>,
    id: string | number,
    { currency, attempts }: RetrieveOptions = {},
    signal?: AbortSignal,
  ): Promise<Result> {
    if (!/^\d+$/.test(String(id)))
      throw new InvalidInputError(`${id} is not an organization ID: IDs are non-negative integers`);
    const query = currency === undefined ? '' : `?currency=${encodeURIComponent(currency)}`;
    const path = `/organizations/${id}${query}`;
    const info = { subject: `organization ${id}`, id: String(id) };
    return this.#request({ method: 'GET', path, body: null }, info, read, signal, attempts);
  }

  get baseUrl(): string {
    return this.#options.baseUrl;
  }

  get environment(): Environment & { readonly connections: number } {
    const { onEvent, connections = defaultConnections } = this.#options;
    return {
      clock: this.#clock,
      random: this.#random,
      signal: this.#signal,
      connections,
      onWait: (ms, error) => onEvent?.({ kind: 'retry', ms, error }),
    };
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    const transport = await this.#transport?.catch(() => undefined);
    await transport?.destroy();
  }

  async #request<Result extends object>(
    { method, path, body }: Pick<Request, 'method' | 'path' | 'body'>,
    about: Pick<RequestInfo, 'subject' | 'id'>,
    read: ReadResponse<Result>,
    signal: AbortSignal = this.#signal,
    attempts: number = this.#options.attempts ?? defaultAttempts,
  ): Promise<Result> {
    const { onEvent, baseUrl } = this.#options;
    const origin = this.#origin;
    const request = { origin, method, path: this.#path + path, headers: this.#headers, body };
    const info = { ...about, baseUrl, redact: this.#redact };
    for (let attempt = 1; ; attempt += 1) {
      onEvent?.({ kind: 'request', method, url: origin + request.path, attempt });
      const outcome = await this.#attempt(request, info, read, signal);
      if (!(outcome instanceof Error)) return outcome;
      const waitMs = retryWaitMs(attempt, outcome, this.#random());
      if (attempt >= attempts || !outcome.retryable || waitMs > maxRetryAfterMs) throw outcome;
      onEvent?.({ kind: 'retry', ms: waitMs, error: outcome });
      await this.#clock.sleep(waitMs, signal);
    }
  }

  /* Returns a failure as a value, because the caller decides whether to retry. */
  async #attempt<Result extends object>(
    request: Request,
    info: RequestInfo,
    read: ReadResponse<Result>,
    signal: AbortSignal,
  ): Promise<Result | CarbonError> {
    const { env = {}, onEvent } = this.#options;
    const startedAt = this.#clock.elapsed();
    const createTimeoutError = () => {
      const message = `${info.baseUrl} did not respond within ${this.#timeoutMs / 1000} s`;
      return new UnavailableError('timeout', message, { id: info.id });
    };
    let response: HttpResponse;
    try {
      const transport = await this.#open();
      const deadlines = this.#deadlinesOf(signal);
      response = await sendRequest(transport, request, deadlines, createTimeoutError);
    } catch (error) {
      signal.throwIfAborted();
      return readConnectionFailure(error, info, env);
    }
    const { status, body, headers } = response;
    const ms = this.#clock.elapsed() - startedAt;
    const synthetic = headers['carbon-sandbox'] !== undefined;
    onEvent?.({ kind: 'response', status, bytes: body.length, ms, synthetic });
    try {
      return read(response, info, this.#clock.now());
    } catch (error) {
      if (error instanceof CarbonError) return error;
      throw error;
    }
  }

  /* Truncates the name, because one of several megabytes would flood the log. */
  #shortName({ name }: Registration): string {
    return name.length > maxSubjectLength
      ? `${this.#redact(name).slice(0, maxSubjectLength)}…`
      : name;
  }

  #deadlinesOf(signal: AbortSignal): RequestDeadlines {
    let deadlines = this.#deadlines.get(signal);
    if (deadlines === undefined) {
      deadlines = new RequestDeadlines(this.#clock, this.#timeoutMs, signal);
      this.#deadlines.set(signal, deadlines);
    }
    return deadlines;
  }

  #open(): Promise<Transport> {
    if (this.#transport !== undefined) return this.#transport;
    const { connections = defaultConnections, env = {} } = this.#options;
    const open = this.#options.openTransport ?? openTransport;
    if (!isLoopback(new URL(this.#origin).hostname)) checkProxies(env);
    this.#transport = open({ origin: this.#origin, connections, env });
    return this.#transport;
  }
}

function headersWith(apiKey: string): Request['headers'] {
  return {
    authorization: `Bearer ${apiKey}`,
    'content-type': 'application/json',
    accept: 'application/json',
    'user-agent': `carbon/${packageJson.version}`,
  };
}
