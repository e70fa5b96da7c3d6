import { Pacer } from '../pace/pacer.ts';
import { type ClientOptions, type RetrieveOptions, ServiceClient } from './client.ts';
import { checkDuration } from './credentials.ts';
import { PendingError } from './errors.ts';
import { defaultTimeoutMs } from './poll-interval.ts';
import type { RecordResponse } from './responses.ts';
import { singleAttempt } from './retry.ts';
import type { Registration } from './schema.ts';
import { watch } from './watch.ts';

/**
 * Sends requests to the organization carbon data service, with authentication, timeouts and
 * retries.
 *
 * Every failure is a `CarbonError`, except that an aborted signal rejects with its own reason. Call
 * `close` at the end.
 */
export class CarbonClient {
  readonly #service: ServiceClient;

  /** @throws InvalidInputError if the base URL, the key or the timeout is invalid */
  constructor(options: ClientOptions) {
    this.#service = new ServiceClient(options);
  }

  /**
   * Registers an organization (section 4.1), and returns its record.
   *
   * Registration is idempotent: repeating it returns the same organization.
   * @param signal aborts this request (default: the signal of the client)
   */
  register(identifier: Registration, signal?: AbortSignal): Promise<RecordResponse> {
    return this.#service.register(identifier, signal);
  }

  /**
   * Retrieves the current record of a registered organization (section 4.2).
   * @param signal aborts this request (default: the signal of the client)
   */
  retrieve(
    id: string | number,
    options: RetrieveOptions = {},
    signal?: AbortSignal,
  ): Promise<RecordResponse> {
    return this.#service.retrieve(id, options, signal);
  }

  /**
   * Waits until research on an organization ends, and returns the final record.
   *
   * Research ends with the status `synced` or `errored` (section 3); check `record.status`. The
   * client retrieves the record immediately, then at intervals that grow from 10 s to 60 s, and a
   * last time at the time limit. It retries after lost connections, timeouts, 429, 5xx and
   * unreadable responses, with growing waits that honor Retry-After.
   *
   * @throws InvalidInputError for an invalid id or duration
   * @throws PendingError if research is still in progress at the time limit
   * @throws UnavailableError if no retrieval succeeds before the time limit, or if the first four
   * responses are unreadable, which suggests a wrong base URL
   * @throws NotFoundError if no organization has this id
   * @throws UnauthorizedError if the service rejects the key
   * @throws the reason of the signal, by default an `AbortError`, if `signal` or the signal of the
   * client aborts
   */
  wait(id: string | number, options: WaitOptions = {}): Promise<RecordResponse> {
    return waitForResearch(this.#service, id, options);
  }

  /** Closes all connections. */
  close(): Promise<void> {
    return this.#service.close();
  }
}

/** Configures a wait for the end of research. */
export interface WaitOptions {
  /** Aborts the wait; the promise rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Maximum wait in milliseconds (default 1,800,000, half an hour); 0 sets no limit. */
  readonly timeoutMs?: number | undefined;
  /** Time between two retrievals in milliseconds (default: grows from 10 s to 60 s, ±10 %). */
  readonly intervalMs?: number | undefined;
  /** ISO 4217 code of the currency of revenue and emission factors (section 4.2). */
  readonly currency?: string | undefined;
}

/** Waits until research on an organization ends; `CarbonClient.wait` documents the rules. */
export async function waitForResearch(
  client: ServiceClient,
  id: string | number,
  { signal: waitSignal, timeoutMs = defaultTimeoutMs, intervalMs, currency }: WaitOptions,
): Promise<RecordResponse> {
  checkDuration(timeoutMs, 'timeoutMs', true);
  if (intervalMs !== undefined) checkDuration(intervalMs, 'intervalMs');
  const { clock, random, signal: clientSignal } = client.environment;
  const signal =
    waitSignal === undefined ? clientSignal : AbortSignal.any([clientSignal, waitSignal]);
  const pacer = new Pacer({ concurrency: 1 });
  const retrieve = (organization: string, stop: AbortSignal) =>
    client.retrieve(organization, { currency, retries: singleAttempt }, stop);
  const options = { clock, random, signal, pacer, timeoutMs, intervalMs };
  for await (const event of watch(retrieve, single(String(id)), options)) {
    if (event.kind === 'ended') return event.received;
    if (event.kind === 'failed') throw event.error;
    if (event.kind === 'pending') throw event.error ?? pending(event.id, event.status, timeoutMs);
  }
  throw new Error('the watch ended without a result');
}

async function* single(id: string): AsyncGenerator<string> {
  yield id;
}

function pending(id: string, researchStatus: string | undefined, timeoutMs: number): PendingError {
  const status = researchStatus ?? 'no status';
  const message = `Research on organization ${id} was still in progress after ${timeoutMs / 1000} s (${status})`;
  return new PendingError(message, { id, researchStatus });
}
