/*
 * Sends requests as fast as a pacer permits: each waits for its turn, in the order in which they
 * came, and one that the rate limit refuses waits its own Retry-After and comes again. The pacer is
 * arithmetic; the waiting is here.
 */

import type { CarbonError, RateLimit } from '../../runtime/carbon-error.ts';
import type { Clock } from '../../runtime/clock.ts';
import { WakeUp } from '../../runtime/wake-up.ts';
import { UnavailableError } from '../errors.ts';
import { interactiveRetries, type RetryPolicy, waitBeforeRetry } from '../retry.ts';
import type { Outcome, Ticket } from './outcome.ts';
import type { Pacer } from './pacer.ts';
import { failureKind, pacingOutcome } from './pacing-outcome.ts';

/** What a gate needs. */
export interface PacedQueueOptions {
  readonly pacer: Pick<Pacer, 'delay' | 'sent' | 'answered' | 'exhausted'>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal: AbortSignal;
  /** Told of each wait that a failure is the reason of, in milliseconds. */
  readonly onWait: (ms: number, because: CarbonError) => void;
}

/** Lets the requests of one command through. */
export class PacedQueue {
  readonly #options: PacedQueueOptions;
  #turn: Promise<unknown> = Promise.resolve();
  readonly #wakeUp: WakeUp;
  #isAnswering = false;
  /* Why the pacer makes others wait: the last refusal, until something is accepted again. */
  #because: CarbonError | undefined;

  constructor(options: PacedQueueOptions) {
    this.#options = options;
    this.#wakeUp = new WakeUp(options.clock);
  }

  /**
   * Makes a request when its turn has come, and again when it may help: as long as it takes when
   * the rate limit refused it, as `interactiveRetries` says after other failures.
   * @param request one try
   * @throws the last failure; that of a refusal only when the pacer takes it for a used-up quota
   */
  async run<Result extends { readonly limit?: RateLimit | undefined }>(
    request: () => Promise<Result>,
  ): Promise<Result> {
    const { pacer, clock, random, signal, onWait } = this.#options;
    for (let failures = 0; ; ) {
      const ticket = await this.#enter();
      try {
        const result = await request();
        this.#because = undefined;
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
        if (isLimited) this.#because = error;
        if (!isLimited) failures += 1;
        const tried = Math.max(1, failures);
        const policy = !isLimited
          ? interactiveRetries
          : error.status === 503
            ? overloadRetries
            : rateLimitRetries;
        const waitMs = waitBeforeRetry(policy, tried, error, random());
        // A wait that this request is spared is no reason to keep the next one waiting.
        this.#leave(ticket, waitMs === undefined ? { kind: 'failed' } : outcome);
        if (waitMs === undefined || (isLimited && pacer.exhausted)) throw error;
        onWait(waitMs, error);
        await clock.sleep(waitMs, signal);
      }
    }
  }

  /* One at a time waits for the pacer; the others wait behind it. */
  #enter(): Promise<Ticket> {
    const turn = this.#turn.then(() => this.#permit());
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #permit(): Promise<Ticket> {
    const { pacer, clock, signal, onWait } = this.#options;
    for (;;) {
      signal.throwIfAborted();
      const now = clock.elapsed();
      const delayMs = pacer.delay(now);
      if (delayMs <= 0) return pacer.sent(now);
      if (delayMs === Number.POSITIVE_INFINITY) {
        await this.#wakeUp.wait(delayMs);
        continue;
      }
      if (this.#because !== undefined) onWait(delayMs, this.#because);
      await clock.sleep(delayMs, signal);
    }
  }

  #leave(ticket: Ticket, outcome: Outcome): void {
    this.#options.pacer.answered(ticket, this.#options.clock.elapsed(), outcome);
    this.#wakeUp.wake();
  }
}

/*
 * A rate limit ends, and the pacer notices when it is a quota instead: so attempts are unlimited. A
 * 503 that asks for more than a minute is an outage.
 */
const overloadRetries: RetryPolicy = { ...interactiveRetries, tries: Number.POSITIVE_INFINITY };
const rateLimitRetries: RetryPolicy = {
  ...overloadRetries,
  maxRetryAfterMs: Number.POSITIVE_INFINITY,
};
