import { basename } from 'node:path';
import { requireRecords } from '../../records/records.ts';
import { UsageError } from '../../runtime/carbon-error.ts';
import type { QueryOptions } from '../option-parsers.ts';
import { RecordWorkbook } from '../output/record-workbook.ts';
import { readRecords } from '../read-snapshot.ts';
import type { Session } from '../session.ts';

/**
 * Writes the records of files that a query selects to a workbook. A later record of an organization
 * replaces an earlier one.
 * @throws UsageError for an invalid query or path, with a format for standard output, and if there
 * is no record; LocalError when writing fails
 */
export async function writeSnapshotWorkbook(
  session: Session,
  files: readonly string[],
  out: string,
  query: QueryOptions,
): Promise<void> {
  const { format } = session;
  if (format === 'json' || format === 'ids')
    throw new UsageError(
      `--${format} cannot be combined with a workbook`,
      `Run the command with --${format} separately.`,
    );
  const workbook = await RecordWorkbook.open(session, { out, query, inputs: files });
  const counts = await readRecords(session, files, (record, key) => workbook.add(record, key));
  requireRecords(counts, files);
  const from = files.map((file) => (file === '-' ? 'standard input' : basename(file)));
  await workbook.write([
    ['files', from.join(', ')],
    ['records', 'the latest record of each organization'],
    ['lines without a record', String(counts.failed + counts.withoutRecord)],
  ]);
}
