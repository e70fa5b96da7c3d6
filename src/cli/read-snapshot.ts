import { openInputs } from '../report/input/files.ts';
import { type Counts, readSnapshot, type Take } from '../report/input/snapshot.ts';
import { UsageError } from '../runtime/carbon-error.ts';
import { plural } from '../terminal/count.ts';
import type { Session } from './session.ts';

/**
 * Reads the records of a command line's files, `-` is standard input, and warns of what was left
 * out.
 * @param take called for each, the earliest first
 */
export async function readRecords(
  session: Session,
  paths: readonly string[],
  take: Take,
): Promise<Counts> {
  const { context, messages } = session;
  const inputs = await openInputs(paths, () => context.stdin, context.signal);
  const boundMemory = await context.limitYoungGeneration();
  let records = 0;
  const counts = await readSnapshot(inputs, (record, key) => {
    records += 1;
    if (records % 1_000 === 0) boundMemory();
    return take(record, key);
  });
  const { odd, torn } = counts;
  for (const where of torn)
    messages.warn(`${where} is cut off at the end of the input, and was left out.`);
  if (odd > 0) {
    const records = plural(odd, 'record has', 'records have');
    messages.warn(`${records} values of an unexpected type, which were left out.`);
  }
  return counts;
}

/**
 * Refuses to go on without a record: a report on nothing, or a portfolio that is gone as a whole,
 * is a mistake upstream.
 * @throws UsageError when there is no record at all
 */
export function requireRecords(
  { records, failed, withoutRecord }: Counts,
  paths: readonly string[],
): void {
  if (records > 0) return;
  const others = failed + withoutRecord;
  const where = paths.map((path) => (path === '-' ? 'standard input' : path)).join(', ');
  throw new UsageError(
    `There is no record in ${where}${others > 0 ? `: ${failed} failed items, ${withoutRecord} lines without a record` : ''}`,
    'Records come from `carbon get --json`, `carbon watch --json` or `carbon batch --json`.',
    'invalid_input',
  );
}
