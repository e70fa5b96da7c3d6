/*
 * Follows research to its end. Every organization waits in one queue ordered by the time of its next check;
 * checks run with bounded concurrency and end when the research does, or at the deadline.
 */
import { setMaxListeners } from 'node:events';
import type { Clock } from '../clock.ts';

import { CarbonError, UnauthorizedError, UnavailableError } from '../errors.ts';
import { hasEnded } from '../status.ts';
import type { Received } from './answer.ts';
import type { Pacer, Ticket } from './pacer.ts';

/** How to follow. All durations in milliseconds. */
export interface FollowOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal: AbortSignal;
  /** Decides when a request may be sent, and how many are at work at once. */
  readonly pacer: Pick<Pacer, 'delay' | 'sent' | 'answered'>;
  /** Fixed time between two checks of one organization; by default it grows with the waiting. */
  readonly intervalMs?: number | undefined;
  /** 0 for none. */
  readonly timeoutMs: number;
}

/** What happened to one organization that is followed. */
export type FollowEvent = { readonly id: string } & (
  | {
      readonly kind: 'checked';
      readonly status: string | undefined;
      readonly changed: boolean;
      readonly waitMs: number;
      readonly received: Received;
    }
  | { readonly kind: 'ended'; readonly status: string; readonly received: Received }
  | { readonly kind: 'pending'; readonly status: string | undefined }
  | { readonly kind: 'trouble'; readonly error: CarbonError; readonly waitMs: number }
  | { readonly kind: 'failed'; readonly error: CarbonError }
);

interface Followed {
  readonly id: string;
  readonly since: number;
  due: number;
  checks: number;
  failures: number;
  status: string | undefined;
}

/** Up to so many organizations are checked at once at the start, and once more at the deadline. */
const few = 20;
const spreadMs = 10_000;
/* A proxy may answer in the service's place for a while; a wrong address does so for ever. */
const mostUnreadable = 3;
const isNoService = (error: UnavailableError) => error.code === 'unreadable_answer';
const shortestMs = 10_000;
const longestMs = 60_000;

/**
 * The time until the next check: 10 s or a tenth of the waiting so far, whichever is longer, at most 60 s,
 * 10 % more or less at random; doubled for each failure in a row, never before a Retry-After is over.
 * @param ageMs how long the organization has been followed
 */
export function nextCheckMs(
  { intervalMs, random }: Pick<FollowOptions, 'intervalMs' | 'random'>,
  ageMs: number,
  failures: number,
  retryAfterMs = 0,
): number {
  const regular =
    intervalMs ?? Math.min(longestMs, Math.max(shortestMs, ageMs / 10)) * (0.9 + 0.2 * random());
  const doubled = regular * 2 ** Math.min(failures, 10);
  const patient = failures === 0 ? regular : Math.min(doubled, Math.max(regular, longestMs));
  return Math.max(patient, retryAfterMs);
}

/**
 * Follows organizations until the research on each has ended, yielding what happens.
 * An unknown id ends only its own watch; network failures, 429 and 5xx end none.
 * @param retrieve one retrieval without retries of its own
 * @throws UnauthorizedError at once; the signal's reason when aborted
 */
