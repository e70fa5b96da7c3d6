import packageJson from '../../package.json' with { type: 'json' };
import { CarbonError, InvalidInputError } from '../runtime/carbon-error.ts';
import { type Clock, realClock, realRandom } from '../runtime/clock.ts';
import { checkProxies, isLoopback } from '../runtime/proxy.ts';
import { openTransport, type Transport } from '../runtime/transport.ts';
import { checkBaseUrl, checkKey } from './credentials.ts';
import { UnavailableError } from './errors.ts';
import { readConnectionFailure } from './http/connection-errors.ts';
import { RequestDeadlines } from './http/deadlines.ts';
import { exchange, type HttpResponse, type Request } from './http/request.ts';
import {
  type ReadResponse,
  type RecordResponse,
  type RequestInfo,
  readResponse,
} from './http/response.ts';
import { redact } from './redact.ts';
import { interactiveRetries, type RetryPolicy, waitBeforeRetry } from './retry.ts';
import type { Registration } from './schema.ts';

/** What a client needs to know; all but the first two have sensible values of their own. */
export interface ClientOptions {
  /** Address of the service without a final slash, such as `https://api.example.com/v1`. */
  readonly baseUrl: string;
  /** The API key; it is sent to the origin of `baseUrl` only. */
  readonly apiKey: string;
  /** Maximum time for one attempt, in milliseconds (default 30 000). */
  readonly timeoutMs?: number | undefined;
  /** How often and how patiently a request is repeated. */
  readonly retries?: RetryPolicy | undefined;
  /** Maximum number of open connections (default 8). */
  readonly connections?: number | undefined;
  /** Ends every wait and every request. */
  readonly signal?: AbortSignal | undefined;
  /** Called with what is sent, what comes back and what is waited for. Never sees the key. */
  readonly onEvent?: ((event: ClientEvent) => void) | undefined;
}

/** What the command line and tests decide too. */
export interface ServiceOptions extends ClientOptions {
  readonly clock?: Clock | undefined;
  /** From 0 inclusive to 1 exclusive. */
  readonly random?: (() => number) | undefined;
  /** Environment with HTTPS_PROXY, HTTP_PROXY and NO_PROXY. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Opens the connections; undici's by default. */
  readonly openTransport?: typeof openTransport | undefined;
}

/** What a client does, for logs. Durations are in milliseconds. */
export type ClientEvent =
  | { readonly kind: 'sent'; readonly method: string; readonly url: string; readonly tried: number }
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly bytes: number;
      readonly ms: number;
      /** Whether the answer says of itself that it comes from a sandbox. */
      readonly synthetic: boolean;
    }
  | { readonly kind: 'waiting'; readonly ms: number; readonly because: CarbonError };

/** What a single retrieval may ask for. */
export interface RetrieveOptions {
  /** ISO 4217 code of the currency of revenue and emission factors (section 4.2). */
  readonly currency?: string | undefined;
  /** In place of the client's own. */
  readonly retries?: RetryPolicy | undefined;
}

const maxSubjectLength = 200;

