/* Watches research until it ends. */

import { CarbonError } from '../../runtime/carbon-error.ts';
import { backoffMs, WakeUp } from '../../runtime/clock.ts';
import type { RequestPacer } from '../pace/pacer.ts';
import { isJudgment, UnavailableError } from './errors.ts';
import { hasEnded, readReference } from './ids.ts';
import type { RecordResponse } from './responses.ts';
import {
  type Items,
  type Outcome,
  type RunEnvironment,
  reader,
  schedule,
  type Verdict,
} from './scheduler.ts';

/** Default time limit of a watch, in milliseconds. */
export const defaultTimeoutMs = 1_800_000;

/** Configures a watch. Durations are in milliseconds. */
export interface WatchOptions<Item> {
  retrieve(item: Item, signal: AbortSignal): Promise<RecordResponse>;
  readonly pacer: RequestPacer;
  /** Time limit; 0 sets none. */
  readonly timeoutMs: number;
  /** Fixed interval between two checks (default: grows with the age of the watch). */
  readonly intervalMs?: number | undefined;
  /** Whether all items were checked just now, so that the first check can wait. */
  readonly isChecked?: boolean | undefined;
}

/** Describes what happened to one item of a watch. Waits are in milliseconds. */
export type WatchEvent<Item> = { readonly item: Item } & (
  | {
      readonly kind: 'checked';
      readonly status: string | undefined;
      /** Whether the status differs from the previous check, or this is the first one. */
      readonly changed: boolean;
      readonly waitMs: number;
      readonly received: RecordResponse;
    }
  | { readonly kind: 'ended'; readonly status: string; readonly received: RecordResponse }
  | {
      /** The time limit ended the watch. */
      readonly kind: 'pending';
      readonly status: string | undefined;
      /** Last failure, if no check ever succeeded. */
      readonly error: CarbonError | undefined;
    }
  /** A check failed, and the watch continues. */
  | { readonly kind: 'retrying'; readonly error: CarbonError; readonly waitMs: number }
  /** A check failed, and the watch of this item ended. */
  | { readonly kind: 'failed'; readonly error: CarbonError }
);

/* An item that is watched, and what its checks found so far. */
interface Watched<Item> {
  readonly item: Item;
  readonly since: number;
  hasStatus: boolean;
  status: string | undefined;
  /** Failed checks in a row. */
  failures: number;
  error: CarbonError | undefined;
}

/*
 * Failed checks in a row that end a watch if the responses are unreadable and nothing was accepted
 * yet, because the base URL is wrong. Later, a proxy in front of the service may cause them.
 */
const maxUnreadable = 4;

/**
 * Watches items until research on each ends, and yields what happens.
 *
 * An unknown id ends only its own watch, and so does a 403 after the service accepted another
 * request. The watch continues after failures of the service, until the time limit.
 * @throws as `schedule` does
 */
export async function* watch<Item extends object | string | number>(
  environment: RunEnvironment,
  items: Items<Item>,
  options: WatchOptions<Item>,
): AsyncGenerator<WatchEvent<Item>, void, void> {
  const { clock, random, signal } = environment;
  const { retrieve, pacer, timeoutMs, intervalMs, isChecked } = options;
  const deadline = timeoutMs === 0 ? Number.POSITIVE_INFINITY : clock.elapsed() + timeoutMs;
  const source = reader(items);
  const open = new Set<Watched<Item>>();
  const unsent: Watched<Item>[] = [];
  const arrival = new WakeUp(clock);
  let isRead = false;
  let hasAccepted = false;

  // Reads every item at once, so that the time limit finds all of them.
  const read = async () => {
    if (isChecked) await clock.sleep(nextCheckMs(random(), intervalMs, 0, 0), signal);
    for (let item = await source.next(); item !== undefined; item = await source.next()) {
      const none = { hasStatus: false, status: undefined, failures: 0, error: undefined };
      const watched = { item, since: clock.elapsed(), ...none };
      open.add(watched);
      unsent.push(watched);
      arrival.wake();
    }
  };
  const reading = read().finally(() => {
    isRead = true;
    arrival.wake();
  });
  reading.catch(() => undefined);
  const next = async () => {
    while (unsent.length === 0 && !isRead) await arrival.wait(Number.POSITIVE_INFINITY);
    if (unsent.length === 0) await reading;
    return unsent.shift();
  };

  const judge = (
    watched: Watched<Item>,
    { response, error }: Outcome<RecordResponse>,
  ): Verdict<WatchEvent<Item>> => {
    const { item, since } = watched;
    hasAccepted ||= error === undefined || isJudgment(error);
    watched.failures = error === undefined ? 0 : watched.failures + 1;
    const now = clock.elapsed();
    const regularMs = nextCheckMs(random(), intervalMs, now - since, watched.failures);
    const waitMs = Math.max(regularMs, error?.retryAfterMs ?? 0);
    // The last check is at the deadline.
    const again = now < deadline ? Math.min(now + waitMs, deadline) : now + waitMs;
    if (error !== undefined) {
      const isUnreadable = error.code === 'unreadable_response' && !hasAccepted;
      const isWrong = isUnreadable && watched.failures >= maxUnreadable;
      if (error instanceof UnavailableError && !isWrong)
        return { result: { kind: 'retrying', item, error, waitMs }, again };
      open.delete(watched);
      return { result: { kind: 'failed', item, error } };
    }
    const { status } = readReference(response.record);
    if (status !== undefined && hasEnded(status)) {
      open.delete(watched);
      return { result: { kind: 'ended', item, status, received: response } };
    }
    const changed = !watched.hasStatus || status !== watched.status;
    Object.assign(watched, { hasStatus: true, status });
    return {
      result: { kind: 'checked', item, status, changed, waitMs, received: response },
      again,
    };
  };

  const attempt = (watched: Watched<Item>, ended: AbortSignal) =>
    retrieve(watched.item, ended).catch((error: unknown) => {
      if (error instanceof CarbonError) watched.error = error;
      throw error;
    });
  try {
    yield* schedule(environment, { next, attempt, judge, pacer, deadline });
    for (const { item, status, hasStatus, error } of open)
      yield { kind: 'pending', item, status, error: hasStatus ? undefined : error };
  } finally {
    source.close();
  }
}

const minIntervalMs = 10_000;
const maxIntervalMs = 60_000;

/*
 * Returns the time until the next check: a tenth of the age, from 10 s to 60 s, ±10 % at random. It
 * doubles with each failure in a row.
 */
function nextCheckMs(
  random: number,
  intervalMs: number | undefined,
  ageMs: number,
  failures: number,
): number {
  const usual = Math.min(maxIntervalMs, Math.max(minIntervalMs, ageMs / 10)) * (0.9 + 0.2 * random);
  const regular = intervalMs ?? usual;
  return backoffMs(failures + 1, regular, Math.max(regular, maxIntervalMs));
}
