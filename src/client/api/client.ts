import packageJson from '../../../package.json' with { type: 'json' };
import { CarbonError, InvalidInputError } from '../../runtime/carbon-error.ts';
import { type Clock, realClock, realRandom } from '../../runtime/clock.ts';
import { checkProxies, isLoopback } from '../../runtime/proxy.ts';
import { openTransport, type Request, type Transport } from '../../runtime/transport.ts';
import type { Registration } from '../registration/fields.ts';
import { readConnectionFailure } from './connection-errors.ts';
import { checkBaseUrl, checkDuration, checkKey } from './credentials.ts';
import { retryWaitMs } from './errors.ts';
import { createRedactor } from './redact.ts';
import { RequestSender } from './request.ts';
import {
  type HttpResponse,
  isSuccess,
  type ReadResponse,
  type RecordResponse,
  type RegistrationResponse,
  type RequestInfo,
  readRegistration,
  readRequested,
} from './responses.ts';
import type { RunEnvironment } from './scheduler.ts';

/** Configures a client. Only `baseUrl` and `apiKey` are required. */
export interface ClientOptions {
  /** URL of the service, such as `https://api.example.com/v1`. */
  readonly baseUrl: string;
  /** API key; sent only to the origin of `baseUrl`. */
  readonly apiKey: string;
  /** Maximum time of one attempt, in milliseconds (default 30,000). */
  readonly timeoutMs?: number | undefined;
  /**
   * Maximum number of attempts at a request (default 4), with a Retry-After of up to 60 s. Lost
   * connections, timeouts, 429, 500, 502, 503 and 504 are retried.
   */
  readonly attempts?: number | undefined;
  /** Maximum number of open connections (default 8). */
  readonly connections?: number | undefined;
  /**
   * Names of request fields that this version does not know, such as `vat_number`. A registration
   * with any other unknown field is an InvalidInputError.
   */
  readonly otherFields?: readonly string[] | undefined;
  /** Whether to use the proxy of HTTPS_PROXY, HTTP_PROXY and NO_PROXY (default true). */
  readonly proxy?: boolean | undefined;
  /** Aborts every request without a signal of its own, and every wait. */
  readonly signal?: AbortSignal | undefined;
  /** Called for each request, response and retry, for logs. Events never contain the key. */
  readonly onEvent?: ((event: ClientEvent) => void) | undefined;
}

/** Adds the options of the command line and of tests. */
export interface ServiceOptions extends Omit<ClientOptions, 'otherFields' | 'proxy'> {
  readonly clock?: Clock | undefined;
  /** Returns a random number in [0, 1). */
  readonly random?: (() => number) | undefined;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  readonly openTransport?: typeof openTransport | undefined;
  /** Whether only the JSON text of records matters, so that no run waits for the schema. */
  readonly isTextOnly?: boolean | undefined;
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

/* A request to an operation of the service. */
interface Call extends Pick<Request, 'method' | 'body'> {
  /** Path and query below the base URL. */
  readonly target: string;
  readonly about: Pick<RequestInfo, 'subject' | 'id'>;
}

/* What the attempts at a request have in common. */
interface Sending<Result> {
  readonly request: Request;
  readonly info: RequestInfo;
  readonly read: ReadResponse<Result>;
  readonly signal: AbortSignal;
}

/* What the requests to a service have in common. */
interface Service extends Pick<Request, 'origin' | 'path' | 'headers'> {
  readonly baseUrl: string;
  readonly redact: (text: string) => string;
}

function serviceOf(options: Pick<ClientOptions, 'baseUrl' | 'apiKey'>): Service {
  const baseUrl = checkBaseUrl(String(options.baseUrl), 'baseUrl');
  const apiKey = checkKey(String(options.apiKey ?? ''), 'apiKey');
  const { origin, pathname } = new URL(baseUrl);
  return {
    baseUrl,
    origin,
    path: pathname.replace(/\/$/, ''),
    redact: createRedactor(apiKey),
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      accept: 'application/json',
      'user-agent': `carbon/${packageJson.version}`,
    },
  };
}

const maxSubjectLength = 200;
/* With a longer Retry-After, a command of one request would seem to hang. */
const maxRetryAfterMs = 60_000;

/**
 * Sends the requests of section 4 of docs/service.md, with authentication, timeouts and retries.
 *
 * The command line uses it directly; the library exports `CarbonClient`. Every failure is a
 * `CarbonError`. Call `close` at the end.
 */
export class ServiceClient {
  readonly environment: RunEnvironment & { readonly connections: number };
  readonly #options: ServiceOptions;
  readonly #timeoutMs: number;
  readonly #service: Service;
  readonly #senders = new WeakMap<AbortSignal, RequestSender>();
  #transport: Promise<Transport> | undefined;
  #schema: Promise<typeof import('./parse-record.ts')> | undefined;

  /** @throws InvalidInputError if the base URL, the key or the timeout is invalid */
  constructor(options: ServiceOptions) {
    this.#options = options;
    this.#service = serviceOf(options);
    this.#timeoutMs = checkDuration(options.timeoutMs ?? 30_000, 'timeoutMs');
    this.environment = {
      clock: options.clock ?? realClock,
      random: options.random ?? realRandom,
      signal: options.signal ?? new AbortController().signal,
      connections: options.connections ?? 8,
      onWait: (ms, error) => options.onEvent?.({ kind: 'retry', ms, error }),
    };
  }

