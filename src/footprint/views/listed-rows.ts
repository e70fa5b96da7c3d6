/* The rows of the register that views of the summary name. */
import type { FootprintSummary } from '../footprint-summary.ts';
import type { RegisterRow } from '../register-row.ts';
import { LargestRows } from './largest-rows.ts';

const maxRows = 20;

interface Listed {
  readonly rows: readonly RegisterRow[];
  /** Number of rows that the list leaves out. */
  readonly omitted: number;
}

/** The largest uncovered and excluded rows. */
export interface ListedRows {
  readonly uncovered: Listed;
  readonly excluded: Listed;
}

/** Selects the rows; the largest have the largest share of the spend in their currency. */
export function listRows(
  rows: Iterable<RegisterRow>,
  { spend }: Pick<FootprintSummary, 'spend'>,
): ListedRows {
  const size = (row: RegisterRow) =>
    Math.abs(row.spend ?? 0) / (spend[row.currency ?? 'unknown']?.total || 1);
  const uncovered = new LargestRows(maxRows, size);
  const excluded = new LargestRows(maxRows, size);
  for (const row of rows) {
    if (row.excluded !== null) excluded.add(row);
    else if (row.uncovered !== null) uncovered.add(row);
  }
  return {
    uncovered: { rows: uncovered.result(), omitted: uncovered.omitted },
    excluded: { rows: excluded.result(), omitted: excluded.omitted },
  };
}
