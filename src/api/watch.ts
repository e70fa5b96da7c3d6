/*
 * Watches research until it ends. One queue orders all organizations by the time of their next
 * check. Checks run as the pacer allows, until research ends or the deadline passes.
 */
import { setMaxListeners } from 'node:events';
import type { RequestPacer, Ticket } from '../pace/pacer.ts';
import { CarbonError } from '../runtime/carbon-error.ts';
import type { Clock } from '../runtime/clock.ts';
import { WakeUp } from '../runtime/clock.ts';
import { DelayQueue } from '../runtime/delay-queue.ts';
import { concernsAccount, isJudgment, pacingOutcome, UnavailableError } from './errors.ts';
import { hasEnded, readReference } from './ids.ts';
import { type CheckOptions, nextCheckMs } from './poll-interval.ts';
import type { RecordResponse } from './responses.ts';

/** Configures a watch. Durations are in milliseconds. */
export interface WatchOptions extends CheckOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Decides when to send a request, and limits the requests in flight. */
  readonly pacer: RequestPacer;
  /** Time limit; 0 sets none. */
  readonly timeoutMs: number;
  /** Whether each organization was checked just now, so that its first check can wait. */
  readonly isChecked?: boolean | undefined;
}

/** Retrieves a record in a single attempt. */
export type Retrieve = (id: string, signal: AbortSignal) => Promise<RecordResponse>;

/* Maximum number of organizations that are all checked at the start and at the deadline. */
const maxImmediateChecks = 20;
/* Period over which the first checks of further organizations are distributed. */
const spreadMs = 10_000;

/**
 * Watches organizations until research on each ends, and yields what happens.
 *
 * An unknown id ends only its own watch, and so does a 403 after the service accepted another
 * request. The watch continues after network failures, 429, 5xx and unreadable responses.
 * @throws UnauthorizedError if it concerns the account
 * @throws the reason of the signal when it aborts
 */
export function watch(
  retrieve: Retrieve,
  ids: AsyncIterable<string>,
  options: WatchOptions,
): AsyncGenerator<WatchEvent, void, void> {
  return new Watch(retrieve, options).run(ids);
}

/* An organization that is watched, and what its checks found so far. */
interface Watched {
  readonly id: string;
  /** Time at which its watch began. */
  readonly since: number;
  hasStatus: boolean;
  status: string | undefined;
  /** Failed checks in a row, and those of them with an unreadable response. */
  failures: number;
  unreadable: number;
  error: CarbonError | undefined;
}

/*
 * Unreadable responses in a row that end a watch before any valid response, because the base URL
 * is wrong. After a valid response, a proxy in front of the service may cause them for a while.
 */
const maxUnreadable = 4;

class Watch {
  readonly #retrieve: Retrieve;
  readonly #options: WatchOptions;
  readonly #deadline: number;
  readonly #stop = new AbortController();
  readonly #ended: AbortSignal;
  readonly #queue = new DelayQueue<Watched>();
  readonly #wakeUp: WakeUp;
  #events: WatchEvent[] = [];
  #inFlight = 0;
  #count = 0;
  #hasAccepted = false;
  #failure: unknown;

  constructor(retrieve: Retrieve, options: WatchOptions) {
    const { clock, signal, timeoutMs } = options;
    this.#retrieve = retrieve;
    this.#options = options;
    this.#wakeUp = new WakeUp(clock);
    this.#deadline = timeoutMs === 0 ? Number.POSITIVE_INFINITY : clock.elapsed() + timeoutMs;
    this.#ended = AbortSignal.any([signal, this.#stop.signal]);
    setMaxListeners(0, this.#ended);
    this.#ended.addEventListener('abort', () => this.#wakeUp.wake());
  }

  async *run(ids: AsyncIterable<string>): AsyncGenerator<WatchEvent, void, void> {
    const { clock, signal } = this.#options;
    let isRead = false;
    this.#begin(this.#read(ids), () => {
      isRead = true;
    });
    try {
      for (;;) {
        const events = this.#events;
        this.#events = [];
        yield* events;
        this.#sendDue();
        signal.throwIfAborted();
        if (this.#failure !== undefined) throw this.#failure;
        if (this.#events.length > 0) continue;
        const isIdle = this.#inFlight === 0;
        if (isIdle && isRead && this.#queue.size === 0) return;
        if (isIdle && clock.elapsed() >= this.#deadline) {
          for (const { id, status, hasStatus, error } of this.#queue)
            yield { kind: 'pending', id, status, error: hasStatus ? undefined : error };
          return;
        }
        await this.#waitForChange();
      }
    } finally {
      // Aborts all requests in flight.
      this.#stop.abort();
    }
  }

  async #read(ids: AsyncIterable<string>): Promise<void> {
    const { clock, random, isChecked } = this.#options;
    for await (const id of ids) {
      const since = clock.elapsed();
      this.#count += 1;
      const delayMs = this.#count <= maxImmediateChecks ? 0 : random() * spreadMs;
      const due = since + (isChecked ? nextCheckMs(this.#options, 0, 0) : delayMs);
      const none = { hasStatus: false, status: undefined, error: undefined };
      this.#queue.add({ id, since, failures: 0, unreadable: 0, ...none }, due);
      this.#wakeUp.wake();
    }
  }

  #sendDue(): void {
    const { clock, pacer } = this.#options;
    const now = clock.elapsed();
    while (this.#due(now) <= now && pacer.delay(now) <= 0) {
      const watched = this.#queue.take() as Watched;
      this.#inFlight += 1;
      this.#begin(this.#check(watched, pacer.sent(now)), () => {
        this.#inFlight -= 1;
      });
    }
  }

  /* After the deadline, only a small number of organizations is checked a last time. */
  #due(now: number): number {
    const isOver = now >= this.#deadline && this.#count > maxImmediateChecks;
    return isOver ? Number.POSITIVE_INFINITY : this.#queue.due;
  }

