import { LatestRecords } from '../../report/input/latest-records.ts';
import { requireRecords } from '../../report/input/require-records.ts';
import type { QueryOptions } from '../option-parsers.ts';
import { readReducedRecords } from '../read-snapshot.ts';
import type { Session } from '../session.ts';
import { readSelected } from './item-text.ts';
import type { Item, Selected } from './read-row.ts';
import { RecordSelection } from './record-selection.ts';
import { rowForm } from './row-format.ts';

/**
 * Reads the records of files, and prints those that a query selects. A later record of an
 * organization replaces an earlier one.
 *
 * With an order, carbon adds each record to the selection while it reads the next ones. If an
 * organization has a second record, carbon selects again from the stored texts at the end.
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
  const latest = new LatestRecords({ signal: session.context.signal });
  const isValid = () => selection.isWaiting && !latest.hasSuperseded;
  try {
    const counts = await readReducedRecords(session, files, reduction, (text, key) => {
      const stored = latest.add(text, key);
      const added = isValid() ? selection.add(selectedOf(text)) : undefined;
      return stored === undefined ? added : Promise.all([stored, added]).then(() => undefined);
    });
    requireRecords(counts, files);
    selection.begin();
    if (!isValid()) {
      await selection.clear();
      for await (const text of latest.latest()) await selection.add(selectedOf(text));
    }
    await selection.end();
  } finally {
    await latest.close();
    await selection.close();
  }
}

/* The text is empty for a record that the query does not select. */
function selectedOf(text: string): Selected<Item> | undefined {
  return text === '' ? undefined : readSelected(text);
}
