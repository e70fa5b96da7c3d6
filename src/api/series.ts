/* Sends the requests of a series of items for the library, and waits for the research on them. */
import { Pacer } from '../pace/pacer.ts';
import { type CarbonError, InvalidInputError } from '../runtime/carbon-error.ts';
import type { ServiceClient } from './client.ts';
import { checkDuration } from './credentials.ts';
import { PendingError } from './errors.ts';
import { type Items, sendInOrder } from './in-order.ts';
import type { RecordResponse } from './responses.ts';
import type { Environment } from './scheduler.ts';
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
 * Sends a request for each item, and yields the results in the order of the items.
 * @param attempt makes one attempt
 * @throws as `schedule` does
 */
export async function* sendAll<Item extends object | string | number>(
  client: ServiceClient,
  items: Items<Item>,
  options: SeriesOptions,
  attempt: (item: Item, signal: AbortSignal) => Promise<RecordResponse>,
): AsyncGenerator<ItemResult<Item>, void, void> {
  const { environment, pacer } = open(client, options);
  yield* sendInOrder(environment, items, { pacer, attempt });
}

/** Waits until research on each organization ends, and yields the results as it does. */
export async function* waitForAll<Id extends string | number>(
  client: ServiceClient,
  ids: Items<Id>,
  options: WaitOptions & SeriesOptions,
): AsyncGenerator<ItemResult<Id>, void, void> {
  const { timeoutMs = defaultTimeoutMs, intervalMs, currency } = options;
  checkDuration(timeoutMs, 'timeoutMs', true);
  if (intervalMs !== undefined) checkDuration(intervalMs, 'intervalMs');
  const { environment, pacer } = open(client, options);
  const retrieve = (id: Id, ended: AbortSignal) =>
    client.retrieve(id, { currency, attempts: 1 }, ended);
  const watchOptions = { retrieve, pacer, timeoutMs, intervalMs };
  for await (const event of watch(environment, ids, watchOptions)) {
    if (event.kind === 'checked' || event.kind === 'retrying') continue;
    const { item } = event;
    if (event.kind === 'ended') yield { item, response: event.received };
    else if (event.kind === 'failed') yield { item, error: event.error };
    else yield { item, error: event.error ?? pending(item, event.status, timeoutMs) };
  }
}

/** Waits until research on an organization ends; `CarbonClient.wait` documents the rules. */
export async function waitForResearch(
  client: ServiceClient,
  id: string | number,
  options: WaitOptions,
): Promise<RecordResponse> {
  for await (const { response, error } of waitForAll(client, [id], options)) {
    if (error !== undefined) throw error;
    return response;
  }
  throw new Error('the watch ended without a result');
}

function open({ environment }: ServiceClient, { concurrency, signal }: SeriesOptions) {
  const most = concurrency ?? environment.connections;
  if (!Number.isInteger(most) || most < 1)
    throw new InvalidInputError('concurrency: a number of requests must be 1 or more');
  const signals = [environment.signal, ...(signal === undefined ? [] : [signal])];
  const shared: Environment = { ...environment, signal: AbortSignal.any(signals) };
  return { environment: shared, pacer: new Pacer({ concurrency: most }) };
}

function pending(
  item: string | number,
  researchStatus: string | undefined,
  timeoutMs: number,
): PendingError {
  const status = researchStatus ?? 'no status';
  const message = `Research on organization ${item} was still in progress after ${timeoutMs / 1000} s (${status})`;
  return new PendingError(message, { id: String(item), researchStatus });
}
