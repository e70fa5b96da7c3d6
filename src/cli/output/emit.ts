/* Where the result of a command goes: standard output in the format of the session, or a file. */
import { setImmediate as turn } from 'node:timers/promises';
import type { Items } from '../../api/scheduler.ts';
import type { Column } from '../../query/query.ts';
import { type CsvValue, renderCsvLine } from '../../table/output-cell.ts';
import { fieldText } from '../../terminal/format.ts';
import { sanitize } from '../../terminal/sanitize.ts';
import type { SheetContent } from '../../workbook/write-workbook.ts';
import type { Session } from '../session.ts';
import type { OutFile, OutOptions } from './out-file.ts';

export interface Table<Item, Row = Item> {
  readonly name: string;
  /** The columns of CSV, workbooks and pipes; a terminal has those with a title. */
  readonly columns: readonly Column<Row>[];
  /** Returns the rows of an item, if it is not a row itself. */
  rowsOf?(item: Item): readonly Row[];
  /** Returns the ID for -q; nothing is printed if it is missing, or twice. */
  idOf?(item: Item): CsvValue;
  /** Returns the JSON of an item, if it is not the item itself; for .ndjson with a line feed. */
  jsonOf?(item: Item): string;
  /** Yields the text for a terminal, if it is no table. */
  text?(items: readonly Item[]): Iterable<string>;
  readonly isUsual?: boolean;
  /** Whether a terminal says that the data is synthetic. */
  readonly synthetic?: boolean;
  readonly sheets?: readonly SheetContent[];
}

/** The values of a row, or their texts for a terminal; the row itself is not kept. */
export type Cells = readonly CsvValue[];

/**
 * Returns columns that read the cells which were kept of a row.
 * @param haveTexts whether cells of columns with a text are that text
 */
export function cellColumns<Row>(
  columns: readonly Column<Row>[],
  haveTexts = false,
): Column<Cells>[] {
  return columns.map(({ text, ...column }, index) => ({
    ...column,
    value: (cells) => cells[index],
    ...(text && haveTexts ? { text: (cells: Cells) => String(cells[index] ?? '') } : {}),
  }));
}

export async function openOut(
  session: Session,
  path: string | undefined,
  options: OutOptions,
): Promise<OutFile | undefined> {
  if (path === undefined) return undefined;
  const { OutFile } = await import('./out-file.ts');
  return OutFile.open(session, path, options);
}

/**
 * Prints items in the format of the session, or writes them to a file, as they arrive. Only a table
 * for a terminal waits for the last one.
 * @param out the file of -o, if there is one
 */
export async function emit<Item, Row>(
  session: Session,
  table: Table<Item, Row>,
  items: Items<Item>,
  out: OutFile | undefined,
): Promise<void> {
  const { name, columns, sheets } = table;
  if (out === undefined) return print(session, table, items);
  if (out.extension === '.ndjson')
    return out.writeLines(async (write) => {
      for await (const item of items) await write(jsonOf(table, item));
    });
  const rows = rowsOfAll(table, items);
  await out.writeTable({ name, columns: columns.map((column) => column.name), rows }, sheets);
}

/* Returns what renders an item for a pipe or a file, or any item as JSON or IDs. */
function renderer<Item, Row>(session: Session, table: Table<Item, Row>): (item: Item) => string {
  const { format, view } = session;
  if (format === 'json')
    return table.jsonOf === undefined && !view.terminal
      ? (item) => `${jsonOf(table, item)}\n`
      : (item) => session.jsonLine(jsonOf(table, item));
  if (format === 'ids') {
    const seen = new Set(['']);
    return (item) => {
      const id = sanitize(String(table.idOf?.(item) ?? ''));
      return seen.size < seen.add(id).size ? `${id}\n` : '';
    };
  }
  const line =
    format === 'csv'
      ? (row: Row) => renderCsvLine(valuesOf(table, row))
      : (row: Row) => renderTabbed(table.columns, row);
  return (item) => rowsOf(table, item).map(line).join('');
}

async function printTable<Item, Row>(
  session: Session,
  table: Table<Item, Row>,
  items: Items<Item>,
): Promise<void> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  if (table.text !== undefined) {
    for (const text of table.text(all)) session.print(text);
    return;
  }
  const { renderTable } = await import('./table.ts');
  const titled = table.columns.filter(({ title }) => title !== undefined);
  const shown = titled.length > 0 ? titled : table.columns;
  const rows = all.flatMap((item) => rowsOf(table, item));
  const synthetic = session.view.synthetic || table.synthetic === true;
  session.print(renderTable(shown, rows, { ...session.view, synthetic }, table.isUsual));
}

/**
 * Renders a row as fields between tabs, with every digit of a number; missing data is empty. A last
 * field `synthetic` marks data of the sandbox.
 */
export function renderTabbed<Row>(columns: readonly Column<Row>[], row: Row): string {
  const fields = columns.map(({ name, value }) => {
    const field = value(row);
    return fieldText(name === 'synthetic' && field === true ? name : field);
  });
  if (columns.at(-1)?.name === 'synthetic' && fields.at(-1) === '') fields.pop();
  return `${fields.join('\t')}\n`;
}

function valuesOf<Item, Row>({ columns }: Table<Item, Row>, row: Row): CsvValue[] {
  return columns.map(({ value }) => value(row));
}

async function* rowsOfAll<Item, Row>(
  table: Table<Item, Row>,
  items: Items<Item>,
): AsyncGenerator<CsvValue[]> {
  for await (const item of items) for (const row of rowsOf(table, item)) yield valuesOf(table, row);
}

function rowsOf<Item, Row>({ rowsOf: read }: Table<Item, Row>, item: Item): readonly Row[] {
  return read === undefined ? [item as unknown as Row] : read(item);
}

function jsonOf<Item, Row>(table: Table<Item, Row>, item: Item): string {
  return table.jsonOf?.(item) ?? JSON.stringify(item);
}

/* A system call for each line would take longer than the rest. */
const maxPending = 1 << 15;
const maxPendingMs = 10;

const writesPerTurn = 8;

/*
 * Writes lines a moment after they arrive, several at once. Waits for the reader, and lets the
 * event loop turn now and then, so that a signal can be handled.
 */
async function print<Item, Row>(
  session: Session,
  table: Table<Item, Row>,
  items: Items<Item>,
): Promise<void> {
  const { format, view, context } = session;
  const { clock, signal, stdout } = context;
  if (format === 'human' && view.terminal) return printTable(session, table, items);
  const render = renderer(session, table);
  let pending = format === 'csv' ? renderCsvLine(table.columns.map(({ name }) => name)) : '';
  let writes = 0;
  let cancel: (() => void) | undefined;
  const write = () => {
    cancel?.();
    cancel = undefined;
    session.print(pending);
    pending = '';
  };
  try {
    for await (const item of items) {
      pending += render(item);
      cancel ??= clock.after(maxPendingMs, write);
      if (pending.length >= maxPending) {
        write();
        if (writes++ % writesPerTurn === 0) await turn();
        signal.throwIfAborted();
      }
      const { drained } = stdout;
      if (drained !== undefined) await drained;
    }
  } finally {
    if (cancel !== undefined) write();
  }
  write();
  await stdout.drained;
}
