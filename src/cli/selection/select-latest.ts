import { LatestRecords } from '../../report/input/latest-records.ts';
import { requireRecords } from '../../report/input/require-records.ts';
import type { QueryOptions } from '../option-parsers.ts';
import { readReducedRecords } from '../read-snapshot.ts';
import type { Session } from '../session.ts';
import { RecordSelection } from './record-selection.ts';
import { rowForm } from './row-format.ts';

/**
 * Reads the records of files, and prints those that a query selects. A later record of an
 * organization replaces an earlier one.
 * @throws UsageError for an invalid query, and if there is no record
 */
export async function selectLatest(
  session: Session,
  files: readonly string[],
  options: QueryOptions,
): Promise<void> {
  const { columns, sort, top, where } = options;
  const query = { columns, sort, top, where };
  const selection = await RecordSelection.open(session, options);
  const reduction = { kind: 'selection', query, form: await rowForm(session) } as const;
  const portfolio = new LatestRecords({ signal: session.context.signal });
  try {
    const counts = await readReducedRecords(session, files, reduction, (text, key) =>
      portfolio.add(text, key),
    );
    requireRecords(counts, files);
    selection.begin();
    for await (const text of portfolio.latest())
      await selection.add(text === '' ? undefined : JSON.parse(text));
    await selection.end();
  } finally {
    await portfolio.close();
    await selection.close();
  }
}
