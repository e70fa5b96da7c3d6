import { Pacer } from '../pace/pacer.ts';
import type { ServiceClient } from './client.ts';
import { checkDuration } from './credentials.ts';
import { PendingError } from './errors.ts';
import { defaultTimeoutMs } from './poll-interval.ts';
import type { RecordResponse } from './responses.ts';
import { singleAttempt } from './retry.ts';
import { watch } from './watch.ts';

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
