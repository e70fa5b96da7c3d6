import type { OrganizationId } from '../api/ids.ts';
import type { Organization } from '../api/schema.ts';
import { openInputs } from '../records/files.ts';
import type { RecordFile } from '../records/json-documents.ts';
import {
  type Counts,
  LatestRecords,
  type OnRecord,
  type RecordSource,
  readSnapshot,
  requireRecords,
} from '../records/records.ts';
import { plural } from '../terminal/format.ts';
import type { Session } from './session.ts';

/** Paths of files, where `-` is standard input, or files that are open. */
export type RecordInputs = readonly string[] | readonly RecordFile[];

/**
 * Reads the records of files, or of standard input for `-`, and warns about skipped data.
 * @param take receives each record in the order of the input
 */
export async function readRecords(
  session: Session,
  files: RecordInputs,
  take: OnRecord,
): Promise<Counts> {
  const { context, messages } = session;
  const inputs = arePaths(files)
    ? await openInputs(files, () => context.stdin, context.signal)
    : files;
  const boundMemory = await context.limitYoungGeneration();
  let records = 0;
  const onRecord: OnRecord = (record, key, source) => {
    records += 1;
    if (records % 1_000 === 0) boundMemory();
    return take(record, key, source);
  };
  const counts = await readSnapshot(inputs, onRecord);
  for (const where of counts.truncated)
    messages.warn(`carbon skipped ${where}: the input ends in the middle of it.`);
  if (counts.unexpected > 0)
    messages.warn(
      `carbon skipped values of an unexpected type in ${plural(counts.unexpected, 'record')}.`,
    );
  return counts;
}

function arePaths(files: RecordInputs): files is readonly string[] {
  return typeof files[0] === 'string';
}

const maxNamed = 3;

/**
 * Reads what a command needs of the latest record of each organization, and warns where the input
 * does not say which one that is.
 * @param reduce returns what to keep of a record
 * @param isSame as for `LatestRecords`
 * @throws UsageError if there is no record
 */
export async function readLatest<Value>(
  session: Session,
  files: RecordInputs,
  reduce: (record: Organization, source: RecordSource, key: OrganizationId | undefined) => Value,
  isSame?: (a: Value, b: Value) => boolean,
): Promise<{ readonly latest: LatestRecords<Value>; readonly counts: Counts }> {
  const latest = new LatestRecords<Value>(isSame);
  const counts = await readRecords(session, files, (record, key, source) =>
    latest.add(reduce(record, source, key), key, source.retrievedAt),
  );
  requireRecords(counts, arePaths(files) ? files : files.map(({ name }) => name));
  const { undecided } = latest;
  if (undecided.length > 0) {
    const more = undecided.length - maxNamed;
    const ids = undecided.slice(0, maxNamed).join(', ') + (more > 0 ? ` and ${more} more` : '');
    session.messages.warn(
      `${plural(undecided.length, 'organization has', 'organizations have')} different records without a time of retrieval, of which carbon uses the last: ${ids}.`,
    );
  }
  return { latest, counts };
}
