/*
 * Which columns of a CSV list are numbers in a workbook. CSV has only texts, of which a spreadsheet
 * adds up none.
 */
import type { CellStyle } from '../workbook/cell-styles.ts';
import type { StyledCell } from '../workbook/cells.ts';

const plain = /^-?(?:0|[1-9]\d*)(?:\.(\d+))?$/;
/* Excel keeps as many. */
const maxDigits = 15;

/**
 * Returns how many decimals a text has that is plainly a number: digits with an optional minus and
 * decimal point, without a leading zero. Others, such as `00123`, `+49`, `1,250` and `1e5`, have
 * none.
 */
function decimalsOf(text: string): number | undefined {
  const match = plain.exec(text);
  const decimals = match?.[1]?.length ?? 0;
  const isExact = text.replace(/\D/g, '').length <= maxDigits;
  // Negative zero is none.
  return match && isExact && Number(text).toFixed(decimals) === text ? decimals : undefined;
}

/** Finds the columns in which each cell with a text is plainly a number. */
export async function numberColumns(
  rows: AsyncIterable<readonly string[]>,
): Promise<ReadonlySet<number>> {
  const found = new Set<number>();
  const others = new Set<number>();
  for await (const row of rows)
    for (const [column, text] of row.entries()) {
      if (text === '' || others.has(column)) continue;
      if (decimalsOf(text) === undefined) others.add(column);
      else found.add(column);
    }
  return new Set([...found].filter((column) => !others.has(column)));
}

/** Returns the cell of such a column, which shows as many decimals as its text has. */
export function numberCell(text: string): StyledCell | undefined {
  const decimals = decimalsOf(text);
  if (decimals === undefined) return undefined;
  return { type: 'number', content: text, style: styleOf(decimals) };
}

/* Cells with one style share one object. */
const styles = new Map<number, CellStyle>();

function styleOf(decimals: number): CellStyle {
  const known = styles.get(decimals);
  if (known !== undefined) return known;
  const style: CellStyle = { format: decimals === 0 ? '0' : `0.${'0'.repeat(decimals)}` };
  styles.set(decimals, style);
  return style;
}
