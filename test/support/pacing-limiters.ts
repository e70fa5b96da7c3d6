/** A service's rate limit. Times are in milliseconds; calls are in order of time. */
export interface Limiter {
  /** Returns the first time, `now` or later, at which a request would pass; Infinity if never. */
  freeAt(now: number): number;
  /** Counts a request that passes; only for `freeAt(now) <= now`. */
  take(now: number): void;
  /** Returns the limit that the RateLimit headers report. */
  advertised(now: number): AdvertisedLimit;
}

/** The values of RateLimit headers, in requests and whole seconds. */
export interface AdvertisedLimit {
  readonly quota: number;
  readonly windowS: number;
  readonly left: number;
  readonly resetS: number;
}

/** A change of the limit at a time in milliseconds. */
export interface Change {
  readonly fromMs: number;
  readonly limit: number;
}

function limitAt(changes: readonly Change[], now: number): { limit: number; untilMs: number } {
  let at = changes.length - 1;
  while (at > 0 && (changes[at]?.fromMs ?? 0) > now) at -= 1;
  return { limit: changes[at]?.limit ?? 0, untilMs: changes[at + 1]?.fromMs ?? Infinity };
}

/** A bucket of `burst` tokens that refills evenly with `rate` tokens per second. */
export class TokenBucket implements Limiter {
  #tokens: number;
  #at = 0;
  readonly #burst: number;
  readonly #rates: readonly Change[];

  constructor(burst: number, rate: number, ...later: readonly Change[]) {
    this.#burst = burst;
    this.#tokens = burst;
    this.#rates = [{ fromMs: 0, limit: rate }, ...later];
  }

