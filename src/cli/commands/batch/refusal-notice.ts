import type { RefusalStreakNotice } from '../../../batch/failed-attempts.ts';
import type { Clock } from '../../../runtime/clock.ts';

/* Minimum duration of a streak before it is reported: of the first one, and of later ones. */
const minStreakMs = 3_000;
const minLaterStreakMs = 65_000;

/** Description of a streak in which the service refuses every request. */
export interface RefusalText {
  /** Text for the spinner; the line may be truncated, so the end time comes first. */
  readonly short: string;
  /** Line to print; undefined if the streak was already reported. */
  readonly line: string | undefined;
  /** Time at which carbon stops, in milliseconds of the wall clock. */
  readonly endsAt: number;
}

/** Describes streaks of refusals, each once. */
export class RefusalNotice {
  readonly #clock: Pick<Clock, 'now' | 'elapsed'>;
  /* Start of the last streak that was reported. */
  #reported: number | undefined;

  constructor(clock: Pick<Clock, 'now' | 'elapsed'>) {
    this.#clock = clock;
  }

  /**
   * Describes why the service refuses and until when carbon retries; undefined for a short streak.
   */
  describe({ since, until, error }: RefusalStreakNotice): RefusalText | undefined {
    const lastedMs = this.#clock.elapsed() - since;
    if (lastedMs < minStreakMs) return undefined;
    const endsAt = this.#clock.now() + until - this.#clock.elapsed();
    const retrying = `retrying until ${timeOfDay(endsAt)}`;
    const short = `${retrying}: ${error.message}`;
    const isReported =
      this.#reported === since || (this.#reported !== undefined && lastedMs < minLaterStreakMs);
    if (isReported) return { short, line: undefined, endsAt };
    this.#reported = since;
    return { short, line: `${error.message}; ${retrying}, then carbon stops`, endsAt };
  }
}

/* Formats a local time, rounded up to the next minute. */
function timeOfDay(ms: number): string {
  return new Date(Math.ceil(ms / 60_000) * 60_000).toTimeString().slice(0, 5);
}
