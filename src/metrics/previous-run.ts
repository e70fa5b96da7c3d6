/** What the file of an earlier run contains. */
export interface Previous {
  /** Whether carbon wrote the file; it never replaces any other file. */
  readonly isOurs: boolean;
  /** End of the last successful run, in milliseconds since 1970. */
  readonly lastSuccessAt?: number;
  /** Whether the file has a last success that is no time or lies in the future. */
  readonly isDamaged?: boolean;
}

/* The clocks of two machines that share a file may differ. */
const maxClockDifferenceMs = 5 * 60 * 1000;

/**
 * Reads the time of the last success from the file of an earlier run.
 *
 * A time in the future would hide failures until then, so it does not count.
 * @param ms milliseconds since 1970; undefined for an invalid time
 */
export function readTime(ms: number | undefined, now: number): Previous {
  return ms === undefined || ms > now + maxClockDifferenceMs
    ? { isOurs: true, isDamaged: true }
    : { isOurs: true, lastSuccessAt: ms };
}
