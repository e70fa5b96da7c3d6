import { UsageError } from '../runtime/carbon-error.ts';
import { plural } from '../terminal/format.ts';
import type { Counts } from './record-counter.ts';

/**
 * Checks that there is a record: an empty input is a mistake upstream.
 * @throws UsageError if there is no record
 */
export function requireRecords(
  { records, failed, withoutRecord }: Counts,
  paths: readonly string[],
): void {
  if (records > 0) return;
  const others = failed + withoutRecord;
  const where = paths.map((path) => (path === '-' ? 'standard input' : path)).join(', ');
  throw new UsageError(
    `No records in ${where}${others > 0 ? `: ${plural(failed, 'failed item')}, ${plural(withoutRecord, 'line')} without a record` : ''}`,
    'Create records with `carbon get --json`, `carbon watch --json` or `carbon batch --json`.',
    'invalid_input',
  );
}
