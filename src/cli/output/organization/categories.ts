import { scope3Categories } from '../../../api/schema.ts';
import { figureName } from '../../../organizations/emissions.ts';
import type { Year } from '../../../organizations/history.ts';
import { renderBar } from '../../../terminal/bar.ts';
import { figure } from '../../../terminal/figure.ts';
import { indent, titleLines } from '../../../terminal/section.ts';
import type { Style } from '../../../terminal/style.ts';
import { capital, pad, truncate, width } from '../../../terminal/text.ts';

const categoriesShown = 5;
const widestBar = 24;
const narrowestBar = 6;

/**
 * Renders the largest scope 3 categories of a year under the GHG Protocol's numbers and names, each
 * with a bar beside the largest, and how many others there are; nothing when none is disclosed.
 */
export function maxCategories(
  { label, performance }: Year,
  columns: number,
  style: Style,
): string[] {
  const amounts = scope3Categories.flatMap((category, at) => {
    const value = performance.emissions?.scope_3?.[category];
    const name = `${String(at + 1).padStart(2)} ${capital(figureName(category))}`;
    return typeof value === 'number' ? { name, value, figure: figure(value).rounded } : [];
  });
  const largest = amounts.toSorted((a, b) => b.value - a.value).slice(0, categoriesShown);
  const [first] = largest;
  if (!first) return [];
  const others = amounts.length - largest.length;
  const figureColumn = largest.reduce((most, amount) => Math.max(most, width(amount.figure)), 0);
  const longest = largest.reduce((most, amount) => Math.max(most, width(amount.name)), 0);
  const nameColumn = Math.min(longest, columns - figureColumn - 4);
  const barColumn = Math.min(widestBar, columns - nameColumn - figureColumn - 6);
  const lines = largest.map(({ name, value, figure }) => {
    const text = `  ${pad(truncate(name, nameColumn), nameColumn)}  ${pad(figure, figureColumn, 'left')}`;
    if (barColumn < narrowestBar || first.value <= 0) return text;
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
