import { Pacer } from '../api/rate-limit/pacer.ts';

const maxDelayMs = 500;

/** Configures the pacer of a process that continues alone. */
export interface SharePacerOptions {
  /** Maximum requests in flight. */
  readonly concurrency: number;
  /** Maximum requests per second of this process. */
  readonly maxRate: number | undefined;
  /** Its last share of the learned rate, in requests per second; undefined if none is known. */
  readonly share: number | undefined;
  readonly now: number;
  readonly random: () => number;
}

/** Paces one process at its last share of the rate; without one, it learns the rate alone. */
export class SharePacer extends Pacer {
  /* Many processes lose the server at the same moment and must not all send then. */
  readonly #startsAt: number;

  constructor({ concurrency, maxRate = Infinity, share, now, random }: SharePacerOptions) {
    const bound = Math.min(maxRate, share ?? Infinity);
    super(bound === Infinity ? { concurrency } : { concurrency, maxRate: bound });
    this.#startsAt = share === undefined ? now : now + (random() * 1_000) / share;
  }

  override delay(now: number): number {
    const delayMs = Math.max(super.delay(now), this.#startsAt - now);
    // The server may be back before a long delay ends. A response ends an infinite one.
    return delayMs === Infinity ? Infinity : Math.min(maxDelayMs, delayMs);
  }
}