  get baseUrl(): string {
    return this.#service.baseUrl;
  }

  /**
   * Registers an organization (section 4.1), and returns its record.
   * @param identifier checked by the caller
   * @param signal aborts this request (default: the signal of the client)
   * @param attempts maximum number of attempts (default: that of the client)
   */
  register(
    identifier: Registration,
    signal?: AbortSignal,
    attempts?: number,
  ): Promise<RegistrationResponse> {
    const { name } = identifier;
    // One of several megabytes would flood the log.
    const isLong = name.length > maxSubjectLength;
    const subject = isLong ? `${this.#service.redact(name).slice(0, maxSubjectLength)}…` : name;
    const body = JSON.stringify(identifier);
    const about = { subject, id: undefined };
    const call = { method: 'POST', target: '/organizations', body, about } as const;
    return this.#request(call, readRegistration, { signal, attempts });
  }

  /**
   * Retrieves the current record of a registered organization (section 4.2).
   * @param read reads the response; login reads another one
   * @throws HintedError for the record of another organization
   */
  retrieve(
    id: string | number,
    { currency, attempts }: RetrieveOptions = {},
    signal?: AbortSignal,
    read: ReadResponse<RecordResponse> = readRequested,
  ): Promise<RecordResponse> {
    const text = String(id);
    if (!/^\d+$/.test(text)) {
      const problem = `${id} is not an organization ID: IDs are non-negative integers`;
      return Promise.reject(new InvalidInputError(problem));
    }
    const query = currency === undefined ? '' : `?currency=${encodeURIComponent(currency)}`;
    const about = { subject: `organization ${id}`, id: text };
    const call = {
      method: 'GET',
      target: `/organizations/${id}${query}`,
      body: null,
      about,
    } as const;
    return this.#request(call, read, { signal, attempts });
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    const transport = await this.#transport?.catch(() => undefined);
    await transport?.destroy();
  }

  #request<Result>(
    { method, target, body, about }: Call,
    read: ReadResponse<Result>,
    {
      signal = this.environment.signal,
      attempts = this.#options.attempts ?? 4,
    }: { readonly signal: AbortSignal | undefined; readonly attempts: number | undefined },
  ): Promise<Result> {
    const { baseUrl, origin, path, headers, redact } = this.#service;
    const request = { origin, method, path: path + target, headers, body };
    const { subject, id } = about;
    const sending = { request, info: { subject, id, baseUrl, redact }, read, signal };
    const attempt = (number: number) => this.#attempt(sending, number);
    return attempts > 1 ? this.#repeat(attempt, attempts, signal) : attempt(1);
  }

  async #repeat<Result>(
    attempt: (number: number) => Promise<Result>,
    attempts: number,
    signal: AbortSignal,
  ): Promise<Result> {
    const { clock, random, onWait } = this.environment;
    for (let number = 1; ; number += 1) {
      try {
        return await attempt(number);
      } catch (error) {
        if (!(error instanceof CarbonError)) throw error;
        const waitMs = retryWaitMs(number, error, random());
        if (number >= attempts || !error.retryable || waitMs > maxRetryAfterMs) throw error;
        onWait?.(waitMs, error);
        await clock.sleep(waitMs, signal);
      }
    }
  }

  async #attempt<Result>(
    { request, info, read, signal }: Sending<Result>,
    attempt: number,
  ): Promise<Result> {
    const { env = {}, onEvent, isTextOnly = false } = this.#options;
    const { clock } = this.environment;
    const { method, origin, path } = request;
    onEvent?.({ kind: 'request', method, url: origin + path, attempt });
    const startedAt = clock.elapsed();
    let response: HttpResponse;
    try {
      const transport = await this.#open();
      const sending = this.#senderOf(signal).send(transport, request, info);
      // The schema loads while the service works.
      if (!isTextOnly) this.#schema ??= import('./parse-record.ts');
      response = await sending;
    } catch (error) {
      signal.throwIfAborted();
      throw readConnectionFailure(error, info, env);
    }
    const { status, body, headers } = response;
    const ms = clock.elapsed() - startedAt;
    const synthetic = headers['carbon-sandbox'] !== undefined;
    onEvent?.({ kind: 'response', status, bytes: body.length, ms, synthetic });
    const now = clock.now();
    if (!isSuccess(response)) {
      const { readFailure } = await import('./failures.ts');
      throw readFailure(response, info, now);
    }
    const schema = await this.#schema;
    // For each copy by a spread, Node 20 makes a hidden class in the old generation.
    const { subject, id, baseUrl, redact } = info;
    return read(response, { subject, id, baseUrl, redact, parse: schema?.parseReceived }, now);
  }

  #senderOf(signal: AbortSignal): RequestSender {
    let sender = this.#senders.get(signal);
    if (sender === undefined) {
      sender = new RequestSender(this.environment.clock, this.#timeoutMs, signal);
      this.#senders.set(signal, sender);
    }
    return sender;
  }

  #open(): Promise<Transport> {
    if (this.#transport !== undefined) return this.#transport;
    const { env = {}, openTransport: open = openTransport } = this.#options;
    const { origin } = this.#service;
    if (!isLoopback(new URL(origin).hostname)) checkProxies(env);
    this.#transport = open({ origin, connections: this.environment.connections, env });
    return this.#transport;
  }
}
