/* Where the differences of diff and the findings of check go: standard output or a file. */
import { type CsvValue, renderCsvLine } from '../../table/output-cell.ts';
import { sanitize } from '../../terminal/sanitize.ts';
import type { Session } from '../session.ts';
import type { OutFile } from './out-file.ts';

/** The table of items of one kind, for CSV and workbooks. */
export interface ItemTable<Item> {
  /** The name of its sheet. */
  readonly name: string;
  readonly columns: readonly string[];
  rowsOf(item: Item): readonly (readonly CsvValue[])[];
}

/**
 * Prints items in the format of the session, or writes them to a file.
 * @param file the file of -o, if there is one
 * @param render returns the text for people
 */
export async function printItems<Item extends { readonly id: string | number | null }>(
  session: Session,
  items: readonly Item[],
  { name, columns, rowsOf }: ItemTable<Item>,
  file: OutFile | undefined,
  render: () => string,
): Promise<void> {
  const { format, context } = session;
  if (file !== undefined)
    return file.writeTable({ name, columns, rows: items.flatMap((item) => rowsOf(item)) });
  if (format === 'human') return session.print(render());
  if (format === 'csv') session.print(renderCsvLine(columns));
  const ids = new Set<string>();
  for (const item of items) {
    if (format === 'json') session.printJson(JSON.stringify(item));
    else if (format === 'csv') for (const row of rowsOf(item)) session.print(renderCsvLine(row));
    else {
      const id = sanitize(String(item.id ?? ''));
      if (id !== '' && !ids.has(id)) session.print(`${id}\n`);
      ids.add(id);
    }
    await context.stdout.drained;
  }
}
