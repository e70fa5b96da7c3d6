import { setMaxListeners } from 'node:events';
import type { Dispatcher } from 'undici';
import type { Clock } from '../runtime/clock.ts';
import type { Transport } from '../runtime/transport.ts';

/** Maximum size of a response in bytes; a record has some kilobytes. */
export const maxResponseBytes = 16 * 1024 * 1024;

/** Reports a response of more than `maxResponseBytes`. */
export class ResponseTooLargeError extends Error {}

export type Method = 'GET' | 'POST';

export interface Request {
  readonly origin: string;
  readonly method: Method;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** Contains one complete HTTP response; header names are in lower case. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Uint8Array;
}

/**
 * Sends one request and reads the complete response, up to `maxResponseBytes`.
 *
 * Rejects with the reason of the signal or with the timeout error as soon as either occurs,
 * whatever the connection does.
 */
export function sendRequest(
  transport: Transport,
  request: Request,
  deadlines: RequestDeadlines,
  createTimeoutError: () => Error,
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    deadlines.signal.throwIfAborted();
    const handler = new ResponseHandler(deadlines, createTimeoutError, resolve, reject);
    try {
      transport.dispatch(request, handler);
    } catch (error) {
      handler.onResponseError(undefined, error);
    }
  });
}

class ResponseHandler implements Dispatcher.DispatchHandler, Abortable {
  readonly #deadlines: RequestDeadlines;
  readonly createTimeoutError: () => Error;
  readonly #resolve: (response: HttpResponse) => void;
  readonly #reject: (reason: unknown) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #aborted: { readonly reason: unknown } | undefined;
  #hasEnded = false;
  #status = 0;
  #headers: HttpResponse['headers'] = {};
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  deadline = 0;

  constructor(
    deadlines: RequestDeadlines,
    createTimeoutError: () => Error,
    resolve: (response: HttpResponse) => void,
    reject: (reason: unknown) => void,
  ) {
    this.#deadlines = deadlines;
    this.createTimeoutError = createTimeoutError;
    this.#resolve = resolve;
    this.#reject = reject;
    deadlines.add(this);
  }

  abort(reason: unknown): void {
    this.#aborted = { reason };
    this.onResponseError(undefined, reason);
    this.#controller?.abort(reason as Error);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#aborted !== undefined) controller.abort(this.#aborted.reason as Error);
  }

  onResponseStart(_: unknown, status: number, headers: HttpResponse['headers']): void {
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes > maxResponseBytes) controller.abort(new ResponseTooLargeError());
  }

  onResponseEnd(): void {
    if (!this.#end()) return;
    const [first] = this.#chunks;
    const body =
      this.#chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.#chunks);
    this.#resolve({ status: this.#status, headers: this.#headers, body });
  }

  onResponseError(_: unknown, error: unknown): void {
    if (this.#end()) this.#reject(error);
  }

  /* Returns false if the request has already ended; undici also reports an error after an abort. */
  #end(): boolean {
    if (this.#hasEnded) return false;
    this.#hasEnded = true;
    this.#deadlines.remove(this);
    return true;
  }
}

export interface Abortable {
  /** Deadline in milliseconds of the clock; set by `add`. */
  deadline: number;
  abort(reason: unknown): void;
  createTimeoutError(): Error;
}

/**
 * Aborts requests at their deadline or when a signal aborts, with one listener and one timer for
 * all requests.
 *
 * A listener and a timer for each request would take a fifth of the CPU time of a batch
 * (bench/throughput.ts).
 */
export class RequestDeadlines {
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly signal: AbortSignal;
  readonly #requests = new Set<Abortable>();
  #cancelTimer: (() => void) | undefined;

  /**
   * @param timeoutMs maximum time of each request, in milliseconds of the clock
   * @param signal aborts all requests in flight
   */
  constructor(clock: Clock, timeoutMs: number, signal: AbortSignal) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
    this.signal = signal;
    // Many clients with one signal, or many waits before a retry, are no leak.
    setMaxListeners(0, signal);
  }

  add(request: Abortable): void {
    request.deadline = this.#clock.elapsed() + this.#timeoutMs;
    if (this.#requests.size === 0) {
      this.signal.addEventListener('abort', this.#abortAll, { once: true });
      this.#startTimer(this.#timeoutMs);
    }
    this.#requests.add(request);
  }

  /** Removes a request that has ended; the last one also removes the timer and the listener. */
  remove(request: Abortable): void {
    this.#requests.delete(request);
    if (this.#requests.size > 0) return;
    this.signal.removeEventListener('abort', this.#abortAll);
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  #startTimer(ms: number): void {
    this.#cancelTimer = this.#clock.after(ms, () => this.#abortExpired());
  }

  #abortExpired(): void {
    const now = this.#clock.elapsed();
    this.#cancelTimer = undefined;
    const requests = [...this.#requests];
    const deadlines = requests.map(({ deadline }) => deadline).filter((time) => time > now);
    if (deadlines.length > 0) this.#startTimer(Math.min(...deadlines) - now);
    for (const request of requests) {
      if (request.deadline <= now) request.abort(request.createTimeoutError());
    }
  }

  readonly #abortAll = (): void => {
    for (const request of [...this.#requests]) request.abort(this.signal.reason);
  };
}
