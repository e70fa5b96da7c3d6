/*
 * Sends the requests of a series of items, which may be without end, and waits for the research on
 * each of them.
 */
import { Pacer } from '../pace/pacer.ts';
import { CarbonError, InvalidInputError } from '../runtime/carbon-error.ts';
import type { ServiceClient } from './client.ts';
import { checkDuration } from './credentials.ts';
import { PendingError } from './errors.ts';
import { mapConcurrent } from './map-concurrent.ts';
import { PacedRequests } from './paced-requests.ts';
import { defaultTimeoutMs } from './poll-interval.ts';
import type { RecordResponse } from './responses.ts';
import { singleAttempt } from './retry.ts';
import { watch } from './watch.ts';

/** Items of a series, which are read as they are needed. */
export type Items<Item> = Iterable<Item> | AsyncIterable<Item>;

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

/* Items in progress for each request in flight, so that one that is retried delays no others. */
const itemsPerRequest = 8;

/**
 * Sends a request for each item, and yields the results in the order of the items.
 * @param request makes one attempt
 * @throws what `PacedRequests.send` throws, what the items throw, and the reason of a signal
 */
export async function* sendAll<Item>(
  client: ServiceClient,
  items: Items<Item>,
  { concurrency, signal }: SeriesOptions,
  request: (item: Item, signal: AbortSignal) => Promise<RecordResponse>,
): AsyncGenerator<ItemResult<Item>, void, void> {
  const { clock, random, retries, onWait, connections } = client.environment;
  const maxInFlight = checkConcurrency(concurrency ?? connections);
  const pacer = new Pacer({ concurrency: maxInFlight });
  const series = stoppable(client, signal);
  const options = { pacer, clock, random, retries, onWait, signal: series.signal };
  const requests = new PacedRequests(options);
  const work = async (item: Item): Promise<ItemResult<Item>> => {
    const response = await requests.send((ended) => request(item, ended));
    return response instanceof CarbonError ? { item, error: response } : { item, response };
  };
  try {
    const source = untilAborted(items, series.signal);
    yield* mapConcurrent(source, maxInFlight * itemsPerRequest, work);
  } finally {
    series.stop();
  }
}

/** Waits until research on each organization ends, and yields the results as it does. */
export async function* waitForAll<Id extends string | number>(
  client: ServiceClient,
  ids: Items<Id>,
  options: WaitOptions & SeriesOptions,
): AsyncGenerator<ItemResult<Id>, void, void> {
  const { clock, random, connections } = client.environment;
  const { timeoutMs = defaultTimeoutMs, intervalMs, currency } = options;
  checkDuration(timeoutMs, 'timeoutMs', true);
  if (intervalMs !== undefined) checkDuration(intervalMs, 'intervalMs');
  const pacer = new Pacer({ concurrency: checkConcurrency(options.concurrency ?? connections) });
  const { signal, stop } = stoppable(client, options.signal);
  // An id may be given twice, so each item has a key of its own.
  const waiting = new Map<string, Id>();
  async function* keys(): AsyncGenerator<string> {
    let key = 0;
    for await (const id of untilAborted(ids, signal)) {
      key += 1;
      waiting.set(String(key), id);
      yield String(key);
    }
  }
  const retrieve = (key: string, ended: AbortSignal) =>
    client.retrieve(waiting.get(key) as Id, { currency, retries: singleAttempt }, ended);
  const how = { clock, random, signal, pacer, timeoutMs, intervalMs };
  try {
    for await (const event of watch(retrieve, keys(), how)) {
      if (event.kind === 'checked' || event.kind === 'retrying') continue;
      const item = waiting.get(event.id) as Id;
      waiting.delete(event.id);
      if (event.kind === 'ended') yield { item, response: event.received };
      else if (event.kind === 'failed') yield { item, error: event.error };
      else yield { item, error: event.error ?? pending(item, event.status, timeoutMs) };
    }
  } finally {
    stop();
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

/* Returns the signal that ends a series, and what ends it when the caller needs no more results. */
function stoppable({ environment }: ServiceClient, signal: AbortSignal | undefined) {
  const stopped = new AbortController();
  const signals = [environment.signal, stopped.signal, ...(signal === undefined ? [] : [signal])];
  return { signal: AbortSignal.any(signals), stop: () => stopped.abort() };
}

/* Yields each item; a signal ends it even while it waits for the next one. */
async function* untilAborted<Item>(
  items: Items<Item>,
  signal: AbortSignal,
): AsyncGenerator<Item, void, void> {
  const source =
    Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  try {
    for (;;) {
      const next = await unlessAborted(source.next(), signal);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // A generator that waits for its next item returns only after it, if ever.
    void Promise.resolve(source.return?.()).catch(() => undefined);
  }
}

function unlessAborted<Value>(value: Value | Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const abort = () => reject(signal.reason);
    const end = () => signal.removeEventListener('abort', abort);
    signal.addEventListener('abort', abort);
    Promise.resolve(value).then(resolve, reject).finally(end);
  });
}

function checkConcurrency(requests: number): number {
  if (Number.isInteger(requests) && requests > 0) return requests;
  throw new InvalidInputError('concurrency: a number of requests must be 1 or more');
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
