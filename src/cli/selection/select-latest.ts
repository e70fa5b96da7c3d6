import type { LatestRecords } from '../../report/input/latest-records.ts';
import { readRecords, requireRecords } from '../read-snapshot.ts';
import type { Session } from '../session.ts';
import type { RecordSelection } from './record-selection.ts';

/**
 * Reads the records of files, and prints those that a selection selects. A later record of an
 * organization replaces an earlier one.
 * @throws UsageError if there is no record
 */
export async function selectLatest(
  session: Session,
  files: readonly string[],
  portfolio: LatestRecords,
  selection: RecordSelection,
): Promise<void> {
  try {
    const counts = await readRecords(session, files, (record, key, { json }) => {
      const selected = selection.read(record, json);
      return portfolio.add(selected === undefined ? '' : JSON.stringify(selected), key);
    });
    requireRecords(counts, files);
    selection.begin();
    for await (const text of portfolio.latest())
      await selection.add(text === '' ? undefined : JSON.parse(text));
    await selection.end();
  } finally {
    await selection.close();
  }
}
