/* Warnings that every view of a footprint shows. */
import { count, plural } from '../../terminal/format.ts';
import type { FootprintSummary } from '../footprint-summary.ts';

/** Lists what a reader must know before using the figures. */
export function notesOf(summary: FootprintSummary): string[] {
  const { boundary, rows, covered_rows, old_factors, inconsistent_factors } = summary;
  const uncovered = rows - covered_rows;
  return [
    ...syntheticNote(summary),
    ...(boundary === 'total'
      ? [
          'The boundary total contains downstream emissions of the suppliers, so the result is not a scope 3 category 1 figure',
        ]
      : []),
    ...(uncovered > 0
      ? [
          `${count.format(uncovered)} of ${plural(rows, 'row')} with spend ${uncovered === 1 ? 'has' : 'have'} no emissions: the total leaves ${uncovered === 1 ? 'it' : 'them'} out`,
        ]
      : []),
    ...(old_factors > 0
      ? [
          `${plural(old_factors, 'row uses a factor', 'rows use a factor')} more than two years away from the year of the spend`,
        ]
      : []),
    ...(inconsistent_factors > 0
      ? [
          `${plural(inconsistent_factors, 'record has an emission factor that differs', 'records have an emission factor that differs')} from emissions divided by revenue by more than 5%; a wrong currency may be the cause`,
        ]
      : []),
  ];
}

function syntheticNote({ synthetic, suppliers }: FootprintSummary): string[] {
  if (synthetic === 0) return [];
  const scope = synthetic < suppliers ? ` of ${count.format(synthetic)} suppliers` : '';
  return [`Synthetic sandbox data${scope}, not real research`];
}
