/*
 * Sends the requests of many jobs: the ids of `get` and `watch`, the rows of `batch`, the records
 * of `sync`. `schedule` decides what concerns every job, and a callback what concerns one.
 */
import { setMaxListeners } from 'node:events';
import { CarbonError, LocalError, type RateLimit } from '../../runtime/carbon-error.ts';
import { type Clock, WakeUp } from '../../runtime/clock.ts';
import type { RequestPacer, Stall } from '../pace/pacer.ts';
import {
  concernsAccount,
  failureKind,
  isJudgment,
  isOutage,
  pacingOutcome,
  retryWaitMs,
  UnavailableError,
} from './errors.ts';
import { Outages, serviceDown } from './outages.ts';

/** What all jobs of a command share. Waits are in milliseconds. */
export interface RunEnvironment {
  readonly clock: Clock;
  /** Returns a random number in [0, 1). */
  readonly random: () => number;
  /** Ends the run early when it aborts. */
  readonly signal: AbortSignal;
  /** Called before each wait for another attempt, with the failure that caused it. */
  readonly onWait?: ((ms: number, error: CarbonError) => void) | undefined;
  /** Called for each failure while the service refuses every request, or does not respond yet. */
  readonly onStall?: ((stall: Stall, error: CarbonError) => void) | undefined;
  /** Called for each refusal while a share of the requests is refused whatever the rate. */
  readonly onShare?: ((share: number, error: CarbonError) => void) | undefined;
}

/** The end of the attempts at a job: a response, or the error that `judge` must decide about. */
export type Outcome<Response> =
  | { readonly response: Response; readonly error?: undefined }
  | { readonly response?: undefined; readonly error: CarbonError };

/** What follows the attempts at a job; without `again`, the job is done. */
export interface Verdict<Result> {
  readonly result?: Result | undefined;
  /** Time of the clock at which the job is due again. */
  readonly again?: number | undefined;
}

type Judged<Result> = Verdict<Result> | undefined;

/** A response with the rate limit in its headers. */
export interface Limited {
  readonly limit?: RateLimit | undefined;
}

export interface ScheduleOptions<Job, Response, Result> {
  /** Returns the next job; undefined after the last one. */
  next(): Job | undefined | Promise<Job | undefined>;
  attempt(job: Job, signal: AbortSignal): Promise<Response>;
  judge(job: Job, outcome: Outcome<Response>): Judged<Result> | Promise<Judged<Result>>;
  readonly pacer: RequestPacer;
  /** Whether the results are yielded in the order of the jobs, each of which has one. */
  readonly inOrder?: boolean | undefined;
  /** Time of the clock after which no further job is sent, unless all of them fit in flight. */
  readonly deadline?: number | undefined;
  /** Whether a service that has accepted nothing yet may take two minutes to start. */
  readonly mayStart?: boolean | undefined;
  /** That time, in milliseconds. */
  readonly maxStartMs?: number | undefined;
  /** Whether there are few jobs: then a refusal is an attempt, and a Retry-After at most 60 s. */
  readonly isShort?: boolean | undefined;
  /** Time that requests in flight get after a stop (default: none). */
  readonly graceMs?: number | undefined;
  /** Returns whether a quota is probably used up, so that a 429 to one job ends the run. */
  isQuotaSuspected?(job: Job): boolean;
  /** Returns whether a job is known to fail while others are accepted; it gets one attempt. */
  isKnownToFail?(job: Job): boolean;
  /** Called when the service is down, for each job that it has failed on. */
  leave?(job: Job, error: CarbonError): void;
  /** Called at the end, however the run ends. */
  close?(): void;
}

const maxAttempts = 4;
/** With a longer Retry-After, the run would seem to hang. */
const maxRetryAfterMs = 3_600_000;
const maxShortRetryAfterMs = 60_000;
/** While more jobs wait for another attempt, no new job starts. */
const maxRetries = 1_000;
/** While more results wait for an earlier one, no new job starts. */
const maxUnordered = 128;
/** So many jobs at most get a last attempt at the deadline. */
const maxLastJobs = 20;

