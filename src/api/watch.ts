/*
 * Follows research to its end. Every organization waits in one schedule ordered by the time of its
 * next check; checks run as the pacer permits and end when the research does, or at the deadline.
 */
import { setMaxListeners } from 'node:events';
import { CarbonError } from '../runtime/carbon-error.ts';
import type { Clock } from '../runtime/clock.ts';
import { DelayQueue } from '../runtime/delay-queue.ts';
import { WakeUp } from '../runtime/wake-up.ts';
import { concernsAccount, UnavailableError } from './errors.ts';
import type { RecordResponse } from './http/response.ts';
import { type CheckOptions, nextCheckMs } from './poll-interval.ts';
import type { Ticket } from './rate-limit/outcome.ts';
import type { Pacer } from './rate-limit/pacer.ts';
import { pacingOutcome } from './rate-limit/pacing-outcome.ts';
import { readHead } from './reference.ts';
import { hasEnded } from './status.ts';
import type { FollowEvent } from './watch-event.ts';

/** How to follow. All durations in milliseconds. */
export interface FollowOptions extends CheckOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Decides when a request may be sent, and how many are at work at once. */
  readonly pacer: Pick<Pacer, 'delay' | 'sent' | 'answered'>;
  /** 0 for none. */
  readonly timeoutMs: number;
}

/** Makes one retrieval, without retries of its own. */
export type Retrieve = (id: string, signal: AbortSignal) => Promise<RecordResponse>;

interface Followed {
  readonly id: string;
  readonly since: number;
  checks: number;
  failures: number;
  unreadable: number;
  status: string | undefined;
  error: CarbonError | undefined;
}

/** Up to so many organizations are checked at once at the start, and once more at the deadline. */
const few = 20;
const spreadMs = 10_000;
/*
 * Where nothing but unreadable responses has ever come, the address is wrong: this many in a row
 * end the watch. Once the service has answered for any organization, a proxy in front of it may
 * take its place for a while.
 */
const maxUnreadable = 4;

/**
 * Follows organizations until the research on each has ended, yielding what happens. An unknown id
 * ends only its own watch, and so does a 403 after the service has answered for another one.
 * Network failures, 429, 5xx and responses that are not the service's end none.
 * @throws UnauthorizedError at once when it concerns the account; the signal's reason when aborted
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
  readonly #schedule = new DelayQueue<Followed>();
  readonly #wakeUp: WakeUp;
  #events: FollowEvent[] = [];
  #underWay = 0;
  #given = 0;
  #hasAnswered = false;
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
      const isIdle = this.#underWay === 0;
      if (isIdle && isRead && this.#schedule.size === 0) return;
      if (isIdle && clock.elapsed() >= this.#deadline) {
        for (const { id, status, checks, error } of this.#schedule) {
          yield { kind: 'pending', id, status, error: checks === 0 ? error : undefined };
        }
        return;
      }
      await this.#change();
    }
  }

  /** Ends every request that is still under way. */
  close(): void {
    this.#stop.abort();
  }

  async #read(ids: AsyncIterable<string>): Promise<void> {
    const { clock, random } = this.#options;
    for await (const id of ids) {
      const since = clock.elapsed();
      this.#given += 1;
      const one = {
        id,
        since,
        checks: 0,
        failures: 0,
        unreadable: 0,
        status: undefined,
        error: undefined,
      };
      this.#schedule.add(one, this.#given <= few ? since : since + random() * spreadMs);
      this.#wakeUp.wake();
    }
  }

  #sendDue(): void {
    const { clock, pacer } = this.#options;
    const now = clock.elapsed();
    while (this.#due(now) <= now && pacer.delay(now) <= 0) {
      const one = this.#schedule.take() as Followed;
      this.#underWay += 1;
      this.#begin(this.#check(one, pacer.sent(now)), () => {
        this.#underWay -= 1;
      });
    }
  }

  /* After the deadline, only few are checked a last time. */
  #due(now: number): number {
    const isOver = now >= this.#deadline && this.#given > few;
    return isOver ? Number.POSITIVE_INFINITY : this.#schedule.due;
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

  async #check(one: Followed, ticket: Ticket): Promise<void> {
    try {
      this.#checked(one, await this.#ask(one, ticket));
    } catch (error) {
      if (!(error instanceof CarbonError) || concernsAccount(error, this.#hasAnswered)) throw error;
      this.#failed(one, error);
    }
  }

  async #ask({ id }: Followed, ticket: Ticket): Promise<RecordResponse> {
    const { clock, pacer } = this.#options;
    try {
      const received = await this.#retrieve(id, this.#ended);
      const { limit } = received;
      this.#hasAnswered = true;
      pacer.answered(ticket, clock.elapsed(), { kind: 'accepted', ...(limit && { limit }) });
      return received;
    } catch (error) {
      pacer.answered(ticket, clock.elapsed(), pacingOutcome(error, this.#hasAnswered));
      throw error;
    }
  }

  #checked(one: Followed, received: RecordResponse): void {
    const { status } = readHead(received.record);
    const { id } = one;
    one.failures = 0;
    one.unreadable = 0;
    if (status !== undefined && hasEnded(status)) {
      this.#events.push({ kind: 'ended', id, status, received });
      return;
    }
    const changed = one.checks === 0 || status !== one.status;
    one.status = status;
    one.checks += 1;
    this.#events.push({ kind: 'checked', id, status, changed, waitMs: this.#again(one), received });
  }

  #failed(one: Followed, error: CarbonError): void {
    one.unreadable = error.code === 'unreadable_answer' ? one.unreadable + 1 : 0;
    const isNoService = !this.#hasAnswered && one.unreadable >= maxUnreadable;
    if (!(error instanceof UnavailableError) || isNoService) {
      this.#hasAnswered ||= !isNoService;
      this.#events.push({ kind: 'failed', id: one.id, error });
      return;
    }
    one.failures += 1;
    one.error = error;
    this.#events.push({
      kind: 'trouble',
      id: one.id,
      error,
      waitMs: this.#again(one, error.retryAfterMs),
    });
  }

  /*
   * Few organizations are checked once more at the deadline, before a Retry-After is over none is.
   */
  #again(one: Followed, retryAfterMs?: number): number {
    const now = this.#options.clock.elapsed();
    const waitMs = nextCheckMs(this.#options, now - one.since, one.failures, retryAfterMs);
    const lastDue =
      this.#given <= few && retryAfterMs === undefined ? this.#deadline : Number.POSITIVE_INFINITY;
    this.#schedule.add(
      one,
      now < this.#deadline ? Math.min(now + waitMs, lastDue) : Number.POSITIVE_INFINITY,
    );
    return waitMs;
  }

  /* Waits until something has happened, a check is due, or the deadline is there. */
  async #change(): Promise<void> {
    const { clock, pacer } = this.#options;
    const now = clock.elapsed();
    const due = Math.max(this.#due(now), now + pacer.delay(now));
    // Time has passed since the last look: neither a check nor the deadline may be slept through.
    if (due <= now || (this.#underWay === 0 && this.#deadline <= now)) return;
    const ms = Math.min(due, this.#deadline) - now;
    await this.#wakeUp.wait(ms > 0 ? ms : Number.POSITIVE_INFINITY);
  }
}
