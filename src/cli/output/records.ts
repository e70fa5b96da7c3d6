/* Where the records go that `get`, `watch` and `register` retrieve. */
import { readReference } from '../../client/api/ids.ts';
import type { RecordResponse } from '../../client/api/responses.ts';
import type { Items } from '../../client/api/scheduler.ts';
import type { Organization } from '../../client/api/schema.ts';
import type { renderFrame } from '../../display/terminal/columns.ts';
import { andMore } from '../../display/terminal/format.ts';
import type { RecordRow } from '../../portfolio/organizations/columns.ts';
import type { Kept } from '../../portfolio/organizations/tables.ts';
import { type CarbonError, HintedError } from '../../runtime/carbon-error.ts';
import { dayAt } from '../../runtime/clock.ts';
import { errorObject } from '../errors.ts';
import type { Session } from '../session.ts';
import type { OutFile } from './out-file.ts';
import { byForm, isForm, type Result, show } from './show.ts';

/** A record as received, or in a stream of JSON the line of a failure. */
export type Received = Pick<RecordResponse, 'json' | 'record'> & Partial<RecordResponse>;

export interface Answer {
  readonly response?: RecordResponse | undefined;
  readonly error?: CarbonError | undefined;
}

interface RecordOptions {
  /** Whether there may be several records, which people see as a table. */
  readonly several?: boolean;
  readonly out?: OutFile | undefined;
  /** That of the figures, for a file. */
  readonly currency?: string | undefined;
  /** That of the emissions, if the user declares it. */
  readonly unit?: string | undefined;
  /** Whether people see every field of each record. */
  readonly full?: boolean | undefined;
}

/** Shows records as they arrive; a table in a terminal and a file wait for the last one. */
export async function showRecords(
  session: Session,
  items: Items<Received>,
  options: RecordOptions = {},
): Promise<void> {
  const { several = false, out, full = false } = options;
  const kept = () => keep(session, items, options);
  const streams = out === undefined && byForm(session, { terminal: false, other: true });
  const result: Result<Kept | RecordRow> = {
    ...(full
      ? everyField(session, items, options)
      : several
        ? {}
        : eachAlone(session, items, options)),
    json: each(items, ({ json }) => json),
    ids: idsOf(items),
    table: async () => (streams ? streamed(session, items, options) : (await kept())?.table),
    fileLines: async () => (await kept())?.table.rows.map(({ line = '' }) => line),
    workbook: () => workbookOf(session, items, options),
  };
  await show(session, result, out);
}

async function* each<Item, Value>(items: Items<Item>, read: (item: Item) => Value) {
  for await (const item of items) yield read(item);
}

/* Yields each ID once. */
async function* idsOf(items: Items<Received>) {
  const seen = new Set<string>();
  for await (const { record } of items) {
    const error = withoutId(record);
    if (error !== undefined) throw error;
    const { id } = readReference(record);
    const text = String(id);
    if (!seen.has(text)) yield text;
    seen.add(text);
  }
}

/* The first response may be what says that data is synthetic, so a view is read after it. */
function everyField(
  session: Session,
  items: Items<Received>,
  { unit }: Pick<RecordOptions, 'unit'>,
): Pick<Result, 'text' | 'terminal'> {
  async function* texts(frame?: typeof renderFrame) {
    const { renderEveryField } = await import('./every-field.ts');
    let before = '';
    const day = dayAt(session.context.clock.now());
    for await (const received of items) {
      const view = { ...session.view, unit: unit ?? null, day };
      yield before + renderEveryField(received, view, frame);
      before = '\n';
    }
  }
  return {
    text: () => texts(),
    async *terminal() {
      const { renderFrame } = await import('../../display/terminal/columns.ts');
      yield* texts(renderFrame);
    },
  };
}

function eachAlone(
  session: Session,
  items: Items<Received>,
  { unit }: Pick<RecordOptions, 'unit'>,
): Pick<Result, 'text' | 'terminal'> {
  const checked = warningOf(session);
  const texts = (render: 'renderOrganization' | 'renderPlainOrganization') =>
    async function* () {
      const organization = await import('./organization.ts');
      const day = dayAt(session.context.clock.now());
      for await (const received of items)
        yield organization[render](checked(received), { ...session.view, unit: unit ?? null, day });
    };
  return { text: texts('renderPlainOrganization'), terminal: texts('renderOrganization') };
}

