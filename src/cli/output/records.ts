/* Where the records go that `get`, `watch` and `register` retrieve. */
import { readReference } from '../../client/api/ids.ts';
import type { RecordResponse } from '../../client/api/responses.ts';
import type { Items } from '../../client/api/scheduler.ts';
import type { Organization } from '../../client/api/schema.ts';
import { andMore } from '../../display/terminal/format.ts';
import type { Kept, RecordTable, Shape } from '../../portfolio/organizations/tables.ts';
import type { RecordSource } from '../../portfolio/records/records.ts';
import { type CarbonError, HintedError } from '../../runtime/carbon-error.ts';
import type { Session } from '../session.ts';
import { emit, openOut, type Table } from './emit.ts';
import type { OutFile } from './out-file.ts';

/** A record as received, or in a stream of JSON the line of a failure. */
export type Received = Pick<RecordResponse, 'json' | 'record'> & Partial<RecordResponse>;

export type RecordShape = Shape<RecordSource>;

export interface Answer {
  readonly response?: RecordResponse | undefined;
  readonly error?: CarbonError | undefined;
}

export function openRecordFile(
  session: Session,
  path: string | undefined,
  inputs: readonly string[] = [],
): Promise<OutFile | undefined> {
  return openOut(session, path, { extensions: ['.xlsx', '.csv', '.ndjson'], inputs });
}

/** Returns what standard output has of each record if nobody chose the columns. */
export function usualShape(
  { written, terminal, pipe }: RecordTable,
  { format, view }: Pick<Session, 'format' | 'view'>,
): RecordShape {
  if (format === 'csv') return { columns: written };
  return view.terminal ? { columns: terminal, texts: 'compact' } : { columns: pipe };
}

/**
 * Prints or writes records as they arrive; a table and a file wait for the last one.
 * @param options.several whether there may be several records, which people see as a table
 * @param options.currency that of the figures, for a file
 * @param options.full whether people see every field of each record
 */
export async function emitRecords(
  session: Session,
  items: Items<Received>,
  options: {
    readonly several?: boolean;
    readonly out?: OutFile | undefined;
    readonly currency?: string | undefined;
    readonly full?: boolean | undefined;
  } = {},
): Promise<void> {
  const { format } = session;
  const { several = false, out, currency, full = false } = options;
  if (format === 'json' || format === 'ids') return emit(session, received, items, undefined);
  if (full) {
    const [{ renderEveryField }, { renderFrame }] = await Promise.all([
      import('./every-field.ts'),
      import('../../display/terminal/columns.ts'),
    ]);
    const { view } = session;
    let isFirst = true;
    for await (const { json } of items) {
      const text = renderEveryField(json, view, view.terminal ? renderFrame : undefined);
      session.print(isFirst ? text : `\n${text}`);
      isFirst = false;
    }
    return;
  }
  const checked = warningOf(session);
  if (out === undefined && format === 'human' && !several) {
    const { renderOrganization } = await import('./organization.ts');
    for await (const received of items)
      session.print(renderOrganization(checked(received), session.view));
    return;
  }
  const [{ organizationRow, organizationTable: table, keep, keptColumns }, file] =
    await Promise.all([
      import('../../portfolio/organizations/tables.ts'),
      out && import('./record-file.ts'),
    ]);
  const shape = out && file ? file.fileShape(out, table) : usualShape(table, session);
  if (shape.texts === undefined && file === undefined) {
    const rows = (async function* () {
      for await (const received of items) yield organizationRow(checked(received));
    })();
    return emit(session, { name: '', columns: shape.columns }, rows, undefined);
  }
  const columns = keptColumns(shape.columns, shape.texts);
  const { service } = session.identity();
  const rows: Kept[] = [];
  for await (const received of items) {
    const { json } = received;
    const retrievedAt = new Date(session.context.clock.now()).toISOString();
    const source = { service, currency, retrievedAt, json: () => json };
    rows.push(keep(shape, organizationRow(checked(received)), source));
  }
  // Without a record, a file does not change.
  if (rows.length === 0) return;
  const shown = {
    name: table.sheet,
    columns,
    jsonOf: (row: Kept) => row.json,
    isUsual: true,
    // A response of any service may say so.
    synthetic: rows.some(({ isSynthetic }) => isSynthetic),
    sheets: file?.furtherSheets(shape, rows) ?? [],
    summary: () => ({
      isSynthetic: session.view.synthetic || rows.some(({ isSynthetic }) => isSynthetic),
      notes: [['Records', 'Retrieved from the service'] as const],
      legend: file?.legendOf(columns),
    }),
  };
  await emit(session, shown, rows, out);
}

const received: Table<Received> = {
  name: '',
  columns: [],
  jsonOf: ({ json }) => json,
  idOf: ({ record }) => {
    const error = withoutId(record);
    if (error !== undefined) throw error;
    return readReference(record).id;
  },
};

/**
 * Returns what to print for an organization, and why it failed. The failure of one of several
 * concerns no other.
 * @throws the failure of an only one
 */
export function answerOf(
  session: Session,
  { response, error }: Answer,
  several = true,
): { readonly items: readonly Received[]; readonly failed: CarbonError | undefined } {
  const failed =
    error ?? (session.format === 'ids' && response ? withoutId(response.record) : undefined);
  if (failed !== undefined && !several) throw failed;
  if (failed !== undefined) return { items: session.failure(failed), failed };
  return { items: response === undefined ? [] : [response], failed };
}

function withoutId(record: Organization): CarbonError | undefined {
  const { id, name } = readReference(record);
  if (id !== undefined) return undefined;
  const which = name === undefined ? '' : ` (${name})`;
  return new HintedError(
    'unreadable_response',
    `The service sent a record without a usable ID${which}`,
    { hint: 'Use --json to see the record.' },
  );
}

/* Returns what warns about the values of unexpected types that a record lacks. */
function warningOf({ messages }: Session): (received: Received) => Organization {
  return ({ record, droppedPaths = [], droppedCount = 0 }) => {
    const named = andMore(droppedPaths.join(', '), droppedCount - droppedPaths.length);
    if (droppedCount > 0)
      messages.warn(
        `The service sent values of an unexpected type, which carbon does not show: ${named}. Use --json to see them.`,
      );
    return record;
  };
}
