import type { Ticket } from './request-pacer.ts';

/** Upper limit of the first round trip, which takes seconds on a busy machine. */
const maxFirstRoundTripMs = 250;

/**
 * Learns the rate of a limit with a burst: the requests that the service accepted between two
 * edges, divided by the time between them. Times are milliseconds of the pacer's clock.
 */
export class ProvenRate {
  /** Requests per millisecond; Infinity until the first edge. */
  #rate = Infinity;
  #holdFactor = 1;
  #steadySince = 0;
  #passed = 0;
  #passedSince = 0;

  /** Requests per millisecond after the last edge; Infinity until the first one. */
  get atEdge(): number {
    return this.#rate;
  }

  /** Whether the service accepted no request since the last edge. */
  get isUnproven(): boolean {
    return this.#passed === 0;
  }

  /** Holds the learned rate, then increases it ever faster until an edge (CUBIC, RFC 9438). */
  at(now: number): number {
    if (this.#rate === Infinity) return Infinity;
    const holdMs = this.#holdFactor * (2_100 + 9 / this.#rate);
    const beyond = Math.max(0, (now - this.#steadySince) / holdMs - 1);
    return this.#rate * (1 + 0.03 * beyond ** 4);
  }

  /** Ignores a time without requests, which proves nothing. */
  idled(durationMs: number): void {
    this.#steadySince += durationMs;
  }

  /** Holds the rate from a time on. */
  holdFrom(at: number): void {
    this.#steadySince = at;
  }

  /** Records an accepted request. */
  accepted(sentAt: number): void {
    if (sentAt > this.#passedSince) this.#passed += 1;
    if (this.#passed < 100) return;
    // Forgets the older half, so that the measurement follows a limit that increases.
    this.#passed /= 2;
    this.#passedSince += (sentAt - this.#passedSince) / 2;
  }

  /** Starts the measurement up to the next edge. */
  restart(at: number): void {
    this.#passedSince = at;
    this.#passed = 0;
  }

  /** Starts from a rate that was found in another way. */
  startAt(rate: number, now: number): void {
    this.#rate = rate;
    this.#holdFactor = 0.3;
    this.restart(now);
  }

  /** Learns from the first refusal; returns the wait until the requests in flight returned. */
  learnFirst(ticket: Ticket, now: number): number {
    const roundTripMs = Math.min(maxFirstRoundTripMs, Math.max(1, now - ticket.sentAt));
    this.#rate = 2 / roundTripMs;
    this.#holdFactor = 0.07;
    return roundTripMs;
  }

  /**
   * Learns from an edge; returns the wait before the next request.
   * @param hasDoubt whether the limit may have no burst
   */
  learn(ticket: Ticket, hasDoubt: boolean): number {
    const proven = (this.#passed + 1) / Math.max(1, ticket.sentAt - this.#passedSince);
    // The proven rate may be too low (half-empty windows) and the tried rate is too high, so the
    // blend is closer to the proven one. Without a burst, the blend would be far too high.
    const blend = proven ** (2 / 3) * ticket.rate ** (1 / 3);
    this.#rate = Math.min(ticket.rate, hasDoubt ? proven : blend);
    this.#holdFactor = Math.max(0.07, Math.min(1, this.#passed / 20));
    // Pauses for four requests, so that jitter does not meet an empty bucket again.
    return 4 / this.#rate;
  }
}
