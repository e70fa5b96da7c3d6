import { setMaxListeners } from 'node:events';
import type { Clock } from '../../runtime/clock.ts';
import type {
  Request,
  RequestController,
  ResponseHandler,
  Transport,
} from '../../runtime/transport.ts';
import { UnavailableError } from './errors.ts';
import type { HttpResponse, RequestInfo } from './responses.ts';

/* Maximum size of a response in bytes; a record has some kilobytes. */
const maxResponseBytes = 16 * 2 ** 20;

/**
 * Sends requests, and aborts them at their time limit or when a signal aborts, whatever the
 * connection does.
 *
 * All requests share one listener and one timer. Their own would take a fifth of the processor time
 * of a batch (bench/throughput.ts).
 */
export class RequestSender {
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #signal: AbortSignal;
  /*
   * V8 copies a Set to a new table after every few deletions, and each old table keeps its entries
   * and the next one: all requests would move to the old generation, a tenth of the processor time.
   */
  readonly #inFlight: Exchange[] = [];
  #cancelTimer: (() => void) | undefined;

  /** @param timeoutMs maximum time of each request, in milliseconds of the clock */
  constructor(clock: Clock, timeoutMs: number, signal: AbortSignal) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
    this.#signal = signal;
    // Many clients with one signal, or many waits before a retry, are no leak.
    setMaxListeners(0, signal);
  }

  /**
   * Sends one request and reads the complete response.
   * @throws UnavailableError for a timeout or a response that is too large, the reason of the
   * signal, or the error of the transport
   */
  send(transport: Transport, request: Request, info: RequestInfo): Promise<HttpResponse> {
    return new Promise((resolve, reject) => {
      this.#signal.throwIfAborted();
      const deadline = this.#clock.elapsed() + this.#timeoutMs;
      const exchange = new Exchange(info, deadline, (error) => {
        this.#remove(exchange);
        if (error === undefined) resolve(exchange.response);
        else reject(error.reason);
      });
      this.#add(exchange);
      try {
        transport.dispatch(request, exchange);
      } catch (error) {
        exchange.onResponseError(undefined, error);
      }
    });
  }

  #add(exchange: Exchange): void {
    if (this.#inFlight.length === 0) {
      this.#signal.addEventListener('abort', this.#abortAll, { once: true });
      this.#startTimer(this.#timeoutMs);
    }
    this.#inFlight.push(exchange);
  }

  #remove(exchange: Exchange): void {
    this.#inFlight.splice(this.#inFlight.indexOf(exchange), 1);
    if (this.#inFlight.length > 0) return;
    this.#signal.removeEventListener('abort', this.#abortAll);
    this.#cancelTimer?.();
  }

  #startTimer(ms: number): void {
    this.#cancelTimer = this.#clock.after(ms, () => this.#abortExpired());
  }

  #abortExpired(): void {
    const now = this.#clock.elapsed();
    const inFlight = [...this.#inFlight];
    const deadlines = inFlight.map(({ deadline }) => deadline).filter((time) => time > now);
    if (deadlines.length > 0) this.#startTimer(Math.min(...deadlines) - now);
    for (const exchange of inFlight) {
      const { baseUrl, id } = exchange.info;
      const message = `${baseUrl} did not respond within ${this.#timeoutMs / 1000} s`;
      if (exchange.deadline <= now)
        exchange.abort(new UnavailableError('timeout', message, { id }));
    }
  }

  readonly #abortAll = (): void => {
    for (const exchange of [...this.#inFlight]) exchange.abort(this.#signal.reason);
  };
}

/* One request and its response, as undici reports it. */
class Exchange implements ResponseHandler {
  readonly info: RequestInfo;
  readonly deadline: number;
  #end: ((error?: { readonly reason: unknown }) => void) | undefined;
  #controller: RequestController | undefined;
  #aborted: { readonly reason: unknown } | undefined;
  #status = 0;
  #headers: HttpResponse['headers'] = {};
  #chunks: Uint8Array[] = [];
  #bytes = 0;

  /**
   * @param deadline in milliseconds of the clock
   * @param end called once: without an error if the response is complete
   */
  constructor(
    info: RequestInfo,
    deadline: number,
    end: (error?: { readonly reason: unknown }) => void,
  ) {
    this.info = info;
    this.deadline = deadline;
    this.#end = end;
  }

  get response(): HttpResponse {
    const [first] = this.#chunks;
    const isWhole = this.#chunks.length === 1 && first !== undefined;
    const body = isWhole ? first : Buffer.concat(this.#chunks);
    return { status: this.#status, headers: this.#headers, body };
  }

  abort(reason: unknown): void {
    this.#aborted = { reason };
    this.onResponseError(undefined, reason);
    this.#controller?.abort(reason as Error);
  }

  onRequestStart(controller: RequestController): void {
    this.#controller = controller;
    if (this.#aborted !== undefined) controller.abort(this.#aborted.reason as Error);
  }

  onResponseStart(_: unknown, status: number, headers: HttpResponse['headers']): void {
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_: unknown, chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes <= maxResponseBytes) return;
    const { baseUrl, id } = this.info;
    const message = `${baseUrl} sent a response of more than ${maxResponseBytes / 2 ** 20} MiB`;
    this.abort(new UnavailableError('unreadable_response', message, { id }));
  }

  onResponseEnd(): void {
    this.#end?.();
    this.#end = undefined;
  }

  /* undici also reports an error after an abort. */
  onResponseError(_: unknown, reason: unknown): void {
    this.#end?.({ reason });
    this.#end = undefined;
  }
}
