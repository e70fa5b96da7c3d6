import { isSameId, readReference } from '../../api/ids.ts';
import type { RecordResponse } from '../../api/responses.ts';
import type { Organization } from '../../api/schema.ts';
import { HintedError } from '../../runtime/carbon-error.ts';
import { sanitize } from '../../terminal/sanitize.ts';
import type { GivenIds } from '../parse-ids.ts';
import type { Session } from '../session.ts';

/** Prints a record to standard output. */
export type PrintRecord = (received: RecordResponse) => void;

/**
 * Returns what prints records to standard output in the format of the session.
 * @param asItem whether each record is one of several, which a pipe shows as table lines
 */
export async function recordPrinter(session: Session, asItem: boolean): Promise<PrintRecord> {
  const { format, view } = session;
  if (format === 'json') return ({ json }) => session.printJson(json);
  if (format === 'ids') return ({ record }) => printId(session, record);
  const { checked } = await import('./checked-record.ts');
  if (format === 'csv') {
    const { renderCsvHeader, renderCsvRow } = await import('./csv.ts');
    return ({ record }) => {
      const row = renderCsvRow(checked(session, record));
      session.print(session.needsCsvHeader() ? renderCsvHeader() + row : row);
    };
  }
  if (asItem && !view.terminal) {
    const { renderOrganizations } = await import('./table.ts');
    return ({ record }) =>
      session.print(renderOrganizations([checked(session, record)], session.view));
  }
  const { renderOrganization } = await import('./organization.ts');
  return ({ record }) => session.print(renderOrganization(checked(session, record), session.view));
}

/**
 * Prints one record to standard output in the format of the session, and waits until the reader has
 * caught up.
 * @param asItem as in `recordPrinter`
 */
export async function printRecord(
  session: Session,
  received: RecordResponse,
  asItem: boolean,
): Promise<void> {
  const print = await recordPrinter(session, asItem);
  print(received);
  await session.context.stdout.drained;
}

/**
 * Checks that a record is that of the requested organization. A record without a usable id counts
 * as such.
 * @throws HintedError for another organization, whose figures would be taken for the requested one's
 */
export function checkIdentity({ record }: RecordResponse, requestedId: string): void {
  const { id } = readReference(record);
  if (id === undefined || isSameId(id, requestedId)) return;
  const problem = `The service sent the record of organization ${id} for organization ${requestedId}`;
  throw new HintedError('unreadable_response', problem, {
    id: requestedId,
    hint: `To see the record, run carbon api organizations/${requestedId}`,
  });
}

/** Prints how to end the list when a person types ids. */
export function reportTyping({ messages }: Session, { isTyped }: GivenIds): void {
  if (isTyped) messages.hint('Type one id per line; Ctrl-D ends the list.');
}

/** Prints how many lines of standard input were skipped because they came from failed items. */
export function reportSkipped({ messages }: Session, { failedBefore }: GivenIds): void {
  if (failedBefore === 0) return;
  messages.warn(
    failedBefore === 1
      ? 'carbon skipped 1 line of standard input that reports an earlier failure.'
      : `carbon skipped ${failedBefore} lines of standard input that report earlier failures.`,
  );
}

/** Prints records as a table of organizations. */
export async function printTable(
  session: Session,
  records: readonly Organization[],
): Promise<void> {
  const [{ checked }, { renderOrganizations }] = await Promise.all([
    import('./checked-record.ts'),
    import('./table.ts'),
  ]);
  const rows = records.map((record) => checked(session, record));
  session.print(renderOrganizations(rows, session.view));
}

function printId(session: Session, record: Organization): void {
  const { id, name } = readReference(record);
  if (id === undefined) {
    const which = name === undefined ? '' : ` (${name})`;
    throw new HintedError(
      'unreadable_response',
      `The service sent a record without a usable id${which}`,
      {
        hint: 'Use --json to see the record.',
      },
    );
  }
  session.print(`${sanitize(String(id))}\n`);
}
