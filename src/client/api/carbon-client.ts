import { type CarbonError, InvalidInputError } from '../../runtime/carbon-error.ts';
import { realEnvironment } from '../../runtime/clock.ts';
import { Pacer } from '../pace/pacer.ts';
import type { Registration } from '../registration/fields.ts';
import { checkRegistration } from '../registration/read-registration.ts';
import { type ClientOptions, type RetrieveOptions, ServiceClient } from './client.ts';
import { checkDuration } from './credentials.ts';
import { PendingError } from './errors.ts';
import { RepeatedResponses } from './repeated-responses.ts';
import type { RecordResponse } from './responses.ts';
import { type Items, type RunEnvironment, sendInOrder } from './scheduler.ts';
import { defaultTimeoutMs, watch } from './watch.ts';

/** Configures a series of requests. */
export interface SeriesOptions {
  /** Maximum requests in flight (default: `connections` of the client). */
  readonly concurrency?: number | undefined;
  /** Aborts the series; the iteration rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

/** What a series found out about one of its items: a record, or why there is none. */
export type ItemResult<Item> =
  | { readonly item: Item; readonly response: RecordResponse; readonly error?: undefined }
  | { readonly item: Item; readonly response?: undefined; readonly error: CarbonError };

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

/**
 * Sends requests to the organization carbon data service, with authentication, timeouts and
 * retries.
 *
 * Every failure is a `CarbonError`, except that an aborted signal rejects with its own reason. Call
 * `close` at the end.
 */
export class CarbonClient {
  readonly #service: ServiceClient;
  readonly #otherFields: readonly string[];

  /** @throws InvalidInputError if the base URL, the key or the timeout is invalid */
  constructor(options: ClientOptions) {
    const { proxy = true, otherFields = [], ...others } = options;
    this.#otherFields = otherFields;
    this.#service = new ServiceClient({ env: proxy ? realEnvironment : {}, ...others });
  }

