/*
 * Runs requests in order, as fast as a pacer allows. A request that the rate limit refuses waits
 * for its own Retry-After and joins the queue again. The pacer computes, the queue waits.
 */

import type { PacingOutcome, RequestPacer, Ticket } from '../pace/pacer.ts';
import type { CarbonError, RateLimit } from '../runtime/carbon-error.ts';
import type { Clock } from '../runtime/clock.ts';
import { WakeUp } from '../runtime/clock.ts';
import { failureKind, pacingOutcome, UnavailableError } from './errors.ts';
import { interactiveRetries, type RetryPolicy, waitBeforeRetry } from './retry.ts';

/** Configures a queue. */
export interface PacedQueueOptions {
  readonly pacer: RequestPacer & { readonly exhausted: boolean };
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal: AbortSignal;
  /** When to retry after a failure that is no refusal (default: `interactiveRetries`). */
  readonly retries?: RetryPolicy | undefined;
  /** Called for each wait in milliseconds, with the failure that caused it. */
  readonly onWait: (ms: number, error: CarbonError) => void;
}

/** Queues the requests of one command. */
export class PacedQueue {
  readonly #options: PacedQueueOptions;
  /* Resolves when the last request that waits has its permit; undefined if none waits. */
  #turn: Promise<void> | undefined;
  readonly #wakeUp: WakeUp;
  #isAnswering = false;
  /* Reason for the waits of the pacer: the last refusal, until a request is accepted. */
  #lastRefusal: CarbonError | undefined;

  constructor(options: PacedQueueOptions) {
    this.#options = options;
    this.#wakeUp = new WakeUp(options.clock);
  }

  /**
   * Runs a request in its turn, and retries it.
   *
   * Retries after refusals by the rate limit are unlimited; `retries` applies to other failures.
   * @param request makes one attempt
   * @throws the last failure; a refusal only if the pacer treats it as a used-up quota
   */
  async run<Result extends { readonly limit?: RateLimit | undefined }>(
    request: () => Promise<Result>,
  ): Promise<Result> {
    const { pacer, clock, random, signal, onWait, retries = interactiveRetries } = this.#options;
    for (let failures = 0; ; ) {
      const permitted = this.#turn === undefined ? this.#tryPermit() : undefined;
      const ticket = typeof permitted === 'object' ? permitted : await this.#enter();
      try {
        const result = await request();
        this.#lastRefusal = undefined;
        this.#isAnswering = true;
        this.#leave(ticket, { kind: 'accepted', ...(result.limit && { limit: result.limit }) });
        return result;
      } catch (error) {
        const outcome = pacingOutcome(error, this.#isAnswering);
        if (!(error instanceof UnavailableError)) {
          this.#leave(ticket, outcome);
          throw error;
        }
        const isLimited = failureKind(error, this.#isAnswering) === 'rate limited';
        if (isLimited) this.#lastRefusal = error;
        if (!isLimited) failures += 1;
        const attempts = Math.max(1, failures);
        const policy = !isLimited
          ? retries
          : error.status === 503
            ? overloadRetries
            : rateLimitRetries;
        const waitMs = waitBeforeRetry(policy, attempts, error, random());
        // If this request gives up, its Retry-After must not delay the next one.
        this.#leave(ticket, waitMs === undefined ? { kind: 'failed' } : outcome);
        if (waitMs === undefined || (isLimited && pacer.exhausted)) throw error;
        signal.throwIfAborted();
        onWait(waitMs, error);
        await clock.sleep(waitMs, signal);
      }
    }
  }

  /* Permits a request if the pacer allows it, else returns the wait in milliseconds. */
  #tryPermit(): Ticket | number {
    const { pacer, clock, signal } = this.#options;
    signal.throwIfAborted();
    const now = clock.elapsed();
    const delayMs = pacer.delay(now);
    return delayMs <= 0 ? pacer.sent(now) : delayMs;
  }

  /* Lets one request at a time wait for the pacer; the others wait behind it. */
  #enter(): Promise<Ticket> {
    const ticket = (this.#turn ?? Promise.resolve()).then(() => this.#permit());
    const end = () => {
      if (this.#turn === turn) this.#turn = undefined;
    };
    const turn = ticket.then(end, end);
    this.#turn = turn;
    return ticket;
  }

  async #permit(): Promise<Ticket> {
    const { clock, signal, onWait } = this.#options;
    for (;;) {
      const permitted = this.#tryPermit();
      if (typeof permitted === 'object') return permitted;
      if (permitted === Number.POSITIVE_INFINITY) {
        await this.#wakeUp.wait(permitted);
        continue;
      }
      if (this.#lastRefusal !== undefined) onWait(permitted, this.#lastRefusal);
      await clock.sleep(permitted, signal);
    }
  }

  #leave(ticket: Ticket, outcome: PacingOutcome): void {
    this.#options.pacer.responded(ticket, this.#options.clock.elapsed(), outcome);
    this.#wakeUp.wake();
  }
}

/*
 * A rate limit ends, and the pacer notices when it is a quota instead: so attempts are unlimited. A
 * 503 that asks for more than a minute is an outage.
 */
const overloadRetries: RetryPolicy = {
  ...interactiveRetries,
  maxAttempts: Number.POSITIVE_INFINITY,
};
const rateLimitRetries: RetryPolicy = {
  ...overloadRetries,
  maxRetryAfterMs: Number.POSITIVE_INFINITY,
};