/* Reads all records, and returns what a table has of each; undefined without a record. */
async function keep(session: Session, items: Items<Received>, options: RecordOptions) {
  const [{ keep, keptColumns, organizationRow, organizationTable }, { usualShape }] =
    await Promise.all([
      import('../../portfolio/organizations/tables.ts'),
      import('./record-shapes.ts'),
    ]);
  const { out, currency, unit = null } = options;
  const shape = usualShape(session, organizationTable, out);
  const checked = warningOf(session);
  const { service } = session.identity();
  const rows: Kept[] = [];
  for await (const received of items) {
    const { json } = received;
    const retrievedAt = new Date(session.context.clock.now()).toISOString();
    const source = { service, currency, retrievedAt, json: () => json };
    rows.push(keep(shape, organizationRow(checked(received)), source));
  }
  if (rows.length === 0) return undefined;
  const table = {
    name: organizationTable.sheet,
    columns: keptColumns(shape.columns, shape.texts),
    rows,
    isUsual: true,
    unit,
    // A response of any service may say so.
    synthetic: rows.some(({ isSynthetic }) => isSynthetic),
  };
  return { table, shape };
}

/*
 * Standard output has the rows of a pipe and of CSV as they arrive. Their numbers have no unit, as
 * programs add them up.
 */
async function streamed(
  session: Session,
  items: Items<Received>,
  { unit }: Pick<RecordOptions, 'unit'>,
) {
  const [{ organizationRow, organizationTable }, { usualShape }] = await Promise.all([
    import('../../portfolio/organizations/tables.ts'),
    import('./record-shapes.ts'),
  ]);
  if (unit !== undefined) await printUnit(session, unit);
  const { columns } = usualShape(session, organizationTable, undefined);
  const checked = warningOf(session);
  return { name: '', columns, rows: each(items, (received) => organizationRow(checked(received))) };
}

async function printUnit({ messages }: Session, unit: string): Promise<void> {
  const [{ capital }, { unitInWords }] = await Promise.all([
    import('../../display/terminal/text.ts'),
    import('../../portfolio/organizations/statements.ts'),
  ]);
  messages.print({ level: 'progress', text: `${capital(unitInWords(unit))}.` });
}

async function workbookOf(session: Session, items: Items<Received>, options: RecordOptions) {
  const [{ recordSheets }, { unitOnSheet }] = await Promise.all([
    import('./record-sheets.ts'),
    import('../../portfolio/organizations/statements.ts'),
  ]);
  const kept = await keep(session, items, options);
  if (kept === undefined) return undefined;
  const { table, shape } = kept;
  const { unit = null } = options;
  const sheets = await recordSheets({ ...table, unit }, shape, table.rows);
  return {
    ...sheets,
    summary: () => ({
      isSynthetic: session.view.synthetic || table.synthetic,
      notes: [
        ['Records', 'Retrieved from the service'] as const,
        ['Unit of emissions', unitOnSheet(unit)] as const,
      ],
    }),
  };
}

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
  const needsId = isForm(session, 'ids');
  const failed = error ?? (needsId && response ? withoutId(response.record) : undefined);
  if (failed !== undefined && !several) throw failed;
  if (failed !== undefined) return { items: failureOf(session, failed), failed };
  return { items: response === undefined ? [] : [response], failed };
}

/* Returns the line of a failed item of a stream of JSON; otherwise prints its error. */
function failureOf(session: Session, error: CarbonError): readonly Received[] {
  const { id } = error;
  if (isForm(session, 'json')) {
    // A number, as in records.
    const item = id !== undefined && /^\d{1,15}$/.test(id) ? Number(id) : id;
    return [
      { json: JSON.stringify({ ok: false, id: item, error: errorObject(error) }), record: {} },
    ];
  }
  session.messages.error(error, id);
  return [];
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
