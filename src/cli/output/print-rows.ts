/* Prints rows on standard output as they arrive, or as a table for a terminal. */
import { setImmediate as turn } from 'node:timers/promises';
import type { Items } from '../../client/api/scheduler.ts';
import type { Column } from '../../display/query/query.ts';
import { fieldText } from '../../display/terminal/format.ts';
import { sanitize } from '../../display/terminal/sanitize.ts';
import { type CsvValue, renderCsvLine } from '../../lists/table/output-cell.ts';
import type { Session } from '../session.ts';
import type { Table } from './show.ts';

/* A system call for each line would take longer than the rest. */
const maxPending = 1 << 15;
const maxPendingMs = 10;

const writesPerTurn = 8;

/**
 * Writes lines a moment after they arrive, several at once. Waits for the reader, and lets the
 * event loop turn now and then, so that a signal can be handled.
 * @param lineOf returns the line of a row, or nothing
 * @param head the first line
 */
export async function printRows<Row>(
  session: Session,
  rows: Items<Row>,
  lineOf: (row: Row) => string,
  head = '',
): Promise<void> {
  const { clock, signal, stdout } = session.context;
  let pending = head;
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
      pending += lineOf(row);
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

export async function printTable<Row>(
  session: Session,
  { columns, rows, isUsual, unit, synthetic = false }: Table<Row>,
): Promise<void> {
  const { view } = session;
  const all: Row[] = [];
  for await (const row of rows) all.push(row);
  const { renderTable } = await import('./table.ts');
  const titled = columns.filter(({ title }) => title !== undefined);
  const shown = titled.length > 0 ? titled : columns;
  const isSynthetic = view.synthetic || synthetic;
  session.print(renderTable(shown, all, { ...view, synthetic: isSynthetic, unit }, { isUsual }));
}

/** Returns the line of an ID; a missing one has none. */
export function idLine(id: CsvValue): string {
  const text = sanitize(String(id ?? ''));
  return text === '' ? '' : `${text}\n`;
}

/** Returns what makes the line of a row that has an ID which no earlier row had. */
export function newIdLine<Row>(idOf: (row: Row) => CsvValue): (row: Row) => string {
  const seen = new Set<string>();
  return (row) => {
    const line = idLine(idOf(row));
    if (seen.has(line)) return '';
    seen.add(line);
    return line;
  };
}

export function csvLine<Row>(columns: readonly Column<Row>[]): (row: Row) => string {
  return (row) => renderCsvLine(columns.map(({ value }) => value(row)));
}

export function csvHead<Row>(columns: readonly Column<Row>[]): string {
  return renderCsvLine(columns.map(({ name }) => name));
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
