/*
 * Sends the requests of many items as fast as the service allows. A pacer slows down under a rate
 * limit, so that no item is lost, and what concerns every item ends all of them.
 */
import { setMaxListeners } from 'node:events';
import { CarbonError, InvalidInputError, type RateLimit } from '../runtime/carbon-error.ts';
import { CircuitBreaker, serviceDown } from './circuit-breaker.ts';
import { concernsAccount, isJudgment, UnavailableError } from './errors.ts';
import { PacedQueue, type PacedQueueOptions } from './paced-queue.ts';

/** Sends requests with one pacer and one queue. */
export class PacedRequests {
  readonly #options: PacedQueueOptions;
  readonly #queue: PacedQueue;
  readonly #breaker = new CircuitBreaker();
  readonly #cut = new AbortController();
  readonly #ended: AbortSignal;
  #hasAnswered = false;

  constructor(options: PacedQueueOptions) {
    this.#options = options;
    this.#ended = AbortSignal.any([options.signal, this.#cut.signal]);
    setMaxListeners(0, this.#ended);
    this.#queue = new PacedQueue({ ...options, signal: this.#ended });
  }

  /**
   * Sends one request in its turn. Returns the failure if it concerns only this item.
   * @param request makes one attempt
   * @throws UnauthorizedError for an account problem, UnavailableError for an exhausted quota and a
   * service that is down; they abort every waiting request
   */
  async send<Response extends { readonly limit?: RateLimit | undefined }>(
    request: (signal: AbortSignal) => Promise<Response>,
  ): Promise<Response | CarbonError> {
    try {
      let first: number | undefined;
      const response = await this.#queue.run(() => {
        const number = this.#breaker.sent();
        first ??= number;
        return this.#attempt(request, number, first);
      });
      this.#hasAnswered = true;
      return response;
    } catch (error) {
      this.#ended.throwIfAborted();
      const isOfItem = error instanceof CarbonError && !concernsAccount(error, this.#hasAnswered);
      if (isOfItem && !this.#options.pacer.exhausted) {
        this.#hasAnswered ||= isJudgment(error);
        return error;
      }
      this.#cut.abort(error);
      throw error;
    }
  }

  /** Aborts every request, also those in flight. */
  abort(): void {
    this.#cut.abort();
  }

  /* Makes one attempt, and stops the run when too many of them fail in a row. */
  async #attempt<Response>(
    request: (signal: AbortSignal) => Promise<Response>,
    number: number,
    first: number,
  ): Promise<Response> {
    try {
      const response = await request(this.#ended);
      this.#breaker.responded(number);
      return response;
    } catch (error) {
      this.#ended.throwIfAborted();
      // Nothing was sent for invalid input.
      if (error instanceof InvalidInputError) throw error;
      const isFailure = error instanceof UnavailableError && error.code !== 'rate_limited';
      if (!isFailure) this.#breaker.responded(number);
      else {
        this.#breaker.failed(number, first, this.#options.clock.elapsed());
        if (this.#breaker.isOver) this.#cut.abort(serviceDown(error));
      }
      throw error;
    }
  }
}
