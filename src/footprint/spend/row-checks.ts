/* Checks of a row before its amount is read. */

import { UsageError } from '../../runtime/carbon-error.ts';
import type { Row } from '../../table/rows.ts';

/** Checks whether a cell of a workbook is a number, which has the same value in every language. */
export function isNumber({ kinds }: Row, column: number): boolean {
  return kinds?.[column] === 'number';
}

/**
 * Checks whether a row may have an amount. Footers of one cell and separators have none.
 *
 * @throws UsageError for any other row whose cells may be in the wrong columns
 */
export function hasSpend(file: string, { line, cells, problem }: Row): boolean {
  if (problem === undefined) return true;
  const texts = cells.filter((text) => /[\p{L}\p{N}]/u.test(text));
  if (texts.length <= 1) return false;
  throw new UsageError(
    `${file}, line ${line}: the row ${problem}`,
    'Put cells that contain the delimiter or a quote in double quotes.',
    'invalid_input',
  );
}
