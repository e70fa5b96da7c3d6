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

const resetS = (limiter: Limiter, now: number) => Math.ceil((limiter.freeAt(now) - now) / 1000);

/** A bucket of `burst` tokens that refills evenly with `rate` tokens per second. */
export class TokenBucket implements Limiter {
  #tokens: number;
  #at = 0;
  readonly #burst: number;
  readonly #rate: number;

  constructor(burst: number, rate: number) {
    this.#burst = burst;
    this.#tokens = burst;
    this.#rate = rate;
  }

  freeAt(now: number): number {
    this.#fill(now);
    // Rounding errors of many small refills must not delay a request.
    const missing = 1 - 1e-9 - this.#tokens;
    return missing > 0 ? now + (missing / this.#rate) * 1000 : now;
  }

  take(now: number): void {
    this.#fill(now);
    this.#tokens -= 1;
  }

  advertised(now: number): AdvertisedLimit {
    const left = Math.max(0, Math.floor(this.#tokens));
    return { quota: this.#rate, windowS: 1, left, resetS: resetS(this, now) };
  }

  #fill(now: number): void {
    const refill = ((now - this.#at) / 1000) * this.#rate;
    this.#tokens = Math.min(this.#burst, this.#tokens + refill);
    this.#at = now;
  }
}

/** Servers of which a share refuses everything, whatever the rate. */
export class RefusingShare implements Limiter {
  readonly #share: number;
  readonly #random: () => number;

  constructor(share: number, random: () => number) {
    this.#share = share;
    this.#random = random;
  }

  freeAt(now: number): number {
    return this.#random() < this.#share ? now + 1 : now;
  }

  take(): void {}

  advertised(): AdvertisedLimit {
    return { quota: 1, windowS: 1, left: 1, resetS: 1 };
  }
}

/** A limit that another one replaces at a time. */
export class Changing implements Limiter {
  readonly #first: Limiter;
  readonly #then: Limiter;
  readonly #atMs: number;

  constructor(first: Limiter, atMs: number, then: Limiter) {
    this.#first = first;
    this.#then = then;
    this.#atMs = atMs;
  }

  freeAt(now: number): number {
    if (now >= this.#atMs) return this.#then.freeAt(now);
    const at = this.#first.freeAt(now);
    return at <= this.#atMs ? at : this.#then.freeAt(this.#atMs);
  }

  take(now: number): void {
    this.#at(now).take(now);
  }

  advertised(now: number): AdvertisedLimit {
    return this.#at(now).advertised(now);
  }

  #at = (now: number) => (now < this.#atMs ? this.#first : this.#then);
}

/**
 * The `limit_req` of nginx without a burst, with millisecond resolution: a request passes only when
 * a full interval has passed since the last one that did. A late request gains nothing, and one
 * that is a millisecond early is refused.
 */
export class LimitReq implements Limiter {
  /* In thousandths of a request, as nginx counts them. */
  #excess = 0;
  #last = Number.NEGATIVE_INFINITY;
  readonly #rate: number;

  constructor(rate: number) {
    this.#rate = rate;
  }

  freeAt(now: number): number {
    return Math.max(now, this.#last + Math.ceil((this.#excess + 1000) / this.#rate));
  }

  take(now: number): void {
    const ms = Math.floor(now) - this.#last;
    const isFirst = this.#last === Number.NEGATIVE_INFINITY;
    this.#excess = isFirst ? 0 : Math.max(0, this.#excess - Math.floor(this.#rate * ms) + 1000);
    this.#last = Math.floor(now);
  }

  advertised(now: number): AdvertisedLimit {
    const reset = resetS(this, now);
    const [quota, windowS] = [Math.max(1, this.#rate), Math.max(1, 1 / this.#rate)];
    return { quota, windowS, left: reset > 0 ? 0 : 1, resetS: reset };
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
  readonly #quota: number;

  constructor(windowMs: number, phaseMs: number, quota: number) {
    this.#windowMs = windowMs;
    this.#phaseMs = phaseMs;
    this.#quota = quota;
  }

  freeAt(now: number): number {
    return this.#left(now) > 0 ? now : (this.#window + 1) * this.#windowMs - this.#phaseMs;
  }

  take(now: number): void {
    this.#left(now);
    this.#count += 1;
  }

  advertised(now: number): AdvertisedLimit {
    const left = this.#left(now);
    const endMs = (this.#window + 1) * this.#windowMs - this.#phaseMs;
    const resetS = Math.ceil((endMs - now) / 1000);
    return { quota: this.#quota, windowS: this.#windowMs / 1000, left, resetS };
  }

  #left(now: number): number {
    const window = Math.floor((now + this.#phaseMs + 1e-6) / this.#windowMs);
    if (window > this.#window) this.#count = 0;
    this.#window = window;
    return this.#quota - this.#count;
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
    const [quota, windowS] = [this.#passed.length, this.#windowMs / 1000];
    return { quota, windowS, left, resetS: resetS(this, now) };
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
