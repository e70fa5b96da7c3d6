import type { CarbonError } from '../runtime/carbon-error.ts';
import type { Session } from './session.ts';

/**
 * Returns a function that reports long waits for the service, but not every wait: several requests
 * wait at the same time.
 */
export function reportWaits(
  session: Session,
  { minMs, everyMs }: { readonly minMs: number; readonly everyMs: number },
): (ms: number, error: CarbonError) => void {
  const { clock } = session.context;
  let lastAt = Number.NEGATIVE_INFINITY;
  return (ms, error) => {
    if (ms < minMs || clock.elapsed() - lastAt < everyMs) return;
    lastAt = clock.elapsed();
    session.reportWaiting(ms, error);
  };
}
