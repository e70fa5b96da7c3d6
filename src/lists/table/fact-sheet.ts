/* Turns a table of facts into a sheet: its titles as the header, and numbers as numbers. */
import { kindOf } from '../../display/query/kinds.ts';
import type { Column } from '../../display/query/query.ts';
import type { FactTable } from '../../display/terminal/section.ts';
import { capital } from '../../display/terminal/text.ts';
import type { SheetContent } from '../workbook/sheet-xml.ts';
import { outputSheet } from './output-sheet.ts';

/**
 * Returns the sheet of a table, with the unit of emissions in the header, and without columns that
 * have no value.
 * @param name by default, the title of the table
 * @param isList whether each row is for someone to work on, so that the table is a sheet of its own
 */
export function factSheet<Row>(
  { title, head, label, levelOf, key, columns, rows, unit }: FactTable<Row>,
  { name = title, isList = false }: { readonly name?: string; readonly isList?: boolean } = {},
): SheetContent {
  const known = columns.filter(({ value }) => rows.some((row) => (value(row) ?? '') !== ''));
  const headerOf = ({ heading, title: header, name: other, kind }: Column<Row>) => {
    const words = capital(heading || header || other);
    return unit && kindOf(kind).hasUnit ? `${words} (${unit})` : words;
  };
  const sheet = outputSheet({
    name,
    columns: [
      { name: head, kind: key?.kind ?? 'name' },
      ...known.map((column) => ({
        name: headerOf(column),
        kind: column.kind,
        isFolded: column.isFolded,
      })),
    ],
    frozen: 1,
    rows: rows.map((row) => [
      key?.value(row) ?? label(row),
      ...known.map(({ value, inWords }) => (inWords?.value ?? value)(row)),
    ]),
  });
  return { ...sheet, isShort: !isList, levels: levelOf && rows.map(levelOf) };
}
