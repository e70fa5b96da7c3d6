import type { PaceReply } from './pace-bucket.ts';

/** Time in which unpaced permits must be used, so that a refusal soon stops all processes. */
const unpacedMs = 250;
/** Maximum lateness of a request at a limit with a burst. */
const maxLateMs = 1_000;
const soloMs = 1_000;
/** Lateness at a limit without a burst, in intervals: beyond it, the next process would collide. */
const strictLateness = 0.04;
/** At shorter intervals, lateness below a millisecond decides nothing. */
const minPreciseSpacingMs = 5;

/** Several permits with their times of sending. Times are milliseconds of the local clock. */
export class Lease {
  readonly gen: number;
  readonly spacing: number;
  readonly isStrict: boolean;
  /** Number of a test, whose results the process must report; undefined for other permits. */
  readonly test: number | undefined;
  /** Whether no other process sends requests meanwhile. */
  readonly isAlone: boolean;
  /** Number of permits at the beginning. */
  readonly size: number;
  /** Accepted requests from this time on are those before the next one at the service. */
  readonly countsFrom: number;
  readonly #until: number;
  readonly #first: number;
  readonly #least: number;
  #nextAt: number;
  #left: number;

  /**
   * @param reply a reply with permits
   * @param now time of the reply on the local clock
   * @param last the last lease of this process
   * @param receivedAt local time of receiving the reply
   */
  constructor(reply: PaceReply, now: number, last: Lease | undefined, receivedAt: number) {
    const {
      gen,
      count = 0,
      first = 0,
      spacing = 0,
      isStrict,
      solo,
      probe,
      least = spacing,
    } = reply;
    this.gen = gen;
    this.spacing = spacing;
    this.isStrict = isStrict === true;
    this.test = solo ?? probe;
    this.isAlone = solo !== undefined;
    this.size = count;
    this.#left = count;
    this.#first = now + first;
    this.#nextAt = this.#first;
    this.#least = least;
    this.countsFrom = reply.isContinued && last !== undefined ? last.countsFrom : this.#first;
    const end = this.#nextAt + (count - 1) * spacing;
    if (solo !== undefined) this.#until = end + soloMs;
    else if (this.isStrict) this.#until = end + strictLateness * spacing;
    else this.#until = spacing === 0 ? Math.max(end, receivedAt) + unpacedMs : end + maxLateMs;
  }

  /** Whether its requests must be on time to less than a millisecond. */
  get isPrecise(): boolean {
    return this.isStrict && this.spacing >= minPreciseSpacingMs;
  }

  /** Number of permits that are left. */
  get left(): number {
    return this.#left;
  }

  /** Earliest time of the next request. */
  get nextAt(): number {
    return this.#nextAt;
  }

  /** Time of the last permit. */
  get lastAt(): number {
    return this.#nextAt + (this.#left - 1) * this.spacing;
  }

  /** Checks whether the next lease must be requested, `leadMs` before this one ends. */
  isLow(now: number, leadMs: number): boolean {
    if (this.isAlone) return false;
    if (this.spacing > 0) return this.lastAt - now <= leadMs;
    return 2 * this.#left <= this.size || now > this.#until - unpacedMs / 2;
  }

  /** Checks whether no permit can be used any more. */
  isOver(now: number): boolean {
    return this.#left <= 0 || Math.max(now, this.#nextAt) > this.#until;
  }

  /** Uses one permit. */
  take(now: number): void {
    this.#left -= 1;
    const grid = this.#first + (this.size - this.#left) * this.spacing;
    this.#nextAt = this.isStrict ? Math.max(grid, now + this.#least) : grid;
  }

  /** Drops all permits. */
  end(): void {
    this.#left = 0;
  }
}
