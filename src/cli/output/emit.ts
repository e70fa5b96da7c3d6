/* Where the result of a command goes: standard output in the format of the session, or a file. */
import { setImmediate as turn } from 'node:timers/promises';
import type { Items } from '../../client/api/scheduler.ts';
import type { Column } from '../../display/query/query.ts';
import { fieldText } from '../../display/terminal/format.ts';
import { sanitize } from '../../display/terminal/sanitize.ts';
import { type CsvValue, renderCsvLine } from '../../lists/table/output-cell.ts';
import type { SummaryContent } from '../../lists/table/summary-sheet.ts';
import type { SheetContent } from '../../lists/workbook/sheet-xml.ts';
import { UsageError } from '../../runtime/carbon-error.ts';
import type { Session } from '../session.ts';
import type { OutFile, OutOptions } from './out-file.ts';

export interface Table<Row> {
  readonly name: string;
  /** The columns of CSV, workbooks and pipes; a terminal has those with a title. */
  readonly columns: readonly Column<Row>[];
  /** Returns the ID for -q; nothing is printed if it is missing, or twice. */
  idOf?(row: Row): CsvValue;
  /** Returns the JSON of a row, if it is not the row itself; for .ndjson with a line feed. */
  jsonOf?(row: Row): string | undefined;
  readonly isUsual?: boolean;
  /** Whether a terminal says that the data is synthetic. */
  readonly synthetic?: boolean;
  readonly sheets?: readonly SheetContent[];
  /** The title of a workbook; by default, the name of the table. */
  readonly title?: string | undefined;
  /** Returns what the first sheet of a workbook says. */
  readonly summary?: (() => SummaryContent) | undefined;
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
 * Checks that a title has a page to stand on.
 * @throws UsageError if the output is no page
 */
export function checkTitle(title: string | undefined, out: OutFile | undefined): void {
  if (title !== undefined && out?.extension !== '.html')
    throw new UsageError('--title applies only to a page', 'Name the page: -o page.html.');
}

/**
 * Prints rows in the format of the session, or writes them to a file, as they arrive. Only a table
 * for a terminal waits for the last one.
 * @param out the file of -o, if there is one
 */
export async function emit<Row>(
  session: Session,
  table: Table<Row>,
  rows: Items<Row>,
  out: OutFile | undefined,
): Promise<void> {
  const { name, columns, sheets, title, summary } = table;
  if (out === undefined) return print(session, table, rows);
  if (out.extension === '.ndjson') {
    async function* lines() {
      for await (const row of rows) yield jsonOf(table, row);
    }
    return out.writeLines(lines());
  }
  async function* cells() {
    for await (const row of rows) yield columns.map(({ value }) => value(row));
  }
  const frozen = frozenColumns(columns);
  await out.writeTable({ name, columns, rows: cells(), title, summary, frozen }, sheets);
}

/* The column of the name stays in view while scrolling, if it is one of the first. */
const maxFrozen = 3;

function frozenColumns<Row>(columns: readonly Column<Row>[]): number {
  const index = columns.findIndex(({ kind }) => kind === 'name');
  return index < maxFrozen ? index + 1 : 0;
}

/* Returns what renders a row for a pipe or as CSV, or any row as JSON or its ID. */
function renderer<Row>(session: Session, table: Table<Row>): (row: Row) => string {
  const { format, view } = session;
  const { columns } = table;
  if (format === 'json')
    return table.jsonOf === undefined && !view.terminal
      ? (row) => `${jsonOf(table, row)}\n`
      : (row) => session.jsonLine(jsonOf(table, row));
  if (format === 'ids') {
    const seen = new Set(['']);
    return (row) => {
      const id = sanitize(String(table.idOf?.(row) ?? ''));
      if (seen.has(id)) return '';
      seen.add(id);
      return `${id}\n`;
    };
  }
  return format === 'csv'
    ? (row) => renderCsvLine(columns.map(({ value }) => value(row)))
    : (row) => renderTabbed(columns, row);
}

async function printTable<Row>(
  session: Session,
  { columns, isUsual, synthetic = false }: Table<Row>,
  rows: Items<Row>,
): Promise<void> {
  const { view } = session;
  const all: Row[] = [];
  for await (const row of rows) all.push(row);
  const { renderTable } = await import('./table.ts');
  const titled = columns.filter(({ title }) => title !== undefined);
  const shown = titled.length > 0 ? titled : columns;
  const isSynthetic = view.synthetic || synthetic;
  session.print(renderTable(shown, all, { ...view, synthetic: isSynthetic }, isUsual));
}

/**
 * Renders a row as fields between tabs, with every digit of a number; missing data is empty. A last
 * field `synthetic` marks data of the sandbox.
 */
export function renderTabbed<Row>(columns: readonly Column<Row>[], row: Row): string {
  const fields = columns.map(({ kind, value }) => {
    const field = value(row);
    return fieldText(kind === 'synthetic' && field === true ? 'synthetic' : field);
  });
  if (columns.at(-1)?.kind === 'synthetic' && fields.at(-1) === '') fields.pop();
  return `${fields.join('\t')}\n`;
}

function jsonOf<Row>(table: Table<Row>, row: Row): string {
  return table.jsonOf?.(row) ?? JSON.stringify(row);
}

/* A system call for each line would take longer than the rest. */
const maxPending = 1 << 15;
const maxPendingMs = 10;

const writesPerTurn = 8;

/*
 * Writes lines a moment after they arrive, several at once. Waits for the reader, and lets the
 * event loop turn now and then, so that a signal can be handled.
 */
async function print<Row>(session: Session, table: Table<Row>, rows: Items<Row>): Promise<void> {
  const { format, view, context } = session;
  const { clock, signal, stdout } = context;
  if (format === 'human' && view.terminal) return printTable(session, table, rows);
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
    for await (const row of rows) {
      pending += render(row);
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
