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
export async function* watch(
  retrieve: Retrieve,
  ids: AsyncIterable<string>,
  options: WatchOptions,
): AsyncGenerator<WatchEvent> {
  const watch = new Watch(retrieve, options);
  try {
    yield* watch.run(ids);
  } finally {
    watch.close();
  }
}

class Watch {
  readonly #retrieve: Retrieve;
  readonly #options: WatchOptions;
  readonly #deadline: number;
  readonly #stop = new AbortController();
  readonly #ended: AbortSignal;
  readonly #queue = new DelayQueue<WatchedOrganization>();
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

  async *run(ids: AsyncIterable<string>): AsyncGenerator<WatchEvent> {
    const { clock, signal } = this.#options;
    let isRead = false;
    this.#begin(this.#read(ids), () => {
      isRead = true;
    });
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
        for (const watched of this.#queue) yield watched.pending();
        return;
      }
      await this.#waitForChange();
    }
  }

  /** Aborts all requests in flight. */
  close(): void {
    this.#stop.abort();
  }

  async #read(ids: AsyncIterable<string>): Promise<void> {
    const { clock, random, isChecked } = this.#options;
    for await (const id of ids) {
      const since = clock.elapsed();
      this.#count += 1;
      const delayMs = this.#count <= maxImmediateChecks ? 0 : random() * spreadMs;
      const due = since + (isChecked ? nextCheckMs(this.#options, 0, 0) : delayMs);
      this.#queue.add(new WatchedOrganization(id, since), due);
      this.#wakeUp.wake();
    }
  }

  #sendDue(): void {
    const { clock, pacer } = this.#options;
    const now = clock.elapsed();
    while (this.#due(now) <= now && pacer.delay(now) <= 0) {
      const watched = this.#queue.take() as WatchedOrganization;
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

  async #check(watched: WatchedOrganization, ticket: Ticket): Promise<void> {
    const { clock } = this.#options;
    try {
      const received = await this.#retrieveRecord(watched.id, ticket);
      this.#report(watched, watched.checked(received, clock.elapsed(), this.#options));
    } catch (error) {
      if (!(error instanceof CarbonError) || concernsAccount(error, this.#hasAccepted)) throw error;
      this.#hasAccepted ||= isJudgment(error);
      const now = clock.elapsed();
      this.#report(watched, watched.failed(error, this.#hasAccepted, now, this.#options));
    }
  }

  async #retrieveRecord(id: string, ticket: Ticket): Promise<RecordResponse> {
    const { clock, pacer } = this.#options;
    try {
      const received = await this.#retrieve(id, this.#ended);
      const { limit } = received;
      this.#hasAccepted = true;
      pacer.responded(ticket, clock.elapsed(), { kind: 'accepted', ...(limit && { limit }) });
      return received;
    } catch (error) {
      pacer.responded(ticket, clock.elapsed(), pacingOutcome(error, this.#hasAccepted));
      throw error;
    }
  }

  /* Adds the event and schedules the next check, if there is one. */
  #report(watched: WatchedOrganization, event: WatchEvent): void {
    this.#events.push(event);
    if (event.kind !== 'checked' && event.kind !== 'retrying') return;
    const now = this.#options.clock.elapsed();
    const mustWait = event.kind === 'retrying' && event.error.retryAfterMs !== undefined;
    // A last check is at the deadline, but never before a Retry-After ends.
    const isLastAtDeadline = this.#count <= maxImmediateChecks && !mustWait;
    const lastDue = isLastAtDeadline ? this.#deadline : Number.POSITIVE_INFINITY;
    const due = Math.min(now + event.waitMs, lastDue);
    this.#queue.add(watched, now < this.#deadline ? due : Number.POSITIVE_INFINITY);
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

/*
 * Unreadable responses in a row that end a watch before any valid response, because the base URL
 * is wrong. After a valid response, a proxy in front of the service may cause them for a while.
 */
const maxUnreadable = 4;

/* Counts the checks of one organization and turns their results into events. */
class WatchedOrganization {
  readonly id: string;
  readonly #since: number;
  #checks = 0;
  #failures = 0;
  #unreadable = 0;
  #status: string | undefined;
  #error: CarbonError | undefined;

  /** @param since time at which the watch of the organization began, in milliseconds */
  constructor(id: string, since: number) {
    this.id = id;
    this.#since = since;
  }

  /** Returns the event of a check that received a record. */
  checked(received: RecordResponse, now: number, options: CheckOptions): WatchEvent {
    const { id } = this;
    const { status } = readReference(received.record);
    this.#failures = 0;
    this.#unreadable = 0;
    if (status !== undefined && hasEnded(status)) return { kind: 'ended', id, status, received };
    const changed = this.#checks === 0 || status !== this.#status;
    this.#status = status;
    this.#checks += 1;
    const waitMs = nextCheckMs(options, now - this.#since, 0);
    return { kind: 'checked', id, status, changed, waitMs, received };
  }

  /**
   * Returns the event of a check that failed.
   * @param hasAccepted whether the service has accepted a request of this watch
   */
  failed(error: CarbonError, hasAccepted: boolean, now: number, options: CheckOptions): WatchEvent {
    const { id } = this;
    this.#unreadable = error.code === 'unreadable_response' ? this.#unreadable + 1 : 0;
    const isNoService = !hasAccepted && this.#unreadable >= maxUnreadable;
    if (!(error instanceof UnavailableError) || isNoService) return { kind: 'failed', id, error };
    this.#failures += 1;
    this.#error = error;
    const ageMs = now - this.#since;
    const waitMs = nextCheckMs(options, ageMs, this.#failures, error.retryAfterMs);
    return { kind: 'retrying', id, error, waitMs };
  }

  /** Returns the event of a watch that ends at its time limit. */
  pending(): WatchEvent {
    const error = this.#checks === 0 ? this.#error : undefined;
    return { kind: 'pending', id: this.id, status: this.#status, error };
  }
}
