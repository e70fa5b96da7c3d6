import type { PaceRequest, RefusedRequest, SoloResults } from './pace-bucket.ts';

/** Maximum number of refused requests in a report. */
const maxRefused = 2_000;

/** Collects outcomes until the next call. Times are milliseconds of the server's clock. */
export class OutcomeReport {
  #accepted = 0;
  #acceptedAt = 0;
  #refused: RefusedRequest[] = [];
  #spacing = 0;
  #failed = 0;
  #stop = 0;
  #advertised = 0;
  #roundTripMs = 0;
  #solo: SoloResults | undefined;

  /** Whether other processes must know soon. */
  get isUrgent(): boolean {
    return this.#refused.length > 0 || this.#stop > 0 || this.#solo !== undefined;
  }

  /** Whether there is anything to report. */
  get isEmpty(): boolean {
    return this.#accepted === 0 && this.#failed === 0 && !this.isUrgent;
  }

  /** Records an accepted request. */
  accepted(at: number, spacing: number, roundTripMs: number): void {
    this.#accepted += 1;
    this.#acceptedAt = Math.max(this.#acceptedAt, at);
    this.#spacing = Math.max(this.#spacing, spacing);
    this.#roundTripMs = Math.max(roundTripMs, 0.9 * this.#roundTripMs);
  }

  /** Records a refused request. */
  refused(request: RefusedRequest, roundTripMs: number): void {
    if (this.#refused.length < maxRefused) this.#refused.push(request);
    this.#roundTripMs = Math.max(roundTripMs, 0.9 * this.#roundTripMs);
  }

  /** Records a request that ended without reaching the limit. */
  failed(): void {
    this.#failed += 1;
  }

  /** Records how long the service accepts no request. */
  stopped(ms: number): void {
    this.#stop = Math.max(this.#stop, ms);
  }

  /** Records the rate in the headers of the service. */
  advertised(rate: number): void {
    this.#advertised = rate === Infinity ? 0 : rate;
  }

  /** Records the results of permits that only this process got. */
  solo(results: SoloResults): void {
    this.#solo = results;
  }

  /** Returns everything since the last call, and starts over. */
  take(): Omit<PaceRequest, 'want' | 'known' | 'delay'> {
    const taken = {
      rtt: this.#roundTripMs,
      accepted: this.#accepted,
      acceptedAt: this.#acceptedAt,
      spacing: this.#spacing,
      refused: this.#refused.sort((a, b) => a.at - b.at),
      failed: this.#failed,
      advertised: this.#advertised,
      stop: this.#stop,
      solo: this.#solo,
    };
    this.#accepted = 0;
    this.#acceptedAt = 0;
    this.#spacing = 0;
    this.#refused = [];
    this.#failed = 0;
    this.#stop = 0;
    this.#solo = undefined;
    return taken;
  }
}
