import { setMaxListeners } from 'node:events';
import type { Dispatcher } from 'undici';
import type { Clock } from '../clock.ts';
import type { Transport } from '../transport.ts';

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
  readonly body?: string | undefined;
}

/** One whole HTTP answer; header names are in lower case. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Uint8Array;
}

/** When a request that is not answered to its end is given up: after `ms` milliseconds of the clock, with the reason. */
export interface Deadline {
  readonly clock: Pick<Clock, 'after'>;
  readonly ms: number;
  reason(): Error;
}

/**
 * Sends one request and reads the whole answer, up to `largestAnswerBytes`.
 * Rejects at once at the deadline, and with the signal's reason when that is aborted, whatever the connection does.
 */
export function exchange(
  transport: Transport,
  request: Request,
  signal: AbortSignal,
  { clock, ms, reason }: Deadline,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    let controller: Dispatcher.DispatchController | undefined;
    let stopped: Error | undefined;
    let status = 0;
    let headers: Answer['headers'] = {};
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    const end = (settle: () => void) => {
      cancel();
      signal.removeEventListener('abort', abort);
      settle();
    };
    const stop = (why: Error) => {
      stopped = why;
      end(() => reject(why));
      controller?.abort(why);
    };
    const abort = () => stop(signal.reason);
    // Not an AbortSignal of its own for each request: on Node 20 that takes longer than to send it.
    const cancel = clock.after(ms, () => stop(reason()));
    // As many listeners as requests in flight are no leak.
    setMaxListeners(0, signal);
    signal.addEventListener('abort', abort, { once: true });
    transport.dispatch(
      { ...request, body: request.body ?? null },
      {
        onRequestStart(started) {
          controller = started;
          if (stopped !== undefined) started.abort(stopped);
        },
        onResponseStart(_, statusCode, received) {
          status = statusCode;
          headers = received;
        },
        onResponseData(_, chunk) {
          chunks.push(chunk);
          bytes += chunk.length;
          if (bytes > largestAnswerBytes) {
            controller?.abort(new TooLarge());
          }
        },
        onResponseEnd() {
          const [only] = chunks;
          const body = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
          end(() => resolve({ status, headers, body }));
        },
        onResponseError(_, error) {
          end(() => reject(error));
        },
      },
    );
  });
}
