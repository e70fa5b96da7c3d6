import type { Organization } from '../contract.ts';
import { UsageError } from '../errors.ts';
import { readSnapshot, type Snapshot } from '../report/snapshot.ts';
import { openInputs } from '../report/source.ts';
import type { Session } from './session.ts';

/**
 * Reads the records of a command line's files, `-` is standard input, and warns of what was left out.
 * @param keep what is kept of a record
 */
export async function readRecords<Kept>(
  session: Session,
  paths: readonly string[],
  keep: (record: Organization) => Kept,
): Promise<Snapshot<Kept>> {
  const { context, messages } = session;
  const inputs = await openInputs(paths, () => context.stdin, context.signal);
  const snapshot = await readSnapshot(inputs, keep);
  const { odd, torn } = snapshot.counts;
  for (const where of torn) messages.warn(`${where} is cut off at the end of the input, and was left out.`);
  if (odd > 0) {
    const records = odd === 1 ? '1 record has' : `${odd} records have`;
    messages.warn(`${records} values of an unexpected type, which were left out.`);
  }
  return snapshot;
}

/**
 * Refuses to go on without a record: a report on nothing, or a portfolio that is gone as a whole, is a mistake upstream.
 * @throws UsageError when there is no record at all
 */
export function requireRecords({ organizations, counts }: Snapshot<unknown>, paths: readonly string[]): void {
  if (organizations.size > 0) return;
  const { failed, withoutRecord } = counts;
  const others = failed + withoutRecord;
  const where = paths.map((path) => (path === '-' ? 'standard input' : path)).join(', ');
  throw new UsageError(
    `There is no record in ${where}${others > 0 ? `: ${failed} failed items, ${withoutRecord} lines without a record` : ''}`,
    'Records come from `carbon get --json`, `carbon watch --json` or `carbon batch --json`.',
    'invalid_input',
  );
}
