/*
 * Retrieves many organizations as fast as the service permits. A pacer slows down under a rate
 * limit, so that no record is lost.
 */
import { setMaxListeners } from 'node:events';
import { CircuitBreaker, serviceDown } from '../api/circuit-breaker.ts';
import type { ServiceClient } from '../api/client.ts';
import { concernsAccount, UnavailableError } from '../api/errors.ts';
import { PacedQueue } from '../api/paced-queue.ts';
import type { RecordResponse } from '../api/responses.ts';
import { singleAttempt } from '../api/retry.ts';
import type { RequestPacer } from '../pace/pacer.ts';
import { CarbonError } from '../runtime/carbon-error.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Session } from './session.ts';
import { openPacer } from './shared-pace.ts';

/** Maximum requests in flight. */
export const retrievalConcurrency = 8;
/* Minimum time between two reports of a wait, because several requests wait at the same time. */
const noteEveryMs = 10_000;

/** The record of an organization, or why it was not retrieved. */
export type Retrieved =
  | { readonly id: string; readonly received: RecordResponse }
  | { readonly error: CarbonError };

/** Limits the pace of a retrieval. */
export interface RetrievalPace {
  /** Maximum requests in flight. */
  readonly concurrency?: number;
  /** Maximum requests per second. */
  readonly maxRate?: number | undefined;
  /** Number of processes that share the limit of the account. */
  readonly processes?: number | undefined;
}

/** Retrieves records with one client, one pacer and one queue. */
export class PacedRetrieval {
  readonly client: ServiceClient;
  readonly pacer: RequestPacer;
  readonly #queue: PacedQueue;
  readonly #clock: Clock;
  readonly #breaker = new CircuitBreaker();
  readonly #cut = new AbortController();
  readonly #ended: AbortSignal;
  #hasAnswered = false;

  private constructor(session: Session, client: ServiceClient, pacer: RequestPacer) {
    const { clock, random, signal } = session.context;
    this.client = client;
    this.#clock = clock;
    this.pacer = pacer;
    this.#ended = AbortSignal.any([signal, this.#cut.signal]);
    setMaxListeners(0, this.#ended);
    // After a failure of this machine, such as a full disk, other requests may still wait.
    session.onClose(async () => this.#cut.abort());
    const onWait = session.reportWaits(2_000, noteEveryMs);
    const options = { pacer, clock, random, signal: this.#ended, onWait };
    this.#queue = new PacedQueue(options);
  }

  /** Connects to the service, and to the shared pace if there is one. */
  static async open(
    session: Session,
    { concurrency = retrievalConcurrency, maxRate, processes }: RetrievalPace = {},
  ): Promise<PacedRetrieval> {
    const { account: access } = session;
    const options = { connections: concurrency, retries: singleAttempt };
    const { client } = await session.connect({ ...options, ...(access && { access }) });
    const limits = { concurrency, maxRate, processes };
    const pacer = await openPacer(session, { operation: 'read', ...limits });
    return new PacedRetrieval(session, client, pacer);
  }

  /**
   * Retrieves one record in its turn. Returns the failure if it concerns only this organization.
   * @throws UnauthorizedError for an account problem, UnavailableError for an exhausted quota and a
   * service that is down; they abort every waiting request
   */
  async retrieve(id: string, currency: string | undefined): Promise<Retrieved> {
    try {
      let first: number | undefined;
      const received = await this.#queue.run(() => {
        const request = this.#breaker.sent();
        first ??= request;
        return this.#attempt(id, currency, request, first);
      });
      this.#hasAnswered = true;
      return { id, received };
    } catch (error) {
      this.#ended.throwIfAborted();
      const isOfItem = error instanceof CarbonError && !concernsAccount(error, this.#hasAnswered);
      if (isOfItem && !this.pacer.exhausted) {
        this.#hasAnswered ||= !(error instanceof UnavailableError);
        return { error };
      }
      this.#cut.abort(error);
      throw error;
    }
  }

  /* Makes one attempt, and stops the run when too many of them fail in a row. */
  async #attempt(
    id: string,
    currency: string | undefined,
    request: number,
    first: number,
  ): Promise<RecordResponse> {
    try {
      const received = await this.client.retrieve(id, { currency }, this.#ended);
      this.#breaker.responded(request);
      return received;
    } catch (error) {
      this.#ended.throwIfAborted();
      const isFailure = error instanceof UnavailableError && error.code !== 'rate_limited';
      if (!isFailure) this.#breaker.responded(request);
      else {
        this.#breaker.failed(request, first, this.#clock.elapsed());
        if (this.#breaker.isOver) this.#cut.abort(serviceDown(error));
      }
      throw error;
    }
  }
}
