import type { CarbonError } from '../runtime/carbon-error.ts';
import type { RecordResponse } from './http/response.ts';

/** What happened to one organization that is followed. */
export type FollowEvent = { readonly id: string } & (
  | {
      readonly kind: 'checked';
      readonly status: string | undefined;
      readonly changed: boolean;
      readonly waitMs: number;
      readonly received: RecordResponse;
    }
  | { readonly kind: 'ended'; readonly status: string; readonly received: RecordResponse }
  | {
      readonly kind: 'pending';
      readonly status: string | undefined;
      /** Why nothing is known of it: the last failure, when no check has ever succeeded. */
      readonly error: CarbonError | undefined;
    }
  | { readonly kind: 'trouble'; readonly error: CarbonError; readonly waitMs: number }
  | { readonly kind: 'failed'; readonly error: CarbonError }
);
