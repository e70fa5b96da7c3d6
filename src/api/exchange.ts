import type { Dispatcher } from 'undici';
import type { Transport } from '../transport.ts';
import type { Ending, InFlight } from './in-flight.ts';

/** The largest answer that is read, in bytes; a record has some kilobytes. */
export const largestAnswerBytes = 16 * 1024 * 1024;

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
export interface Answer {
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
  inFlight: InFlight,
  late: () => Error,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const one = new Exchange(inFlight, late, resolve, reject);
    inFlight.add(one);
    if (!inFlight.signal.aborted) transport.dispatch(request, one);
  });
}

class Exchange implements Dispatcher.DispatchHandler, Ending {
  #controller: Dispatcher.DispatchController | undefined;
  #ended: { readonly reason: unknown } | undefined;
  #status = 0;
  #headers: Answer['headers'] = {};
  #chunks: Uint8Array[] = [];
  #bytes = 0;

  constructor(
    private readonly inFlight: InFlight,
    readonly late: () => Error,
    private readonly resolve: (answer: Answer) => void,
    private readonly reject: (reason: unknown) => void,
  ) {}

  abort(reason: unknown): void {
    this.#ended = { reason };
    this.onResponseError(undefined, reason);
    this.#controller?.abort(reason as Error);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#ended !== undefined) controller.abort(this.#ended.reason as Error);
  }

  onResponseStart(_: unknown, status: number, headers: Answer['headers']): void {
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes > largestAnswerBytes) controller.abort(new TooLarge());
  }

  onResponseEnd(): void {
    this.inFlight.delete(this);
    const [only] = this.#chunks;
    const body = this.#chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.#chunks);
    this.resolve({ status: this.#status, headers: this.#headers, body });
  }

  onResponseError(_: unknown, error: unknown): void {
    this.inFlight.delete(this);
    this.reject(error);
  }
}