/**
 * Talks to the service: both operations of section 4, with authentication, time limits and retries.
 * Every failure is a `CarbonError`. Call `close` at the end.
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
  readonly #hide: (text: string) => string;
  readonly #requests = new WeakMap<AbortSignal, RequestDeadlines>();
  #transport: Promise<Transport> | undefined;

  /** @throws InvalidInputError when no request can be made with the base URL or the key */
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
    this.#timeoutMs = options.timeoutMs ?? 30_000;
    this.#origin = url.origin;
    this.#path = url.pathname.replace(/\/+$/, '');
    this.#headers = {
      authorization: `Bearer ${this.#options.apiKey}`,
      'content-type': 'application/json',
      accept: 'application/json',
      'user-agent': `carbon/${packageJson.version}`,
    };
    this.#hide = redact(this.#options.apiKey);
  }

  /**
   * Registers an organization, or finds it registered already (section 4.1). May be repeated.
   * @param signal ends this request; the client's own by default
   */
  register(identifier: Registration, signal?: AbortSignal): Promise<RecordResponse> {
    return this.registerAs(readResponse, identifier, signal);
  }

  /** The same, for what `read` makes of the answer in place of the whole record. */
  registerAs<Got extends object>(
    read: ReadResponse<Got>,
    identifier: Registration,
    signal?: AbortSignal,
  ): Promise<Got> {
    if (typeof identifier?.name !== 'string' || identifier.name.trim() === '') {
      return Promise.reject(new InvalidInputError('An organization needs a name'));
    }
    const body = JSON.stringify(identifier);
    const asked = {
      subject: this.#nameOf(identifier),
      baseUrl: this.#options.baseUrl,
      hide: this.#hide,
    };
    return this.#request({ method: 'POST', path: '/organizations', body }, asked, read, signal);
  }

  /** Retrieves the current record of a registered organization (section 4.2). */
  retrieve(
    id: string | number,
    options: RetrieveOptions = {},
    signal?: AbortSignal,
  ): Promise<RecordResponse> {
    return this.retrieveAs(readResponse, id, options, signal);
  }

  /** The same, for what `read` makes of the answer. */
  retrieveAs<Got extends object>(
    read: ReadResponse<Got>,
    id: string | number,
    options: RetrieveOptions = {},
    signal?: AbortSignal,
  ): Promise<Got> {
    if (!/^\d+$/.test(String(id))) {
      return Promise.reject(
        new InvalidInputError(`${id} is not the id of an organization, a whole number`),
      );
    }
    const query =
      options.currency === undefined ? '' : `?currency=${encodeURIComponent(options.currency)}`;
    const path = `/organizations/${encodeURIComponent(id)}${query}`;
    const { baseUrl } = this.#options;
    const asked = { subject: `organization ${id}`, id: String(id), baseUrl, hide: this.#hide };
    return this.#request({ method: 'GET', path, body: null }, asked, read, signal, options.retries);
  }

  /** What the engine behind `follow` needs of the client. */
  get world(): {
    readonly clock: Clock;
    readonly random: () => number;
    readonly signal: AbortSignal;
  } {
    return { clock: this.#clock, random: this.#random, signal: this.#signal };
  }

  /** Ends every connection. */
  async close(): Promise<void> {
    const transport = await this.#transport?.catch(() => undefined);
    await transport?.destroy();
  }

  async #request<Got extends object>(
    what: Pick<Request, 'method' | 'path' | 'body'>,
    asked: RequestInfo,
    read: ReadResponse<Got>,
    signal: AbortSignal = this.#signal,
    retries: RetryPolicy = this.#options.retries ?? interactiveRetries,
  ): Promise<Got> {
    const { onEvent } = this.#options;
    const { method, body } = what;
    const path = this.#path + what.path;
    const request: Request = { origin: this.#origin, method, path, headers: this.#headers, body };
    for (let tried = 1; ; tried += 1) {
      onEvent?.({ kind: 'sent', method, url: this.#origin + path, tried });
      const outcome = await this.#try(request, asked, read, signal);
      if (!(outcome instanceof Error)) return outcome;
      const waitMs = waitBeforeRetry(retries, tried, outcome, this.#random());
      if (waitMs === undefined) throw outcome;
      onEvent?.({ kind: 'waiting', ms: waitMs, because: outcome });
      await this.#clock.sleep(waitMs, signal);
    }
  }

  /* A failure is a value here: whether it is one for the caller is decided by the retries. */
  async #try<Got extends object>(
    request: Request,
    asked: RequestInfo,
    read: ReadResponse<Got>,
    signal: AbortSignal,
  ): Promise<Got | CarbonError> {
    const { env = {}, onEvent } = this.#options;
    const timeoutMs = this.#timeoutMs;
    const began = this.#clock.elapsed();
    let answer: HttpResponse;
    try {
      const transport = await this.#open();
      answer = await exchange(transport, request, this.#inFlight(signal), () =>
        timedOut(asked, timeoutMs),
      );
    } catch (error) {
      signal.throwIfAborted();
      return readConnectionFailure(error, asked, env);
    }
    const { status, body, headers } = answer;
    const ms = this.#clock.elapsed() - began;
    const synthetic = headers['carbon-sandbox'] !== undefined;
    onEvent?.({ kind: 'answered', status, bytes: body.length, ms, synthetic });
    try {
      return read(answer, asked, this.#clock.now());
    } catch (error) {
      if (error instanceof CarbonError) return error;
      throw error;
    }
  }

  /* Whole in every message, a name of megabytes would be most of a log. */
  #nameOf({ name }: Registration): string {
    return name.length > maxSubjectLength
      ? `${this.#hide(name).slice(0, maxSubjectLength)}…`
      : name;
  }

  /* One for each signal: most clients see a single one. */
  #inFlight(signal: AbortSignal): RequestDeadlines {
    let found = this.#requests.get(signal);
    if (found === undefined) {
      found = new RequestDeadlines(this.#clock, this.#timeoutMs, signal);
      this.#requests.set(signal, found);
    }
    return found;
  }

  #open(): Promise<Transport> {
    if (this.#transport !== undefined) return this.#transport;
    const { connections = 8, env = {} } = this.#options;
    const open = this.#options.openTransport ?? openTransport;
    if (!isLoopback(new URL(this.#origin).hostname)) checkProxies(env);
    this.#transport = open({ origin: this.#origin, connections, env });
    return this.#transport;
  }
}

function timedOut({ baseUrl, id }: RequestInfo, timeoutMs: number): UnavailableError {
  return new UnavailableError('timeout', `${baseUrl} did not answer within ${timeoutMs / 1000} s`, {
    id,
  });
}
