/*
 * Watches research until it ends. One queue orders all organizations by the time of their next
 * check. Checks run as the pacer permits, until research ends or the deadline passes.
 */
import { setMaxListeners } from 'node:events';
import { CarbonError } from '../runtime/carbon-error.ts';
import type { Clock } from '../runtime/clock.ts';
import { DelayQueue } from '../runtime/delay-queue.ts';
import { WakeUp } from '../runtime/wake-up.ts';
import { concernsAccount, UnavailableError } from './errors.ts';
import type { RecordResponse } from './http/response.ts';
import { type CheckOptions, nextCheckMs } from './poll-interval.ts';
import { pacingOutcome, type RequestPacer, type Ticket } from './rate-limit/pacing-outcome.ts';
import { readHead } from './reference.ts';
import { hasEnded } from './status.ts';
import type { FollowEvent } from './watch-event.ts';

/** Configures a watch. Durations are in milliseconds. */
export interface FollowOptions extends CheckOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Decides when to send a request, and limits the requests in flight. */
  readonly pacer: RequestPacer;
  /** Time limit; 0 sets none. */
  readonly timeoutMs: number;
}

/** Retrieves a record in a single attempt. */
export type Retrieve = (id: string, signal: AbortSignal) => Promise<RecordResponse>;

interface WatchedOrganization {
  readonly id: string;
  readonly since: number;
  checks: number;
  failures: number;
  unreadable: number;
  status: string | undefined;
  error: CarbonError | undefined;
}

/** Maximum number of organizations that are all checked at the start and at the deadline. */
const maxImmediateChecks = 20;
/** Period over which the first checks of further organizations are distributed. */
const spreadMs = 10_000;
/*
 * Unreadable responses in a row that end a watch before any valid response, because the base URL
 * is wrong. After a valid response, a proxy in front of the service may cause them for a while.
 */
const maxUnreadable = 4;

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
  options: FollowOptions,
): AsyncGenerator<FollowEvent> {
  const watch = new Watch(retrieve, options);
  try {
    yield* watch.run(ids);
  } finally {
    watch.close();
  }
}

class Watch {
  readonly #retrieve: Retrieve;
  readonly #options: FollowOptions;
  readonly #deadline: number;
  readonly #stop = new AbortController();
  readonly #ended: AbortSignal;
  readonly #queue = new DelayQueue<WatchedOrganization>();
  readonly #wakeUp: WakeUp;
  #events: FollowEvent[] = [];
  #inFlight = 0;
  #count = 0;
  #hasAccepted = false;
  #failure: unknown;

  constructor(retrieve: Retrieve, options: FollowOptions) {
    const { clock, signal, timeoutMs } = options;
    this.#retrieve = retrieve;
    this.#options = options;
    this.#wakeUp = new WakeUp(clock);
    this.#deadline = timeoutMs === 0 ? Number.POSITIVE_INFINITY : clock.elapsed() + timeoutMs;
    this.#ended = AbortSignal.any([signal, this.#stop.signal]);
    setMaxListeners(0, this.#ended);
    this.#ended.addEventListener('abort', () => this.#wakeUp.wake());
  }

  async *run(ids: AsyncIterable<string>): AsyncGenerator<FollowEvent> {
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
        for (const { id, status, checks, error } of this.#queue) {
          yield { kind: 'pending', id, status, error: checks === 0 ? error : undefined };
        }
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
    const { clock, random } = this.#options;
    for await (const id of ids) {
      const since = clock.elapsed();
      this.#count += 1;
      const watched = {
        id,
        since,
        checks: 0,
        failures: 0,
        unreadable: 0,
        status: undefined,
        error: undefined,
      };
      this.#queue.add(
        watched,
        this.#count <= maxImmediateChecks ? since : since + random() * spreadMs,
      );
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
    try {
      this.#checked(watched, await this.#retrieveRecord(watched, ticket));
    } catch (error) {
      if (!(error instanceof CarbonError) || concernsAccount(error, this.#hasAccepted)) throw error;
      this.#failed(watched, error);
    }
  }

  async #retrieveRecord({ id }: WatchedOrganization, ticket: Ticket): Promise<RecordResponse> {
    const { clock, pacer } = this.#options;
    try {
      const received = await this.#retrieve(id, this.#ended);
      const { limit } = received;
      this.#hasAccepted = true;
      pacer.answered(ticket, clock.elapsed(), { kind: 'accepted', ...(limit && { limit }) });
      return received;
    } catch (error) {
      pacer.answered(ticket, clock.elapsed(), pacingOutcome(error, this.#hasAccepted));
      throw error;
    }
  }

  #checked(watched: WatchedOrganization, received: RecordResponse): void {
    const { status } = readHead(received.record);
    const { id } = watched;
    watched.failures = 0;
    watched.unreadable = 0;
    if (status !== undefined && hasEnded(status)) {
      this.#events.push({ kind: 'ended', id, status, received });
      return;
    }
    const changed = watched.checks === 0 || status !== watched.status;
    watched.status = status;
    watched.checks += 1;
    this.#events.push({
      kind: 'checked',
      id,
      status,
      changed,
      waitMs: this.#scheduleCheck(watched),
      received,
    });
  }

  #failed(watched: WatchedOrganization, error: CarbonError): void {
    watched.unreadable = error.code === 'unreadable_answer' ? watched.unreadable + 1 : 0;
    const isNoService = !this.#hasAccepted && watched.unreadable >= maxUnreadable;
    if (!(error instanceof UnavailableError) || isNoService) {
      this.#hasAccepted ||= !isNoService;
      this.#events.push({ kind: 'failed', id: watched.id, error });
      return;
    }
    watched.failures += 1;
    watched.error = error;
    this.#events.push({
      kind: 'trouble',
      id: watched.id,
      error,
      waitMs: this.#scheduleCheck(watched, error.retryAfterMs),
    });
  }

  /* Schedules the next check: a last one at the deadline, but never before a Retry-After ends. */
  #scheduleCheck(watched: WatchedOrganization, retryAfterMs?: number): number {
    const now = this.#options.clock.elapsed();
    const waitMs = nextCheckMs(this.#options, now - watched.since, watched.failures, retryAfterMs);
    const lastDue =
      this.#count <= maxImmediateChecks && retryAfterMs === undefined
        ? this.#deadline
        : Number.POSITIVE_INFINITY;
    this.#queue.add(
      watched,
      now < this.#deadline ? Math.min(now + waitMs, lastDue) : Number.POSITIVE_INFINITY,
    );
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
