import { initialWindow } from './burst-test.ts';
import type { Ticket } from './request-pacer.ts';

/** Limits the requests in flight: starts with 4, then grows once in each round trip. */
export class ConcurrencyWindow {
  readonly #maxSize: number;
  #size: number;
  #roundTripEnd = 0;

  /** @param maxSize maximum number of requests in flight, at least 1 */
  constructor(maxSize: number) {
    this.#maxSize = maxSize;
    this.#size = Math.min(initialWindow, maxSize);
  }

  /** Maximum number of requests in flight at this time. */
  get size(): number {
    return this.#size;
  }

  /** Grows the window when the first request of a round trip was accepted. */
  accepted(ticket: Ticket, nextSequence: number): void {
    if (ticket.sequence < this.#roundTripEnd) return;
    this.#roundTripEnd = nextSequence;
    this.#size = Math.min(this.#maxSize, this.#size < 8 ? this.#size * 2 : this.#size + 4);
  }
}
