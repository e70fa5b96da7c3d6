/*
 * Which columns of a table a person sees in a workbook: none that is empty or equal in every row,
 * which its legend says instead.
 */
import type { CsvValue } from './output-cell.ts';
import type { OutputColumn } from './output-sheet.ts';
import type { Labelled } from './summary-sheet.ts';

/** A column with what it means, for the legend; empty without a meaning. */
export interface ExplainedColumn extends OutputColumn {
  readonly description: string;
  /** Whether few readers need it, so that it is not shown. */
  readonly isDetail?: boolean;
}

export interface UsefulColumns {
  /** Whether each column is shown. */
  readonly shown: readonly boolean[];
  /** What the columns mean, and why the others are left out. */
  readonly legend: Labelled;
}

/**
 * Finds the columns that differ, or have a value in the only row; data that is synthetic always
 * says so.
 * @param away what the others are: `left out`, or `folded` where programs may read them
 * @param isKept says which other columns are shown whatever their values are
 */
export async function usefulColumns(
  columns: readonly ExplainedColumn[],
  rows: Iterable<readonly CsvValue[]> | AsyncIterable<readonly CsvValue[]>,
  away: 'left out' | 'folded',
  isKept: (column: ExplainedColumn) => boolean = () => false,
): Promise<UsefulColumns> {
  const firsts: CsvValue[] = [];
  const differs = columns.map(() => false);
  let count = 0;
  for await (const cells of rows) {
    count += 1;
    for (const [index, value] of cells.entries()) {
      const cell = value === '' ? null : value;
      if (count === 1) firsts.push(cell);
      else differs[index] ||= cell !== firsts[index];
    }
  }
  const shown = columns.map((column, index) => {
    // A sheet without rows would have no column at all.
    if (count === 0 || isKept(column)) return true;
    if (column.isDetail) return false;
    const value = firsts[index] ?? null;
    return differs[index] || (value !== null && (count === 1 || column.kind === 'synthetic'));
  });
  const explained = columns.map(({ name, description }, index): Labelled => {
    if (shown[index]) return description === '' ? [] : [[name, description]];
    const value = firsts[index] ?? null;
    const why = value === null ? 'Empty in every row' : `${value} in every row`;
    const words = [...(differs[index] ? [] : [why]), ...(description === '' ? [] : [description])];
    return [[`${name} (${away})`, words.join('. ')]];
  });
  const those = (wanted: boolean) => explained.filter((_, index) => shown[index] === wanted).flat();
  return { shown, legend: [...those(true), ...those(false)] };
}