/**
 * Sends the requests of jobs as fast as the service allows, and yields the results in the order in
 * which they arrive.
 *
 * | outcome of an attempt | what follows |
 * |---|---|
 * | a record, 400, 404, 422 | `judge` |
 * | 401, 402, and 403 before anything was accepted | stop; a later 403 goes to `judge` |
 * | 429, 503 with Retry-After | no attempt: again after Retry-After, or up to 8 s |
 * | nothing but these for five minutes, or a wait above an hour | stop: a quota is used up |
 * | with `isQuotaSuspected`, a 429 without a Retry-After up to a minute, or a second one | stop |
 * | 503 without Retry-After while others are accepted | an attempt; pacing as after 429 |
 * | another 5xx, timeout, connection, unreadable | again after 1 to 8 s; the fourth to `judge` |
 * | three failures in a row | one request at a time, with pauses of up to 4 s |
 * | a failure of a job that is known to fail, unless it is an outage | `judge`, and nothing else |
 * | 20 failures in a row | stop: the service is down; with a deadline, only that ends the run |
 * | the same before anything was accepted, with `mayStart` | stop after `maxStartMs` |
 * | a failure of this machine, the signal | stop |
 * | with `isShort`, a refusal | an attempt as any other; `judge` if Retry-After is above a minute |
 *
 * The failures of requests that were in flight together count once, and those among other responses
 * not at all: then the job is the cause. After a stop nothing new is sent, and requests in flight
 * get `graceMs`.
 * @throws the reason of the signal, or the error that stopped the run
 */
export function schedule<Job, Response extends Limited, Result>(
  environment: RunEnvironment,
  options: ScheduleOptions<Job, Response, Result>,
): AsyncGenerator<Result, void, void> {
  return new Schedule(environment, options).run();
}

export type Items<Item> = Iterable<Item> | AsyncIterable<Item>;

/** Returns what reads items one by one; `close` ends them, unless one is being waited for. */
export function reader<Item>(items: Items<Item>): {
  next(): Promise<Item | undefined>;
  close(): void;
} {
  const source =
    Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  return {
    async next() {
      const { done, value } = await source.next();
      return done ? undefined : value;
    },
    // A generator that waits for its next item returns only after it, if ever.
    close: () => void Promise.resolve(source.return?.()).catch(() => undefined),
  };
}

export type ItemOutcome<Item, Response> = { readonly item: Item } & Outcome<Response>;

/** Sends a request for each item by the rules of `schedule`, and yields in their order. */
export function sendInOrder<Item, Response extends Limited>(
  environment: RunEnvironment,
  items: Items<Item>,
  options: Pick<
    ScheduleOptions<Item, Response, never>,
    'attempt' | 'pacer' | 'mayStart' | 'isShort'
  >,
): AsyncGenerator<ItemOutcome<Item, Response>, void, void> {
  const judge = (item: Item, outcome: Outcome<Response>) => ({ result: { item, ...outcome } });
  return schedule(environment, { ...options, ...reader(items), judge, inOrder: true });
}

/* A job and the attempts at it so far, with the numbers of its first and first refused request. */
interface Attempts<Job> {
  readonly job: Job;
  /** Position of the job among all, from 0. */
  readonly index: number;
  /** Time of the clock of the next attempt, if it has to wait. */
  due: number;
  first: number | undefined;
  firstRefused: number | undefined;
  refusals: number;
  failures: number;
  error: CarbonError | undefined;
}

class Schedule<Job, Response extends Limited, Result> {
  readonly #environment: RunEnvironment;
  readonly #options: ScheduleOptions<Job, Response, Result>;
  readonly #deadline: number;
  readonly #outages: Outages;
  /* By the time at which they are due. */
  readonly #waiting: Attempts<Job>[] = [];
  readonly #cut = new AbortController();
  readonly #wakeUp: WakeUp;
  #next: Job | undefined;
  #isReading = false;
  #isRead = false;
  #started = 0;
  #retries = 0;
  #inFlight = 0;
  #results: Result[] = [];
  /* Results that wait for that of an earlier job, and the number of those that do not. */
  readonly #unordered = new Map<number, Result>();
  #ordered = 0;
  #stop: { readonly error: unknown; readonly at: number } | undefined;

