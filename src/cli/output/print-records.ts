/* Where the records go that `get`, `watch` and `register` retrieve. */
import { readReference } from '../../api/ids.ts';
import type { RecordResponse } from '../../api/responses.ts';
import type { Organization } from '../../api/schema.ts';
import { CarbonError, HintedError, LocalError } from '../../runtime/carbon-error.ts';
import { sanitize } from '../../terminal/sanitize.ts';
import type { GivenIds } from '../parse-ids.ts';
import type { Session } from '../session.ts';
import { compactJson } from './json.ts';

/** Prints or writes records. */
export interface RecordOutput {
  /** Prints or keeps a record, and waits until the reader has caught up. */
  add(received: RecordResponse): Promise<void>;
  /**
   * Prints or writes what waits for the last record, such as a table or a file, and the header of
   * CSV if there was no record.
   */
  end(): Promise<void>;
}

export function printRecord(session: Session, received: RecordResponse): Promise<void> {
  return standardOutput(session, false).add(received);
}

/**
 * Opens the output of records.
 * @param several whether there may be several records, which a terminal shows as a table
 * @param out the file of `-o`; undefined for standard output
 * @throws as `OutFile.open` does
 */
export async function openOutput(
  session: Session,
  several: boolean,
  out?: string,
  currency?: string,
): Promise<RecordOutput> {
  return out === undefined ? standardOutput(session, several) : fileOutput(session, out, currency);
}

function standardOutput(session: Session, several: boolean): RecordOutput {
  const { format, view, context } = session;
  const isTable = several && format === 'human' && view.terminal;
  const records: Organization[] = [];
  let render: ((received: RecordResponse) => string) | undefined;
  return {
    async add(received) {
      if (isTable) records.push(received.record);
      else {
        render ??= await openText(session, several);
        session.print(render(received));
        await context.stdout.drained;
      }
    },
    async end() {
      if (several && format === 'csv') render ??= await openText(session, several);
      if (records.length === 0) return;
      const [{ renderTable }, { organizationTable }, { isSynthetic }] = await Promise.all([
        import('./table.ts'),
        import('./record-tables.ts'),
        import('../../organizations/history.ts'),
      ]);
      const checked = records.map(await recordCheck(session));
      const synthetic = session.view.synthetic || checked.some(isSynthetic);
      const rows = checked.flatMap(organizationTable.rows);
      const { terminal } = organizationTable;
      session.print(renderTable(terminal, rows, { ...session.view, synthetic }, true));
    },
  };
}

/*
 * Returns the text of records in the format of the session, and prints the header of CSV. A pipe
 * shows one of several records as a line of a table.
 */
async function openText(
  session: Session,
  isOneOfSeveral: boolean,
): Promise<(received: RecordResponse) => string> {
  const { format, view } = session;
  if (format === 'json') return ({ json }) => session.jsonLine(json);
  if (format === 'ids') return ({ record }) => idLine(record);
  const checked = await recordCheck(session);
  if (format === 'csv') {
    const { renderCsvHeader, renderCsvRow } = await import('./record-tables.ts');
    session.print(renderCsvHeader());
    return ({ record }) => renderCsvRow(checked(record));
  }
  if (!isOneOfSeveral || view.terminal) {
    const { renderOrganization } = await import('./organization.ts');
    return ({ record }) => renderOrganization(checked(record), session.view);
  }
  const [{ renderTabbed }, { organizationTable }] = await Promise.all([
    import('./table.ts'),
    import('./record-tables.ts'),
  ]);
  const { rows, pipe } = organizationTable;
  return ({ record }) =>
    rows(checked(record))
      .map((row) => renderTabbed(pipe, row))
      .join('');
}

/* Collects records and writes them at the end; without a record, the file does not change. */
async function fileOutput(
  session: Session,
  path: string,
  currency: string | undefined,
): Promise<RecordOutput> {
  const [{ openRecordFile, rowReader, writeRecordRows }, { recordLine }] = await Promise.all([
    import('./record-file.ts'),
    import('../../records/envelope.ts'),
  ]);
  const file = await openRecordFile(session, path, []);
  const checked = await recordCheck(session);
  const { service } = session.identity();
  const rowsOf = rowReader(session, file);
  const rows: ReturnType<typeof rowsOf>[] = [];
  const lines: string[] = [];
  return {
    async add({ record: received, json }) {
      const record = checked(received);
      if (file.extension === '.ndjson') {
        const retrievedAt = new Date(session.context.clock.now()).toISOString();
        const { id } = readReference(record);
        lines.push(recordLine(id, { service, currency, retrievedAt }, compactJson(json)));
      } else rows.push(rowsOf(record));
    },
    async end() {
      if (lines.length > 0)
        await file.writeLines(async (write) => {
          for (const line of lines) await write(line);
        });
      if (rows.length > 0)
        await writeRecordRows(session, file, rows, [['records', 'retrieved from the service']]);
    },
  };
}

/**
 * Adds the record of an organization to an output.
 *
 * @returns the error of a record that cannot be shown, which concerns no other one
 * @throws an error of this machine, such as a full disk, which concerns all records
 */
export async function addRecord(
  output: RecordOutput,
  received: RecordResponse,
): Promise<CarbonError | undefined> {
  try {
    await output.add(received);
    return undefined;
  } catch (error) {
    if (error instanceof CarbonError && !(error instanceof LocalError)) return error;
    throw error;
  }
}

/*
 * Returns what removes values of unexpected types from a record, and warns about those it leaves
 * out. Formats that print records as received do not load it.
 */
async function recordCheck({
  messages,
}: Session): Promise<(received: Organization) => Organization> {
  const { maxListItems, readRecord } = await import('../../api/read-record.ts');
  return (received) => {
    const { record, droppedPaths, droppedCount, truncatedLists } = readRecord(received);
    const more = droppedCount - droppedPaths.length;
    const named = droppedPaths.join(', ') + (more > 0 ? ` and ${more} more` : '');
    if (droppedCount > 0)
      messages.warn(
        `The service sent values of an unexpected type, which carbon does not show: ${named}. Use --json to see them.`,
      );
    if (truncatedLists.length > 0)
      messages.warn(
        `carbon shows the first ${maxListItems} items of ${truncatedLists.join(', ')}. Use --json to see all.`,
      );
    return record;
  };
}

/** Prints how to end the list when a person types ids. */
export function reportTyping({ messages }: Session, { isTyped }: GivenIds): void {
  if (isTyped) messages.hint('Type one ID per line; Ctrl-D ends the list.');
}

/** Prints how many lines of standard input were skipped because they came from failed items. */
export function reportSkipped({ messages }: Session, { failedBefore }: GivenIds): void {
  if (failedBefore > 0)
    messages.warn(
      `Skipped in standard input: ${failedBefore} ${failedBefore === 1 ? 'line that reports' : 'lines that report'} an earlier failure.`,
    );
}

function idLine(record: Organization): string {
  const { id, name } = readReference(record);
  if (id !== undefined) return `${sanitize(String(id))}\n`;
  const which = name === undefined ? '' : ` (${name})`;
  throw new HintedError(
    'unreadable_response',
    `The service sent a record without a usable ID${which}`,
    {
      hint: 'Use --json to see the record.',
    },
  );
}
