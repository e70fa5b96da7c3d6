/*
 * Which columns of a CSV list are numbers in a workbook. CSV has only texts, of which a spreadsheet
 * adds up none.
 */
import type { CellStyle } from '../workbook/cell-styles.ts';
import type { StyledCell } from '../workbook/cells.ts';
import { SignEvidence, splitAmount } from './amounts.ts';

/* Excel keeps as many. */
const maxDigits = 15;

/**
 * Returns how many decimals a text has that a spreadsheet shows as it is if it is a number with as
 * many. Others, such as `00123`, `+49`, `1,250` and `1e5`, have none.
 */
function decimalsOf(text: string): number | undefined {
  const digits = text.length - Number(text.startsWith('-')) - Number(text.includes('.'));
  if (digits > maxDigits) return undefined;
  const decimals = text.includes('.') ? text.length - text.indexOf('.') - 1 : 0;
  // Negative zero is none.
  return Number(text).toFixed(decimals) === text ? decimals : undefined;
}

/**
 * Finds the columns that become numbers: each cell with a text is a number, and one of them shows
 * that the point is no thousands sign. Whole numbers alone may be identifiers.
 */
export class NumberColumns {
  /* Undefined for a column that stays text. */
  readonly #columns: (SignEvidence<true> | undefined)[] = [];
  readonly #fixed: ReadonlySet<number>;

  /** @param fixed the columns that stay text whatever their cells are */
  constructor(fixed: Iterable<number>) {
    this.#fixed = new Set(fixed);
  }

  add(cells: readonly string[]): void {
    for (let column = this.#columns.length; column < cells.length; column += 1)
      this.#columns.push(this.#fixed.has(column) ? undefined : new SignEvidence());
    for (const [column, text] of cells.entries()) {
      const signs = this.#columns[column];
      if (signs === undefined || text === '') continue;
      const amount = splitAmount(text);
      const isNumber =
        typeof amount === 'object' && decimalsOf(text) !== undefined && signs.add(amount, isKept);
      if (!isNumber) this.#columns[column] = undefined;
    }
  }

  found(): ReadonlySet<number> {
    const found = new Set<number>();
    for (const [column, signs] of this.#columns.entries()) {
      const verdict = signs?.verdict;
      if (verdict?.kind === 'decided' && verdict.sign === '.') found.add(column);
    }
    return found;
  }
}

const isKept = () => true as const;

/** Returns the cell of such a column, which shows as many decimals as its text has. */
export function numberCell(text: string): StyledCell | undefined {
  const decimals = text === '' ? undefined : decimalsOf(text);
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
