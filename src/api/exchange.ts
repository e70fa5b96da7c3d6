import type { Dispatcher } from 'undici';
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

/**
 * Sends one request and reads the whole answer, up to `largestAnswerBytes`.
 * Rejects with the signal's reason at once when that is aborted, whatever the connection does.
 */
export function exchange(transport: Transport, request: Request, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let status = 0;
    let headers: Answer['headers'] = {};
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    const end = (settle: () => void) => {
      signal.removeEventListener('abort', abort);
      settle();
    };
    const abort = () => {
      end(() => reject(signal.reason));
      controller?.abort(signal.reason);
    };
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    transport.dispatch(
      { ...request, body: request.body ?? null },
      {
        onRequestStart(started) {
          controller = started;
          if (signal.aborted) started.abort(signal.reason);
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
