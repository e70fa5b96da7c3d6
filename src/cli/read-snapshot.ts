import type { RecordSchema } from '../api/read-record.ts';
import { openInputs } from '../report/input/files.ts';
import { type Counts, type OnRecord, readSnapshot } from '../report/input/records.ts';
import { UsageError } from '../runtime/carbon-error.ts';
import { plural } from '../terminal/format.ts';
import type { Session } from './session.ts';

/**
 * Reads the records of files, or of standard input for `-`, and warns about skipped data.
 * @param take receives each record, the earliest first
 * @param schema the members to check, all by default
 */
export async function readRecords(
  session: Session,
  paths: readonly string[],
  take: OnRecord,
  schema?: RecordSchema,
): Promise<Counts> {
  const { context, messages } = session;
  const inputs = await openInputs(paths, () => context.stdin, context.signal);
  const boundMemory = await context.limitYoungGeneration();
  let records = 0;
  const counts = await readSnapshot(
    inputs,
    (record, key, source) => {
      records += 1;
      if (records % 1_000 === 0) boundMemory();
      return take(record, key, source);
    },
    schema,
  );
  const { unexpected, truncated } = counts;
  for (const where of truncated)
    messages.warn(`carbon skipped ${where}: the input ends in the middle of it.`);
  if (unexpected > 0) {
    const records = plural(unexpected, 'record');
    messages.warn(`carbon skipped values of an unexpected type in ${records}.`);
  }
  return counts;
}

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
