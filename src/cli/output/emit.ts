/* Where the result of a command goes: standard output in the format of the session, or a file. */
import { setImmediate } from 'node:timers/promises';
import { type CsvValue, renderCsvLine } from '../../table/output-cell.ts';
import { sanitize } from '../../terminal/sanitize.ts';
import type { SheetContent } from '../../workbook/write-workbook.ts';
import type { Session } from '../session.ts';
import type { OutFile } from './out-file.ts';

/** How items of one kind are shown. */
export interface ItemTable<Item> {
  /** The name of its sheet. */
  readonly name: string;
  readonly columns: readonly string[];
  /** Returns the rows of an item in CSV and workbooks. */
  rowsOf(item: Item): readonly (readonly CsvValue[])[];
  /** Returns the ID of an item for -q; nothing is printed if it is missing, or twice. */
  idOf(item: Item): CsvValue;
  /** Yields the text of all items for people, in parts. */
  text(): Iterable<string>;
  /** Further sheets of a workbook. */
  readonly sheets?: readonly SheetContent[];
}

/**
 * Prints items in the format of the session, or writes them to a file.
 * @param file the file of -o, if there is one
 */
export async function emit<Item>(
  session: Session,
  items: readonly Item[],
  table: ItemTable<Item>,
  file: OutFile | undefined,
): Promise<void> {
  const { name, columns, sheets } = table;
  const { format } = session;
  if (file !== undefined)
    return file.writeTable({ name, columns, rows: items.flatMap(table.rowsOf) }, sheets);
  if (format === 'json') return emitJson(session, items, JSON.stringify);
  function* lines() {
    if (format === 'human') yield* table.text();
    else if (format === 'csv') {
      yield renderCsvLine(columns);
      for (const item of items) for (const row of table.rowsOf(item)) yield renderCsvLine(row);
    } else
      for (const id of new Set(items.map((item) => sanitize(String(table.idOf(item) ?? '')))))
        if (id !== '') yield `${id}\n`;
  }
  await printAll(session, lines(), (line) => session.print(line));
}

/**
 * Prints items as JSON, or writes them to a file as NDJSON.
 * @param jsonOf returns the JSON of an item; for a file, with a line feed
 */
export async function emitJson<Item>(
  session: Session,
  items: readonly Item[],
  jsonOf: (item: Item) => string,
  file?: OutFile,
): Promise<void> {
  if (file === undefined)
    return printAll(session, items, (item) => session.printJson(jsonOf(item)));
  await file.writeLines(async (write) => {
    for (const item of items) await write(jsonOf(item));
  });
}

const maxPartsPerTurn = 256;

/* Waits for the reader, and yields to the event loop, so that it can handle a signal. */
async function printAll<Part>(
  { context: { signal, stdout } }: Session,
  parts: Iterable<Part>,
  print: (part: Part) => void,
): Promise<void> {
  let count = 0;
  for (const part of parts) {
    if (count++ % maxPartsPerTurn === 0) await setImmediate();
    signal.throwIfAborted();
    print(part);
    await stdout.drained;
  }
}
