/* The rows that `--rows` selects by any column of the file. */

import { UsageError } from '../../runtime/carbon-error.ts';
import { normalizeCell } from '../../table/cell.ts';
import { findColumn } from '../../table/map-option.ts';

/** Checks whether the cells of a row are selected. */
export type RowSelection = (cells: readonly string[]) => boolean;

/**
 * Parses the values of `--rows`, such as `BlArt=KR` and `Status!=Void`. Several values of one column
 * select rows with any of them; different columns must all fit. Case is ignored.
 *
 * @throws UsageError for a value in another form, and for a column that the file does not have
 */
export function parseSelection(
  texts: readonly string[],
  header: readonly string[],
): RowSelection | undefined {
  if (texts.length === 0) return undefined;
  const wanted = new Map<number, Set<string>>();
  const unwanted = new Map<number, Set<string>>();
  for (const text of texts) {
    const [, column = '', operator, value = ''] = /^([^=!]+)(!?=)(.*)$/s.exec(text) ?? [];
    if (operator === undefined) {
      throw new UsageError(
        `--rows: "${text}" is not column=value`,
        'Name a column and its value, such as --rows BlArt=KR, or --rows "Status!=Void" to leave rows out.',
      );
    }
    const name = column.trim().replace(/^"(.*)"$/, '$1');
    const index = findColumn(header, name, 'rows');
    const lists = operator === '=' ? wanted : unwanted;
    const values = lists.get(index) ?? new Set();
    lists.set(index, values);
    values.add(fold(value));
  }
  return (cells) =>
    [...wanted].every(([index, values]) => values.has(fold(cells[index] ?? ''))) &&
    ![...unwanted].some(([index, values]) => values.has(fold(cells[index] ?? '')));
}

function fold(cell: string): string {
  return normalizeCell(cell).toLowerCase();
}