  #begin(task: Promise<void>, end: () => void): void {
    const settled = task.catch((error: unknown) => {
      this.#failure ??= error;
    });
    void settled.then(() => {
      end();
      this.#wakeUp.wake();
    });
  }

  async #check(watched: Watched, ticket: Ticket): Promise<void> {
    const { clock, pacer } = this.#options;
    let received: RecordResponse;
    try {
      received = await this.#retrieve(watched.id, this.#ended);
    } catch (error) {
      pacer.responded(ticket, clock.elapsed(), pacingOutcome(error, this.#hasAccepted));
      if (!(error instanceof CarbonError) || concernsAccount(error, this.#hasAccepted)) throw error;
      this.#hasAccepted ||= isJudgment(error);
      this.#failed(watched, error);
      return;
    }
    const { limit } = received;
    this.#hasAccepted = true;
    pacer.responded(ticket, clock.elapsed(), { kind: 'accepted', ...(limit && { limit }) });
    this.#checked(watched, received);
  }

  #checked(watched: Watched, received: RecordResponse): void {
    const { id } = watched;
    const { status } = readReference(received.record);
    if (status !== undefined && hasEnded(status)) {
      this.#events.push({ kind: 'ended', id, status, received });
      return;
    }
    const changed = !watched.hasStatus || status !== watched.status;
    Object.assign(watched, { hasStatus: true, status, failures: 0, unreadable: 0 });
    const waitMs = this.#schedule(watched);
    this.#events.push({ kind: 'checked', id, status, changed, waitMs, received });
  }

  #failed(watched: Watched, error: CarbonError): void {
    const { id } = watched;
    watched.unreadable = error.code === 'unreadable_response' ? watched.unreadable + 1 : 0;
    const isNoService = !this.#hasAccepted && watched.unreadable >= maxUnreadable;
    if (!(error instanceof UnavailableError) || isNoService) {
      this.#events.push({ kind: 'failed', id, error });
      return;
    }
    watched.failures += 1;
    watched.error = error;
    const waitMs = this.#schedule(watched, error.retryAfterMs);
    this.#events.push({ kind: 'retrying', id, error, waitMs });
  }

  /* Schedules the next check, and returns the regular wait until then. */
  #schedule(watched: Watched, retryAfterMs?: number): number {
    const now = this.#options.clock.elapsed();
    const { since, failures } = watched;
    const waitMs = nextCheckMs(this.#options, now - since, failures, retryAfterMs);
    // A last check is at the deadline, but never before a Retry-After ends.
    const isLastAtDeadline = this.#count <= maxImmediateChecks && retryAfterMs === undefined;
    const lastDue = isLastAtDeadline ? this.#deadline : Number.POSITIVE_INFINITY;
    const due = Math.min(now + waitMs, lastDue);
    this.#queue.add(watched, now < this.#deadline ? due : Number.POSITIVE_INFINITY);
    return waitMs;
  }

  /* Waits until something changes, a check is due, or the deadline passes. */
  async #waitForChange(): Promise<void> {
    const { clock, pacer } = this.#options;
    const now = clock.elapsed();
    const due = Math.max(this.#due(now), now + pacer.delay(now));
    // Time has passed since the last check of the clock, so a check or the deadline may be due.
    if (due <= now || (this.#inFlight === 0 && this.#deadline <= now)) return;
    const ms = Math.min(due, this.#deadline) - now;
    await this.#wakeUp.wait(ms > 0 ? ms : Number.POSITIVE_INFINITY);
  }
}

/** Describes what happened to one organization in a watch. Waits are in milliseconds. */
export type WatchEvent = { readonly id: string } & (
  | {
      /** Research is in progress. */
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
  /** A check failed, and the watch of this organization ended. */
  | { readonly kind: 'failed'; readonly error: CarbonError }
);
