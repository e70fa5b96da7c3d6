import type { CarbonError } from '../runtime/carbon-error.ts';
import type { RecordResponse } from './http/response.ts';

/** Describes what happened to one organization in a watch. Waits are in milliseconds. */
export type FollowEvent = { readonly id: string } & (
  | {
      /** Research is in progress. */
      readonly kind: 'checked';
      readonly status: string | undefined;
      /** Whether the status differs from the previous check, or this is the first one. */
      readonly changed: boolean;
      readonly waitMs: number;
      readonly received: RecordResponse;
    }
  | { readonly kind: 'ended'; readonly status: string; readonly received: RecordResponse }
  | {
      /** The time limit ended the watch. */
      readonly kind: 'pending';
      readonly status: string | undefined;
      /** Last failure, if no check ever succeeded. */
      readonly error: CarbonError | undefined;
    }
  /** A check failed, and the watch continues. */
  | { readonly kind: 'trouble'; readonly error: CarbonError; readonly waitMs: number }
  /** A check failed, and the watch of this organization ended. */
  | { readonly kind: 'failed'; readonly error: CarbonError }
);
