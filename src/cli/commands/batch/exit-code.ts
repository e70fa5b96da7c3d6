import type { RunOutcome } from '../../../batch/outcome.ts';
import { exitCodeOf } from '../../errors.ts';

/**
 * Returns the exit code of a run: what stopped it, else 6 when rows were postponed, 9 when rows
 * failed, 0.
 */
export function exitOf({ stop, counts, tooManyErrors }: RunOutcome): number {
  if (stop !== undefined) return exitCodeOf(stop);
  if (counts.postponed > 0) return 6;
  return counts.refused + counts.invalid > 0 || tooManyErrors ? 9 : 0;
}