  constructor(environment: RunEnvironment, options: ScheduleOptions<Job, Response, Result>) {
    const { deadline, mayStart = false, maxStartMs } = options;
    this.#environment = environment;
    this.#options = options;
    this.#deadline = deadline ?? Number.POSITIVE_INFINITY;
    this.#outages = new Outages(mayStart, deadline === undefined, maxStartMs);
    this.#wakeUp = new WakeUp(environment.clock);
    setMaxListeners(0, this.#cut.signal);
  }

  async *run(): AsyncGenerator<Result, void, void> {
    const { clock, signal } = this.#environment;
    const { graceMs = 0, close } = this.#options;
    const interrupt = () => this.#end(signal.reason);
    signal.addEventListener('abort', interrupt);
    if (signal.aborted) interrupt();
    try {
      for (;;) {
        const results = this.#results;
        this.#results = [];
        for (const result of results) yield result;
        this.#sendDue();
        const isIdle = this.#inFlight === 0;
        const now = clock.elapsed();
        const graceEnd = this.#stop === undefined ? undefined : this.#stop.at + graceMs;
        if (graceEnd !== undefined && (isIdle || now >= graceEnd)) break;
        if (this.#results.length > 0) continue;
        const isEmpty = this.#isRead && this.#next === undefined && this.#waiting.length === 0;
        const isOver = now >= this.#deadline && this.#dueAt(now) > now;
        if (isIdle && (isEmpty || isOver)) return;
        await this.#wakeUp.wait(this.#waitMs(now, graceEnd));
      }
      this.#cut.abort(this.#stop?.error);
      while (graceMs > 0 && this.#inFlight > 0) await this.#wakeUp.wait(Number.POSITIVE_INFINITY);
      throw this.#stop?.error;
    } finally {
      signal.removeEventListener('abort', interrupt);
      this.#cut.abort();
      close?.();
    }
  }

  /* Returns how long nothing changes unless a response or a job arrives. */
  #waitMs(now: number, graceEnd: number | undefined): number {
    if (graceEnd !== undefined) return graceEnd - now;
    const sendAt = Math.max(this.#dueAt(now), now + this.#delay(now));
    return Math.max(0, (now < this.#deadline ? Math.min(sendAt, this.#deadline) : sendAt) - now);
  }

  /* After the deadline, jobs that were due by then are sent if there are few. */
  #dueAt(now: number): number {
    const [first] = this.#waiting;
    const due = this.#next === undefined ? (first?.due ?? Number.POSITIVE_INFINITY) : now;
    const isLate = now >= this.#deadline && this.#started > maxLastJobs;
    return isLate || due > this.#deadline ? Number.POSITIVE_INFINITY : due;
  }

  #sendDue(): void {
    const { clock } = this.#environment;
    while (this.#stop === undefined) {
      this.#read();
      const now = clock.elapsed();
      if (this.#dueAt(now) > now || this.#delay(now) > 0) return;
      const attempts = this.#take(now);
      if (attempts === undefined) return;
      void this.#send(attempts, now);
    }
  }

  #delay(now: number): number {
    const { pacer } = this.#options;
    return Math.max(pacer.delay(now), this.#outages.delay(now, this.#inFlight));
  }

  /* Reads one job ahead, without waiting for it. */
  #read(): void {
    const { next, inOrder } = this.#options;
    const isDone = this.#isRead || this.#isReading || this.#next !== undefined;
    const isFull = inOrder && this.#started - this.#ordered >= maxUnordered;
    if (isDone || isFull || this.#retries >= maxRetries) return;
    const take = (job: Job | undefined) => {
      this.#next = job;
      this.#isRead = job === undefined;
      this.#isReading = false;
      this.#wakeUp.wake();
    };
    try {
      const read = next();
      if (read instanceof Promise) {
        this.#isReading = true;
        read.then(take, (error: unknown) => this.#end(error));
      } else take(read);
    } catch (error) {
      this.#end(error);
    }
  }

  /* While the service may be down, other jobs show more than another attempt at the same one. */
  #take(now: number): Attempts<Job> | undefined {
    const job = this.#next;
    const [first] = this.#waiting;
    const isNewFirst = job !== undefined && this.#outages.isSuspected;
    if (first !== undefined && first.due <= now && !isNewFirst) {
      this.#waiting.shift();
      if (first.error !== undefined) this.#retries -= 1;
      return first;
    }
    if (job === undefined) return undefined;
    this.#next = undefined;
    return newAttempts(job, this.#started++);
  }

  async #send(attempts: Attempts<Job>, sentAt: number): Promise<void> {
    const { clock } = this.#environment;
    const { pacer, attempt } = this.#options;
    const ticket = pacer.sent(sentAt);
    const request = this.#outages.sent();
    attempts.first ??= request;
    this.#inFlight += 1;
    try {
      let response: Response;
      try {
        response = await attempt(attempts.job, this.#cut.signal);
      } catch (error) {
        const now = clock.elapsed();
        pacer.responded(ticket, now, pacingOutcome(error, this.#outages.hasAccepted));
        if (!this.#cut.signal.aborted) await this.#failed(attempts, error, request, now);
        return;
      }
      pacer.responded(ticket, clock.elapsed(), { kind: 'accepted', limit: response.limit });
      this.#outages.responded(request, true);
      const judging = this.#judge(attempts, { response });
      if (judging !== undefined) await judging;
    } catch (error) {
      this.#end(error);
    } finally {
      this.#inFlight -= 1;
      this.#wakeUp.wake();
    }
  }

  #judge(attempts: Attempts<Job>, outcome: Outcome<Response>): Promise<void> | undefined {
    const judged = this.#options.judge(attempts.job, outcome);
    if (judged instanceof Promise) return judged.then((verdict) => this.#settle(attempts, verdict));
    this.#settle(attempts, judged);
    return undefined;
  }

  #settle({ job, index }: Attempts<Job>, { result, again }: Verdict<Result> = {}): void {
    if (again !== undefined) this.#wait(newAttempts(job, index), again);
    if (result === undefined) return;
    if (this.#options.inOrder && index !== this.#ordered) {
      this.#unordered.set(index, result);
      return;
    }
    for (let next: Result | undefined = result; next !== undefined; ) {
      this.#results.push(next);
      this.#unordered.delete(this.#ordered);
      this.#ordered += 1;
      next = this.#unordered.get(this.#ordered);
    }
  }

  /* Decides what follows a failed attempt, by the table of `schedule`. */
  async #failed(
    attempts: Attempts<Job>,
    error: unknown,
    request: number,
    now: number,
  ): Promise<void> {
    const { isShort = false, isKnownToFail } = this.#options;
    const outages = this.#outages;
    if (!(error instanceof CarbonError) || error instanceof LocalError) return this.#end(error);
    if (concernsAccount(error, outages.hasAccepted)) return this.#end(error);
    if (!(error instanceof UnavailableError)) {
      if (isJudgment(error)) outages.responded(request, true);
      return this.#judge(attempts, { error });
    }
    const kind = failureKind(error, outages.hasAccepted);
    const isLimit = kind === 'rate limited';
    const isRefusal = kind !== 'service failed';
    const isCause = !isLimit && !isOutage(error) && isKnownToFail?.(attempts.job);
    if (isCause) return this.#judge(attempts, { error });
    if (isLimit) this.#countLimit(error, request);
    else this.#countFailure(attempts, error, request, now);
    attempts.error = error;
    const { retryAfterMs = 0 } = error;
    if (isShort && retryAfterMs > maxShortRetryAfterMs) return this.#judge(attempts, { error });
    if (retryAfterMs > maxRetryAfterMs) return this.#end(isRefusal ? quotaExhausted(error) : error);
    if (isRefusal) {
      const reason = this.#reasonToStop(attempts, error, request);
      if (reason === 'quota') return this.#end(quotaExhausted(error));
      if (reason === 'job') return this.#judge(attempts, { error });
      this.#reportRefusal(error);
    }
    return this.#sendAgain(attempts, error, !isLimit || isShort, now);
  }

  #countFailure(attempts: Attempts<Job>, error: CarbonError, request: number, now: number): void {
    // A response in another form shows a wrong address.
    const isPatient = this.#options.mayStart === true && error.code !== 'unreadable_response';
    this.#outages.failed(request, attempts.first ?? request, now, isPatient);
  }

  #countLimit({ status }: CarbonError, request: number): void {
    // A 503 with Retry-After does not show whether the service works.
    if (status !== 503) this.#outages.responded(request, false);
  }

  /* Returns what a refusal shows: a used-up quota, or that the job is its cause. */
  #reasonToStop(
    attempts: Attempts<Job>,
    { status, retryAfterMs = 0 }: CarbonError,
    request: number,
  ): 'quota' | 'job' | undefined {
    const { pacer, isQuotaSuspected } = this.#options;
    attempts.refusals += 1;
    attempts.firstRefused ??= request;
    const isShortWait = retryAfterMs > 0 && retryAfterMs <= maxShortRetryAfterMs;
    const isFirst = attempts.refusals === 1 && isShortWait;
    if (status === 429 && !isFirst && isQuotaSuspected?.(attempts.job)) return 'quota';
    if (!pacer.exhausted) return undefined;
    // A job that is refused while others are accepted is itself the cause.
    return attempts.firstRefused > this.#outages.lastAccepted ? 'quota' : 'job';
  }

  #reportRefusal(error: CarbonError): void {
    const { onStall, onShare } = this.#environment;
    const { stall, refusedShare } = this.#options.pacer;
    if (stall) onStall?.(stall, error);
    if (refusedShare !== undefined) onShare?.(refusedShare, error);
  }

  /* Sends a job again after a wait, unless the service is down or the job had its attempts. */
  #sendAgain(
    attempts: Attempts<Job>,
    error: CarbonError,
    isAttempt: boolean,
    now: number,
  ): Promise<void> | undefined {
    const { random, onWait, onStall } = this.#environment;
    const { pacer, mayStart = false } = this.#options;
    const { isStarting, isOver, evidence, stall } = this.#outages;
    if (isAttempt && !isStarting) attempts.failures += 1;
    if (isOver) {
      this.#leaveAll(attempts, isStarting);
      this.#end(serviceDown(error, evidence));
      return undefined;
    }
    if (isStarting) {
      onStall?.(stall, error);
      this.#retry(attempts, now);
      return undefined;
    }
    const most = mayStart || error.retryable ? maxAttempts : 1;
    if (attempts.failures >= most) return this.#judge(attempts, { error });
    const waitMs = retryWaitMs(Math.max(attempts.refusals, attempts.failures), error, random());
    this.#retry(attempts, now + waitMs);
    const pause = pacer.delay(now);
    onWait?.(Number.isFinite(pause) ? Math.max(waitMs, pause) : waitMs, error);
    return undefined;
  }

  /* Reports the jobs that a service which is down has failed on. */
  #leaveAll(attempts: Attempts<Job>, isStarting: boolean): void {
    for (const { job, error, failures } of [...this.#waiting, attempts])
      if (error !== undefined && (isStarting || failures > 0)) this.#options.leave?.(job, error);
  }

  #retry(attempts: Attempts<Job>, due: number): void {
    this.#retries += 1;
    this.#wait(attempts, due);
  }

  /* Most attempts are due after all others, so the search begins at the end. */
  #wait(attempts: Attempts<Job>, due: number): void {
    attempts.due = due;
    const before = this.#waiting.findLastIndex((other) => other.due <= due);
    this.#waiting.splice(before + 1, 0, attempts);
  }

  /* The signal wins over other errors, because it may be a failure of this machine. */
  #end(error: unknown): void {
    const { clock, signal } = this.#environment;
    const at = this.#stop?.at ?? clock.elapsed();
    if (this.#stop === undefined || signal.aborted)
      this.#stop = { error: signal.aborted ? signal.reason : error, at };
    this.#wakeUp.wake();
  }
}

function newAttempts<Job>(job: Job, index: number): Attempts<Job> {
  const none = { first: undefined, firstRefused: undefined, refusals: 0, failures: 0 };
  return { job, index, due: 0, ...none, error: undefined };
}

/* Returns the error of a run in which the service refused every request for too long. */
function quotaExhausted(last: CarbonError): CarbonError {
  const { status, title, detail, retryAfterMs, retryAtMs } = last;
  const message = `The service accepts no more requests: ${last.message}`;
  const reason = status === 429 ? 'quota' : undefined;
  const details = { reason, status, title, detail, retryAfterMs, retryAtMs, cause: last } as const;
  return new UnavailableError('rate_limited', message, details);
}
