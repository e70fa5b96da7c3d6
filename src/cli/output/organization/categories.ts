import { scope3Categories } from '../../../api/schema.ts';
import { figureName } from '../../../organizations/emissions.ts';
import type { Year } from '../../../organizations/history.ts';
import { renderBar } from '../../../terminal/bar.ts';
import { figure } from '../../../terminal/figure.ts';
import { indent, titleLines } from '../../../terminal/section.ts';
import type { Style } from '../../../terminal/style.ts';
import { capital, pad, truncate, width } from '../../../terminal/text.ts';

const categoriesShown = 5;
const maxBarWidth = 24;
const minBarWidth = 6;

/**
 * Renders the five largest scope 3 categories of a year with the numbers and names of the GHG
 * Protocol, and the number of smaller ones. Bars are relative to the largest category. Without
 * disclosed categories there are no lines.
 */
export function largestCategories(
  { label, performance }: Year,
  columns: number,
  style: Style,
): string[] {
  const amounts = scope3Categories.flatMap((category, index) => {
    const value = performance.emissions?.scope_3?.[category];
    const name = `${String(index + 1).padStart(2)} ${capital(figureName(category))}`;
    return typeof value === 'number' ? { name, value, figure: figure(value).rounded } : [];
  });
  const largest = amounts.toSorted((a, b) => b.value - a.value).slice(0, categoriesShown);
  const [first] = largest;
  if (!first) return [];
  const others = amounts.length - largest.length;
  const figureColumn = largest.reduce((max, amount) => Math.max(max, width(amount.figure)), 0);
  const maxNameWidth = largest.reduce((max, amount) => Math.max(max, width(amount.name)), 0);
  const nameColumn = Math.min(maxNameWidth, columns - figureColumn - 4);
  const barColumn = Math.min(maxBarWidth, columns - nameColumn - figureColumn - 6);
  const lines = largest.map(({ name, value, figure }) => {
    const text = `  ${pad(truncate(name, nameColumn), nameColumn)}  ${pad(figure, figureColumn, 'left')}`;
    if (barColumn < minBarWidth || first.value <= 0) return text;
    return `${text}  ${renderBar(value / first.value, barColumn, style)}`.trimEnd();
  });
  return [
    '',
    ...titleLines(
      `${label} scope 3 by category`,
      `${amounts.length} of 15 disclosed`,
      columns - 2,
      style,
    ).map(indent),
    ...lines,
    ...(others > 0 ? [style.dim(`     and ${others} smaller`)] : []),
  ];
}
