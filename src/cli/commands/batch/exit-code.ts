import type { RunOutcome } from '../../../batch/outcome.ts';
import { exitCodeOf } from '../../errors.ts';

/** Returns the exit code of a run: that of its error, else 6 (postponed), 9 (failed) or 0. */
export function exitOf({ stop, counts, tooManyErrors }: RunOutcome): number {
  if (stop !== undefined) return exitCodeOf(stop);
  if (counts.postponed > 0) return 6;
  return counts.refused + counts.invalid > 0 || tooManyErrors ? 9 : 0;
}
