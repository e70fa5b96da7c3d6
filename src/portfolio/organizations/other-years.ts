/* Marks figures of another year than most, which a reader would compare with the others. */
import { kindOf } from '../../display/query/kinds.ts';
import type { Column, Footnote } from '../../display/query/query.ts';
import { type FigureYearCounts, otherYears } from './statements.ts';
import type { Kept } from './tables.ts';

/** Returns the mark; undefined if all figures are of one year. */
export function otherYearsNote(years: FigureYearCounts | undefined): Footnote<Kept> | undefined {
  if (years === undefined) return undefined;
  return {
    mark: '§',
    meaning: `of ${otherYears(years)}, not ${years.year}`,
    isAt: ({ year }) => year !== undefined && year !== years.year,
  };
}

/** Marks the figures, and the years that they are of. */
export function withOtherYears(
  columns: readonly Column<Kept>[],
  years: FigureYearCounts | undefined,
): readonly Column<Kept>[] {
  const footnote = otherYearsNote(years);
  if (footnote === undefined) return columns;
  return columns.map((column) =>
    column.figuresOf === 'year' || (column.isOfYear && kindOf(column.kind).hasUnit)
      ? { ...column, footnote }
      : column,
  );
}
