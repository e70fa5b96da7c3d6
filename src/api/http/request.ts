import type { Dispatcher } from 'undici';
import type { Transport } from '../../runtime/transport.ts';
import type { Ending, RequestDeadlines } from './deadlines.ts';

/** The largest answer that is read, in bytes; a record has some kilobytes. */
export const maxResponseBytes = 16 * 1024 * 1024;

/** The answer had more than `largestAnswerBytes`; reading was given up there. */
export class TooLarge extends Error {}

/** One HTTP request to the transport's origin. */
export interface Request {
  readonly origin: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** One whole HTTP answer; header names are in lower case. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Uint8Array;
}

/**
 * Sends one request and reads the whole answer, up to `largestAnswerBytes`.
 * Rejects at once, whatever the connection does, with the reason of the signal or with `late()`.
 * @param inFlight the signal and the longest time
 * @param late the error of an exchange that took longer
 */
export function exchange(
  transport: Transport,
  request: Request,
  inFlight: RequestDeadlines,
  late: () => Error,
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    inFlight.signal.throwIfAborted();
    const one = new Exchange(inFlight, late, resolve, reject);
    try {
      transport.dispatch(request, one);
    } catch (error) {
      one.onResponseError(undefined, error);
    }
  });
}

class Exchange implements Dispatcher.DispatchHandler, Ending {
  readonly #inFlight: RequestDeadlines;
  readonly late: () => Error;
  readonly #resolve: (answer: HttpResponse) => void;
  readonly #reject: (reason: unknown) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #aborted: { readonly reason: unknown } | undefined;
  #isOver = false;
  #status = 0;
  #headers: HttpResponse['headers'] = {};
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  readonly #place: number;
  due = 0;

  constructor(
    inFlight: RequestDeadlines,
    late: () => Error,
    resolve: (answer: HttpResponse) => void,
    reject: (reason: unknown) => void,
  ) {
    this.#inFlight = inFlight;
    this.late = late;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#place = inFlight.add(this);
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
    if (this.#bytes > maxResponseBytes) controller.abort(new TooLarge());
  }

  onResponseEnd(): void {
    if (!this.#end()) return;
    const [only] = this.#chunks;
    const body =
      this.#chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.#chunks);
    this.#resolve({ status: this.#status, headers: this.#headers, body });
  }

  onResponseError(_: unknown, error: unknown): void {
    if (this.#end()) this.#reject(error);
  }

  /* Whether this is the end: the transport tells of it too when it was aborted. */
  #end(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.#inFlight.remove(this.#place);
    return true;
  }
}
