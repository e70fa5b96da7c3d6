import type { Registration } from '../api/schema.ts';
import type { CarbonError } from '../runtime/carbon-error.ts';

/** A row of the file while it is being sent, perhaps in several attempts. */
export interface Job {
  readonly line: number;
  readonly key: string;
  /** Entry of the key in the key index. */
  readonly entry: number;
  readonly registration: Registration;
  /** Lines of equal rows that were read while this one is sent. */
  readonly duplicates: number[];
  /** Slot of the job among all that are being sent. */
  slot: number;
  /** Number of its first request; 0 for a row that earlier runs failed on, undefined at first. */
  firstRequest: number | undefined;
  /** Number of attempts that the service failed on. */
  failures: number;
  /** Number of the first request that failed. */
  firstFailedRequest: number;
  /** Number of attempts that the service refused because of its load or rate limit. */
  refusals: number;
  /** Error of the last attempt. */
  error: CarbonError | undefined;
}

/** Creates the job of a row. */
export function createJob(
  { line, key }: { readonly line: number; readonly key: string },
  entry: number,
  registration: Registration,
  hasFailedBefore: boolean,
): Job {
  return {
    line,
    key,
    entry,
    registration,
    duplicates: [],
    slot: -1,
    firstRequest: hasFailedBefore ? 0 : undefined,
    failures: 0,
    firstFailedRequest: 0,
    refusals: 0,
    error: undefined,
  };
}

/** A row that failed, with the reason. */
export interface FailedJob {
  readonly job: Job;
  readonly error: CarbonError;
}
