/*
 * Which columns of a table a person sees in a workbook: none that is empty or equal in every row,
 * which its legend says instead.
 */
import { yesOrNo } from '../../display/query/kinds.ts';
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
  /** The values of columns that are not shown, because every row has the same one. */
  readonly equal: Labelled;
}

/* Without them, nobody knows what a row of a sheet is about. */
const rowKinds: ReadonlySet<string | undefined> = new Set(['id', 'name', 'year']);

/**
 * Finds the columns that differ, or have a value in the only row; data that is synthetic always
 * says so. Names, IDs and years are not folded if they are equal.
 * @param hiding how the others are hidden: `left out`, or `folded` where programs may read them
 * @param keeps says which other columns are shown whatever their values are, or if they have any
 */
export async function usefulColumns(
  columns: readonly ExplainedColumn[],
  rows: Iterable<readonly CsvValue[]> | AsyncIterable<readonly CsvValue[]>,
  hiding: 'left out' | 'folded',
  keeps: (column: ExplainedColumn) => 'always' | 'with values' | undefined = () => undefined,
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
  const isSaid = (column: ExplainedColumn) =>
    column.kind === 'synthetic' ||
    (hiding === 'folded' && rowKinds.has(column.kind)) ||
    keeps(column) === 'with values';
  const shown = columns.map((column, index) => {
    // A sheet without rows would have no column at all.
    if (count === 0 || keeps(column) === 'always') return true;
    if (column.isDetail) return false;
    const value = firsts[index] ?? null;
    return differs[index] || (value !== null && (count === 1 || isSaid(column)));
  });
  const equalIn = (index: number) => {
    const value = firsts[index] ?? null;
    if (differs[index] || value === null) return undefined;
    return `${typeof value === 'boolean' ? yesOrNo(value) : value} in every row`;
  };
  const explained = columns.map(({ name, description }, index): Labelled => {
    if (shown[index]) return description === '' ? [] : [[name, description]];
    const why = differs[index] ? [] : [equalIn(index) ?? 'Empty in every row'];
    const words = [...why, ...(description === '' ? [] : [description])];
    return [[`${name} (${hiding})`, words.join('. ')]];
  });
  const equal = columns.flatMap(({ name }, index): Labelled => {
    const what = shown[index] ? undefined : equalIn(index);
    return what === undefined ? [] : [[`${name} (${hiding})`, what]];
  });
  const those = (wanted: boolean) => explained.filter((_, index) => shown[index] === wanted).flat();
  return { shown, legend: [...those(true), ...those(false)], equal };
}