  freeAt(now: number): number {
    this.#fill(now);
    // Rounding errors of many small refills must not delay a request.
    let missing = 1 - 1e-9 - this.#tokens;
    for (let from = now; missing > 0; ) {
      const { limit, untilMs } = limitAt(this.#rates, from);
      const at = from + (missing / limit) * 1000;
      if (at <= untilMs) return at;
      missing -= ((untilMs - from) / 1000) * limit;
      from = untilMs;
    }
    return now;
  }

  take(now: number): void {
    this.#fill(now);
    this.#tokens -= 1;
  }

  advertised(now: number): AdvertisedLimit {
    const resetS = Math.ceil((this.freeAt(now) - now) / 1000);
    const { limit } = limitAt(this.#rates, now);
    let windowS = 1;
    while (windowS < 60 && (limit * windowS) % 1 > 1e-6) windowS += 1;
    return {
      quota: Math.floor(limit * windowS),
      windowS,
      left: Math.max(0, Math.floor(this.#tokens)),
      resetS,
    };
  }

  #fill(now: number): void {
    while (this.#at < now) {
      const { limit, untilMs } = limitAt(this.#rates, this.#at);
      const to = Math.min(now, untilMs);
      this.#tokens = Math.min(this.#burst, this.#tokens + ((to - this.#at) / 1000) * limit);
      this.#at = to;
    }
  }
}

/**
 * The `limit_req` of nginx: a leaky bucket with millisecond resolution that lets `burst` requests
 * pass early. Without a burst, a request passes only when a full interval has passed since the last
 * one that did: a late request gains nothing, and one that is a millisecond early is refused.
 */
export class LimitReq implements Limiter {
  /* In thousandths of a request, as nginx counts them. */
  #excess = 0;
  #last = Number.NEGATIVE_INFINITY;
  readonly #rate: number;
  readonly #burst: number;

  constructor(rate: number, burst = 0) {
    this.#rate = rate * 1000;
    this.#burst = burst * 1000;
  }

  freeAt(now: number): number {
    const waitMs = Math.ceil(((this.#excess + 1000 - this.#burst) / this.#rate) * 1000);
    return Math.max(now, this.#last + waitMs);
  }

  take(now: number): void {
    const ms = Math.floor(now) - this.#last;
    this.#excess = Math.max(0, this.#excess - Math.floor((this.#rate * ms) / 1000) + 1000);
    if (this.#last === Number.NEGATIVE_INFINITY) this.#excess = 0;
    this.#last = Math.floor(now);
  }

  advertised(now: number): AdvertisedLimit {
    const perSecond = this.#rate / 1000;
    const resetS = Math.ceil((this.freeAt(now) - now) / 1000);
    return {
      quota: Math.max(1, perSecond),
      windowS: Math.max(1, 1 / perSecond),
      left: resetS > 0 ? 0 : 1,
      resetS,
    };
  }
}

/**
 * A quota of requests in each window of the service's clock. At time 0, `phaseMs` of the first
 * window are over.
 */
export class FixedWindow implements Limiter {
  #count = 0;
  #window = 0;
  readonly #windowMs: number;
  readonly #phaseMs: number;
  readonly #quotas: readonly Change[];

  constructor(windowMs: number, phaseMs: number, quota: number, ...later: readonly Change[]) {
    this.#windowMs = windowMs;
    this.#phaseMs = phaseMs;
    this.#quotas = [{ fromMs: 0, limit: quota }, ...later];
  }

  freeAt(now: number): number {
    return this.#left(now) > 0 ? now : this.#endMs;
  }

  take(now: number): void {
    this.#left(now);
    this.#count += 1;
  }

  advertised(now: number): AdvertisedLimit {
    const left = this.#left(now);
    const resetS = Math.ceil((this.#endMs - now) / 1000);
    return { quota: left + this.#count, windowS: this.#windowMs / 1000, left, resetS };
  }

  get #endMs(): number {
    return (this.#window + 1) * this.#windowMs - this.#phaseMs;
  }

  #left(now: number): number {
    const window = Math.floor((now + this.#phaseMs + 1e-6) / this.#windowMs);
    if (window > this.#window) this.#count = 0;
    this.#window = window;
    const beganMs = window * this.#windowMs - this.#phaseMs;
    return Math.max(0, limitAt(this.#quotas, beganMs).limit - this.#count);
  }
}

/** A quota of requests in any period of `windowMs`. */
export class SlidingLog implements Limiter {
  readonly #passed: number[];
  #oldest = 0;
  readonly #windowMs: number;

  constructor(windowMs: number, quota: number) {
    this.#windowMs = windowMs;
    this.#passed = new Array<number>(quota).fill(-Infinity);
  }

  freeAt(now: number): number {
    return Math.max(now, (this.#passed[this.#oldest] ?? 0) + this.#windowMs);
  }

  take(now: number): void {
    this.#passed[this.#oldest] = now;
    this.#oldest = (this.#oldest + 1) % this.#passed.length;
  }

  advertised(now: number): AdvertisedLimit {
    const left = this.#passed.filter((at) => at + this.#windowMs <= now).length;
    const resetS = Math.ceil((this.freeAt(now) - now) / 1000);
    return { quota: this.#passed.length, windowS: this.#windowMs / 1000, left, resetS };
  }
}

/** A quota that never resets; until it is used up, another limit applies. */
export class Quota implements Limiter {
  #left: number;
  readonly #quota: number;
  readonly #until: Limiter;

  constructor(quota: number, until = unlimited()) {
    this.#quota = quota;
    this.#left = quota;
    this.#until = until;
  }

  freeAt(now: number): number {
    return this.#left > 0 ? this.#until.freeAt(now) : Infinity;
  }

  take(now: number): void {
    this.#left -= 1;
    this.#until.take(now);
  }

  advertised(): AdvertisedLimit {
    return { quota: this.#quota, windowS: 2_592_000, left: this.#left, resetS: 1_296_000 };
  }
}

/** Creates a service without a rate limit. */
export const unlimited = (): Limiter => ({
  freeAt: (now) => now,
  take: () => undefined,
  advertised: () => ({ quota: 1_000_000, windowS: 1, left: 1_000_000, resetS: 1 }),
});
