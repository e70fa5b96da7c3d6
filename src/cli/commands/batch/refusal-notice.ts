import type { RefusalStreakNotice } from '../../../batch/run.ts';
import type { Clock } from '../../../runtime/clock.ts';

/*
 * A pause of the rate limit is told after so long; after one that was told and ended, only when it
 * outlasts a minute.
 */
const toldMs = 3_000;
const nextToldMs = 65_000;

/** What is to be said of a time in which a service refuses every request. */
export interface RefusalText {
  /** For the line of a spinner; what matters comes first, because the line is cut. */
  readonly short: string;
  /** The line to say, once for each such time. */
  readonly line: string | undefined;
  /** When the run ends, in milliseconds of the wall clock. */
  readonly ends: number;
}

/** Finds the words for refusals, and does not repeat itself. */
export class RefusalNotice {
  readonly #clock: Pick<Clock, 'now' | 'elapsed'>;
  /* When the last one began that was told. */
  #told: number | undefined;

  constructor(clock: Pick<Clock, 'now' | 'elapsed'>) {
    this.#clock = clock;
  }

  /** What the service says and until when it is tried; undefined for a short pause. */
  tell({ since, until, because }: RefusalStreakNotice): RefusalText | undefined {
    const lastedMs = this.#clock.elapsed() - since;
    if (lastedMs < toldMs) return undefined;
    const ends = this.#clock.now() + until - this.#clock.elapsed();
    const retrying = `retrying until ${timeOfDay(ends)}`;
    const short = `${retrying}: ${because.message}`;
    const isTold = this.#told === since || (this.#told !== undefined && lastedMs < nextToldMs);
    if (isTold) return { short, line: undefined, ends };
    this.#told = since;
    return { short, line: `${because.message}; ${retrying}, then carbon stops`, ends };
  }
}

/* Local, rounded up to a whole minute. */
function timeOfDay(ms: number): string {
  return new Date(Math.ceil(ms / 60_000) * 60_000).toTimeString().slice(0, 5);
}
