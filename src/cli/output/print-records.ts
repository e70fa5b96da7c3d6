import type { RecordResponse } from '../../api/http/response.ts';
import { isSameId, type OrganizationId, readReference } from '../../api/reference.ts';
import type { Organization } from '../../api/schema.ts';
import { HintedError } from '../../runtime/carbon-error.ts';
import { sanitize } from '../../terminal/sanitize.ts';
import type { GivenIds } from '../parse-ids.ts';
import type { Session } from '../session.ts';

/**
 * Prints one record to standard output in the format of the session, and waits until the reader has
 * caught up.
 * @param asItem whether the record is one of several, which a pipe shows as table lines
 */
export async function printRecord(
  session: Session,
  received: RecordResponse,
  asItem: boolean,
): Promise<void> {
  await print(session, received, asItem);
  await session.context.stdout.drained;
}

/**
 * Warns when the service sends the record of another organization than the requested one. A record
 * without a usable id counts as the requested one.
 * @throws HintedError in the format `ids`: later commands would work on the other organization
 */
export function checkIdentity(
  session: Session,
  received: RecordResponse & { readonly id?: OrganizationId },
  requestedId: string,
): void {
  const id = received.id ?? readReference(received.record).id;
  if (id === undefined || isSameId(id, requestedId)) return;
  const problem = `The service sent the record of organization ${id} for organization ${requestedId}`;
  if (session.format !== 'ids') session.messages.warn(`${problem}.`);
  else
    throw new HintedError('unreadable_answer', problem, {
      id: requestedId,
      hint: 'Use --json to see the record.',
    });
}

async function print(session: Session, received: RecordResponse, asItem: boolean): Promise<void> {
  const { format, view } = session;
  if (format === 'json') return session.printJson(received.json);
  if (format === 'ids') return printId(session, received.record);
  if (asItem && format === 'human' && !view.terminal) return printTable(session, [received.record]);
  const record = await checked(session, received.record);
  if (format === 'csv') return session.printCsv(record);
  const { renderOrganization } = await import('./organization/organization.ts');
  session.print(renderOrganization(record, view));
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

/* Modules that each record needs; Node searches for a module in every import. */
let table: typeof import('./table.ts') | undefined;
let reading: typeof import('../../api/read-record.ts') | undefined;

/** Prints records as a table of organizations. */
export async function printTable(
  session: Session,
  records: readonly Organization[],
): Promise<void> {
  const rows = await Promise.all(records.map((record) => checked(session, record)));
  table ??= await import('./table.ts');
  session.print(table.renderOrganizations(rows, session.view));
}

/** Returns the record without values of unexpected types, and warns about those it leaves out. */
export async function checked(session: Session, received: Organization): Promise<Organization> {
  reading ??= await import('../../api/read-record.ts');
  const { maxListItems, readRecord } = reading;
  const { record, oddities, oddityCount, cutLists } = readRecord(received);
  if (session.format === 'json') return record;
  if (oddityCount > 0) {
    const more = oddityCount - oddities.length;
    const { count } = await import('../../terminal/format.ts');
    const named = oddities.join(', ') + (more > 0 ? ` and ${count.format(more)} more` : '');
    session.messages.warn(
      `The service sent values of an unexpected type, which carbon does not show: ${named}. Use --json to see them.`,
    );
  }
  if (cutLists.length > 0) {
    const { count } = await import('../../terminal/format.ts');
    const limit = count.format(maxListItems);
    session.messages.warn(
      `The service sent more than ${limit} items in ${cutLists.join(', ')}; carbon shows the first ${limit}. Use --json to see all.`,
    );
  }
  return record;
}

function printId(session: Session, record: Organization): void {
  const { id, name } = readReference(record);
  if (id === undefined) {
    const which = name === undefined ? '' : ` (${name})`;
    throw new HintedError(
      'unreadable_answer',
      `The service sent a record without a usable id${which}`,
      {
        hint: 'Use --json to see the record.',
      },
    );
  }
  session.print(`${sanitize(String(id))}\n`);
}
