import type { Lease } from './lease.ts';

/** A lease of more permits would save no noticeable time of calls. */
const maxPermits = 2_048;
/** Minimum duration of a lease for which requests in flight make room. */
const minDurationMs = 25;

/** Decides how many permits a process requests from the bucket. */
export class PermitDemand {
  readonly #concurrency: number;
  #want: number;
  /** Mean round trip of requests; 0 before the first response. */
  #roundTripMs = 0;

  /** @param concurrency maximum requests in flight */
  constructor(concurrency: number) {
    this.#concurrency = concurrency;
    this.#want = concurrency;
  }

  /** Records the round trip of a request. */
  responded(roundTripMs: number): void {
    const weight = this.#roundTripMs === 0 ? 1 : 0.1;
    this.#roundTripMs += weight * (roundTripMs - this.#roundTripMs);
  }

  /** Records a lease that ended: without permits that are left, the next one may be larger. */
  ended({ left, size }: Lease): void {
    const count = left === 0 ? 2 * size : size - left + 1;
    this.#want = Math.max(1, Math.min(count, Math.max(maxPermits, this.#concurrency)));
  }

  /**
   * Returns the number of permits to request. Requests in flight would delay further permits, and
   * late requests come in bursts.
   *
   * @param last the last lease
   * @param taken requests in flight and permits that are left
   * @param leadMs time until the next lease begins, in which requests in flight end
   */
  next(last: Lease | undefined, taken: number, leadMs: number): number {
    if (last === undefined || last.spacing === 0) return this.#want;
    const durationMs = Math.max(minDurationMs, last.size * last.spacing);
    const turns = 1 + (durationMs + leadMs) / Math.max(1, this.#roundTripMs);
    return Math.max(1, Math.min(this.#want, Math.floor(this.#concurrency * turns - taken)));
  }
}
