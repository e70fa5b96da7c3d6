import { hasEnded } from '../api/ids.ts';
import { organizationSchema } from '../api/schema.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Registered } from './company.ts';
import { recordOf, statusOf } from './research.ts';
import type { UpstreamFactor } from './served-figures.ts';

const maxKept = 2000;
const maxKeptLength = 64 * 1024;

/**
 * Creates a function that writes the current record of an organization as JSON.
 *
 * The schema of the service validates every record. Finished records never change, so the most
 * recent ones are cached.
 */
export function recordWriter(
  clock: Clock,
  researchMs: number,
  upstream: UpstreamFactor = 'additive',
): (of: Registered, currency: string) => string {
  const finished = new Map<string, string>();
  return (registered, currency) => {
    const status = statusOf(registered, clock.now() - registered.at, researchMs);
    const key = `${registered.id} ${currency}`;
    const kept = hasEnded(status) ? finished.get(key) : undefined;
    if (kept !== undefined) return kept;
    const json = JSON.stringify(
      organizationSchema.parse(recordOf(registered, status, currency, upstream)),
    );
    if (hasEnded(status) && json.length <= maxKeptLength) {
      if (finished.size >= maxKept) finished.delete(finished.keys().next().value ?? key);
      finished.set(key, json);
    }
    return json;
  };
}