  /**
   * Registers an organization (section 4.1), and returns its record.
   *
   * Registration is idempotent: repeating it returns the same organization. The fields are checked
   * first, as the commands do: codes may be in lower case and contain spaces.
   * @param signal aborts this request (default: the signal of the client)
   * @throws InvalidInputError for an invalid or unknown field; nothing is sent
   */
  async register(identifier: Registration, signal?: AbortSignal): Promise<RecordResponse> {
    return this.#service.register(checkRegistration(identifier, this.#otherFields), signal);
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
   * last time at the time limit. Failures of the service and the connection do not end the wait.
   *
   * @throws InvalidInputError for an invalid id or duration
   * @throws PendingError if research is still in progress at the time limit
   * @throws UnavailableError if no retrieval succeeds before the time limit, or if the first four
   * responses are unreadable, which suggests a wrong base URL
   * @throws NotFoundError, UnauthorizedError, or the reason of an aborted signal
   */
  wait(id: string | number, options: WaitOptions = {}): Promise<RecordResponse> {
    return waitForResearch(this.#service, id, options);
  }

  /**
   * Registers organizations as fast as the service allows, and yields one result for each, in the
   * order of the registrations: a response, or the error of this registration.
   *
   * Only what concerns all of them ends the iteration: an account problem, a used-up quota, a
   * service that is down, and a signal. To continue later, register all again: registration is
   * idempotent.
   * @param registrations read as they are needed, so they can be a stream
   * @throws InvalidInputError, UnauthorizedError, UnavailableError, or the reason of a signal
   * @throws CarbonError if ten names in a row that clearly differ get one id: none of them counts
   * as registered
   */
  async *registerAll(
    registrations: Items<Registration>,
    options: SeriesOptions = {},
  ): AsyncGenerator<ItemResult<Registration>, void, void> {
    const repeated = new RepeatedResponses();
    const attempt = async (given: Registration, signal: AbortSignal) =>
      this.#service.register(checkRegistration(given, this.#otherFields), signal, 1);
    const { environment, pacer } = open(this.#service, options);
    for await (const result of sendInOrder(environment, registrations, { attempt, pacer })) {
      const { item, response } = result;
      if (response !== undefined) repeated.add(response.id, item, undefined);
      if (repeated.error !== undefined) throw repeated.error;
      yield result;
    }
  }

  /**
   * Retrieves the current records of organizations by the rules of `registerAll`.
   * @param options.currency ISO 4217 code of the currency of revenue and emission factors
   */
  async *retrieveAll<Id extends string | number>(
    ids: Items<Id>,
    { currency, ...options }: SeriesOptions & Pick<RetrieveOptions, 'currency'> = {},
  ): AsyncGenerator<ItemResult<Id>, void, void> {
    const attempt = (id: Id, signal: AbortSignal) =>
      this.#service.retrieve(id, { currency, attempts: 1 }, signal);
    const { environment, pacer } = open(this.#service, options);
    yield* sendInOrder(environment, ids, { attempt, pacer });
  }

  /**
   * Waits until research on each organization ends, and yields one result for each as it does, by
   * the rules of `wait`. The time limit is that of all organizations together.
   */
  waitAll<Id extends string | number>(
    ids: Items<Id>,
    options: WaitOptions & SeriesOptions = {},
  ): AsyncGenerator<ItemResult<Id>, void, void> {
    return waitForAll(this.#service, ids, options);
  }

  /** Closes all connections. */
  close(): Promise<void> {
    return this.#service.close();
  }
}

/* Receives each status that a retrieval returns before the end. */
type OnStatus = (status: string | undefined) => void;

async function* waitForAll<Id extends string | number>(
  client: ServiceClient,
  ids: Items<Id>,
  options: WaitOptions & SeriesOptions & { readonly onStatus?: OnStatus },
): AsyncGenerator<ItemResult<Id>, void, void> {
  const { timeoutMs = defaultTimeoutMs, intervalMs, currency } = options;
  checkDuration(timeoutMs, 'timeoutMs', true);
  if (intervalMs !== undefined) checkDuration(intervalMs, 'intervalMs');
  const { environment, pacer } = open(client, options);
  const retrieve = (id: Id, ended: AbortSignal) =>
    client.retrieve(id, { currency, attempts: 1 }, ended);
  const watchOptions = { retrieve, pacer, timeoutMs, intervalMs };
  for await (const event of watch(environment, ids, watchOptions)) {
    const { kind, item } = event;
    if (kind === 'checked') options.onStatus?.(event.status);
    if (kind === 'ended') yield { item, response: event.received };
    else if (kind === 'failed') yield { item, error: event.error };
    else if (kind === 'pending') {
      const { status: researchStatus, error } = event;
      const message = `Research on organization ${item} was still in progress after ${timeoutMs / 1000} s (${researchStatus ?? 'no status'})`;
      const details = { id: String(item), researchStatus };
      yield { item, error: error ?? new PendingError(message, details) };
    }
  }
}

/** Waits until research on an organization ends; `CarbonClient.wait` documents the rules. */
export async function waitForResearch(
  client: ServiceClient,
  id: string | number,
  options: WaitOptions & { readonly onStatus?: OnStatus },
): Promise<RecordResponse> {
  const { value } = await waitForAll(client, [id], options).next();
  if (value?.response === undefined) throw value?.error;
  return value.response;
}

function open({ environment }: ServiceClient, { concurrency, signal }: SeriesOptions) {
  const most = concurrency ?? environment.connections;
  if (!Number.isInteger(most) || most < 1)
    throw new InvalidInputError('concurrency: a number of requests must be 1 or more');
  const signals = [environment.signal, ...(signal === undefined ? [] : [signal])];
  const shared: RunEnvironment = { ...environment, signal: AbortSignal.any(signals) };
  return { environment: shared, pacer: new Pacer({ concurrency: most }) };
}
