import type { CarbonError } from '../runtime/carbon-error.ts';
import { UnavailableError } from './errors.ts';
import { hasEnded, readReference } from './ids.ts';
import { type CheckOptions, nextCheckMs } from './poll-interval.ts';
import type { RecordResponse } from './responses.ts';

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

/** Counts the checks of one organization and turns their results into events. */
export class WatchedOrganization {
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
