import type { ServiceClient } from './client.ts';
import { PendingError } from './errors.ts';
import type { RecordResponse } from './http/response.ts';
import { defaultTimeoutMs } from './poll-interval.ts';
import { Pacer } from './rate-limit/pacer.ts';
import { singleTry } from './retry.ts';
import { watch } from './watch.ts';

/** How to wait for the end of research. */
export interface WaitOptions {
  /** Ends the wait; the promise rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Maximum time to wait, in milliseconds (default 1 800 000, half an hour); 0 for no limit. */
  readonly timeoutMs?: number | undefined;
  /**
   * Time between two checks, in milliseconds. By default 10 s, growing with the time waited to 60
   * s, 10 % more or less at random.
   */
  readonly intervalMs?: number | undefined;
  /** ISO 4217 code of the currency of revenue and emission factors (section 4.2). */
  readonly currency?: string | undefined;
}

/** Follows the research on one organization to its end; `CarbonClient.wait` documents the rules. */
export async function waitForResearch(
  client: ServiceClient,
  id: string | number,
  { signal: own, timeoutMs = defaultTimeoutMs, intervalMs, currency }: WaitOptions,
): Promise<RecordResponse> {
  const { clock, random, signal: outer } = client.world;
  const signal = own === undefined ? outer : AbortSignal.any([outer, own]);
  const pacer = new Pacer({ concurrency: 1 });
  const retrieve = (one: string, ended: AbortSignal) =>
    client.retrieve(one, { currency, retries: singleTry }, ended);
  const options = { clock, random, signal, pacer, timeoutMs, intervalMs };
  for await (const event of watch(retrieve, only(String(id)), options)) {
    if (event.kind === 'ended') return event.received;
    if (event.kind === 'failed') throw event.error;
    if (event.kind === 'pending') throw event.error ?? pending(event.id, event.status, timeoutMs);
  }
  throw new Error('research was followed to no end');
}

async function* only(id: string): AsyncGenerator<string> {
  yield id;
}

function pending(id: string, researchStatus: string | undefined, timeoutMs: number): PendingError {
  const status = researchStatus ?? 'no status';
  const message = `Research on organization ${id} was still in progress after ${timeoutMs / 1000} s (${status})`;
  return new PendingError(message, { id, researchStatus });
}