export async function* follow(
  retrieve: (id: string, signal: AbortSignal) => Promise<Received>,
  ids: AsyncIterable<string>,
  options: FollowOptions,
): AsyncGenerator<FollowEvent> {
  const { clock, random, signal, pacer, timeoutMs } = options;
  const queue: Followed[] = [];
  const events: FollowEvent[] = [];
  const stop = new AbortController();
  const ended = AbortSignal.any([signal, stop.signal]);
  setMaxListeners(0, ended);
  const began = clock.elapsed();
  const deadline = timeoutMs === 0 ? Number.POSITIVE_INFINITY : began + timeoutMs;
  let active = 0;
  let given = 0;
  let reading = true;
  let failure: unknown;
  let wake = () => {};

  const enqueue = (one: Followed, due: number) => {
    one.due = due;
    const at = queue.findLastIndex((other) => other.due <= due);
    queue.splice(at + 1, 0, one);
  };
  const later = (one: Followed, now: number, retryAfterMs?: number): number => {
    const waitMs = nextCheckMs(options, now - one.since, one.failures, retryAfterMs);
    const mayBeEarly = given <= few && retryAfterMs === undefined;
    const lastDue = mayBeEarly ? deadline : Number.POSITIVE_INFINITY;
    enqueue(one, now < deadline ? Math.min(now + waitMs, lastDue) : Number.POSITIVE_INFINITY);
    return waitMs;
  };
  const read = async () => {
    for await (const id of ids) {
      const now = clock.elapsed();
      given += 1;
      const one = { id, since: now, due: now, checks: 0, failures: 0, status: undefined };
      enqueue(one, given <= few ? now : now + random() * spreadMs);
      wake();
    }
  };
  const ask = async (one: Followed, ticket: Ticket): Promise<Received> => {
    const answered = (kind: 'accepted' | 'refused' | 'failed', retryAfterMs?: number) =>
      pacer.answered(ticket, clock.elapsed(), {
        kind,
        ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      });
    try {
      const received = await retrieve(one.id, ended);
      answered('accepted');
      return received;
    } catch (error) {
      const unavailable = error instanceof UnavailableError ? error : undefined;
      if (unavailable?.code === 'rate_limited') answered('refused', unavailable.retryAfterMs);
      else answered(unavailable === undefined ? 'accepted' : 'failed');
      throw error;
    }
  };
  const check = async (one: Followed, ticket: Ticket) => {
    try {
      const received = await ask(one, ticket);
      const { status } = received.record;
      one.failures = 0;
      if (typeof status === 'string' && hasEnded(status)) {
        events.push({ kind: 'ended', id: one.id, status, received });
        return;
      }
      const seen = typeof status === 'string' ? status : undefined;
      const changed = one.checks === 0 || seen !== one.status;
      one.status = seen;
      one.checks += 1;
      events.push({
        kind: 'checked',
        id: one.id,
        status: seen,
        changed,
        waitMs: later(one, clock.elapsed()),
        received,
      });
    } catch (error) {
      if (!(error instanceof CarbonError) || error instanceof UnauthorizedError) throw error;
      if (error instanceof UnavailableError && !(isNoService(error) && one.failures >= mostUnreadable)) {
        one.failures += 1;
        const waitMs = later(one, clock.elapsed(), error.retryAfterMs);
        events.push({ kind: 'trouble', id: one.id, error, waitMs });
      } else events.push({ kind: 'failed', id: one.id, error });
    }
  };
  const begin = (task: Promise<void>, end: () => void) => {
    const settled = task.catch((error: unknown) => {
      failure ??= error;
    });
    void settled.then(() => {
      end();
      wake();
    });
  };

  ended.addEventListener('abort', () => wake());
  begin(read(), () => {
    reading = false;
  });
  try {
    for (;;) {
      for (let event = events.shift(); event; event = events.shift()) yield event;
      const now = clock.elapsed();
      for (let one = queue[0]; one && one.due <= now && pacer.delay(now) <= 0; one = queue[0]) {
        queue.shift();
        active += 1;
        begin(check(one, pacer.sent(now)), () => {
          active -= 1;
        });
      }
      signal.throwIfAborted();
      if (failure !== undefined) throw failure;
      if (active === 0 && queue.length === 0 && !reading) return;
      if (active === 0 && now >= deadline) {
        for (const { id, status } of queue) yield { kind: 'pending', id, status };
        return;
      }
      const due = queue[0] === undefined ? deadline : Math.max(queue[0].due, now + pacer.delay(now));
      const next = Math.min(due, deadline);
      await new Promise<void>((resolve) => {
        const timer = new AbortController();
        wake = () => {
          timer.abort();
          resolve();
        };
        if (next > now) void clock.sleep(next - now, timer.signal).then(wake, wake);
      });
    }
  } finally {
    stop.abort();
  }
}
