/*
 * Decides when a failing service counts as down. All requests in flight when it went away count as
 * one failure. A failure does not count if another response arrived while the request was in
 * flight, or if the service has accepted a request that was sent after the first one for the same
 * job: then the job is the cause.
 */

import type { CarbonError } from '../../runtime/carbon-error.ts';
import { backoffMs } from '../../runtime/clock.ts';
import type { Stall } from '../pace/pacer.ts';
import { UnavailableError } from './errors.ts';

const startPauseMs = { first: 500, max: 10_000 } as const;
/** Time in which a service that has not accepted a request yet may start, in milliseconds. */
export const maxStartMs = 120_000;
/* Consecutive failures after which the service counts as down. */
const maxFailures = 20;
/* A few consecutive failures are common where jobs fail on their own; they cause no pause. */
const minFailuresToPause = 3;
const pauseMs = { first: 5, max: 4_000 } as const;

/** Counts consecutive failures of the service. Requests are numbered from 1 as they are sent. */
export class Outages {
  readonly #mayStart: boolean;
  readonly #mayEnd: boolean;
  readonly #maxStartMs: number;
  #failures = 0;
  #failedSince = 0;
  #countedAt = 0;
  #isHopeless = false;
  #sent = 0;
  /* Requests sent before the last response arrived, and before the last failure was counted. */
  #sentAtResponse = 0;
  #sentAtFailure = 0;
  /** The last request that the service accepted; 0 before the first one. */
  lastAccepted = 0;

  /**
   * @param mayStart whether a service that has accepted nothing yet gets time to start
   * @param mayEnd whether failures end the run
   * @param startMs the time to start
   */
  constructor(mayStart: boolean, mayEnd: boolean, startMs = maxStartMs) {
    this.#mayStart = mayStart;
    this.#mayEnd = mayEnd;
    this.#maxStartMs = startMs;
  }

  sent(): number {
    this.#sent += 1;
    return this.#sent;
  }

  /** Records a failure; `first` is the first request for the same job. */
  failed(request: number, first: number, now: number, mayStart: boolean): void {
    if (!this.hasAccepted) this.#isHopeless ||= !mayStart;
    const isAmongResponses =
      this.hasAccepted && (request <= this.#sentAtResponse || first < this.lastAccepted);
    const isOfSameOutage = this.#failures > 0 && request <= this.#sentAtFailure;
    if (isAmongResponses || (isOfSameOutage && !this.#isHopeless)) return;
    if (this.#failures === 0) this.#failedSince = now;
    this.#failures += 1;
    this.#countedAt = now;
    this.#sentAtFailure = this.#sent;
  }

  /** Records any other response; a refusal is one, which accepts nothing. */
  responded(request: number, isAccepted: boolean): void {
    this.#failures = 0;
    this.#isHopeless = false;
    this.#sentAtResponse = this.#sent;
    if (isAccepted) this.lastAccepted = Math.max(this.lastAccepted, request);
  }

  get hasAccepted(): boolean {
    return this.lastAccepted > 0;
  }

  get isSuspected(): boolean {
    return this.#failures > 0;
  }

  /** Whether nothing was accepted yet, and the service may still start. */
  get isStarting(): boolean {
    return this.#mayStart && this.#failures > 0 && !this.hasAccepted && !this.#isHopeless;
  }

  /** The time that a service gets to start. */
  get stall(): Stall {
    return { since: this.#failedSince, until: this.#failedSince + this.#maxStartMs };
  }

  /** What shows that the service counts as down. */
  get evidence(): string {
    if (!this.isStarting) return `${maxFailures} consecutive requests failed`;
    const seconds = this.#maxStartMs / 1_000;
    return `No request succeeded in ${seconds % 60 === 0 ? `${seconds / 60} minutes` : `${seconds} seconds`}`;
  }

  /** Whether the service counts as down. */
  get isOver(): boolean {
    if (this.isStarting) return this.#countedAt - this.#failedSince >= this.#maxStartMs;
    return this.#mayEnd && this.#failures >= maxFailures;
  }

  /** Returns how long to send nothing; Infinity until the requests in flight have ended. */
  delay(now: number, inFlight: number): number {
    const isStarting = this.isStarting;
    const isProbing = this.hasAccepted && this.#failures >= minFailuresToPause;
    if (!isStarting && !isProbing) return 0;
    if (inFlight > 0) return Number.POSITIVE_INFINITY;
    const { first, max } = isStarting ? startPauseMs : pauseMs;
    const counted = isStarting ? this.#failures : this.#failures - minFailuresToPause + 1;
    const pause = backoffMs(counted, first, max);
    const at = this.#countedAt + pause;
    return Math.max(0, (isStarting ? Math.min(at, this.stall.until) : at) - now);
  }
}

/* Returns the error of a run that ends because the service is down. */
export function serviceDown(last: CarbonError, evidence: string): CarbonError {
  const { status } = last;
  return new UnavailableError('service_failed', `${evidence}. Last error: ${last.message}`, {
    status,
    cause: last,
  });
}
