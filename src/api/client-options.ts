import type { CarbonError } from '../runtime/carbon-error.ts';
import type { Clock } from '../runtime/clock.ts';
import type { openTransport } from '../runtime/transport.ts';
import type { RetryPolicy } from './retry.ts';

/** Configures a client. Only `baseUrl` and `apiKey` are required. */
export interface ClientOptions {
  /** URL of the service, such as `https://api.example.com/v1`. */
  readonly baseUrl: string;
  /** API key; sent only to the origin of `baseUrl`. */
  readonly apiKey: string;
  /** Maximum time of one attempt, in milliseconds (default 30,000). */
  readonly timeoutMs?: number | undefined;
  /** When to retry a request (default: 4 attempts, Retry-After up to 60 s). */
  readonly retries?: RetryPolicy | undefined;
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
  /** Environment with HTTPS_PROXY, HTTP_PROXY and NO_PROXY. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Opens the connections (default: with undici). */
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
      /** Wait before the next attempt. */
      readonly ms: number;
      /** Failure that the client retries. */
      readonly error: CarbonError;
    };

/** Configures a single retrieval. */
export interface RetrieveOptions {
  /** ISO 4217 code of the currency of revenue and emission factors (section 4.2). */
  readonly currency?: string | undefined;
  /** When to retry the request (default: `retries` of the client). */
  readonly retries?: RetryPolicy | undefined;
}
