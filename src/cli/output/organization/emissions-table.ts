import { type ReportedFigure, readEmissions } from '../../../organizations/emissions.ts';
import type { Year } from '../../../organizations/history.ts';
import { renderBar } from '../../../terminal/bar.ts';
import { type Column, renderFrame } from '../../../terminal/columns.ts';
import { figure } from '../../../terminal/figure.ts';
import { type Fact, factLines } from '../../../terminal/section.ts';
import type { Style } from '../../../terminal/style.ts';
import { pad, width } from '../../../terminal/text.ts';
import { legend } from './legend.ts';

const maxBarWidth = 24;
const minBarWidth = 8;

const titles = {
  rounded: {
    scope1: 'Scope 1',
    scope2: 'Scope 2',
    scope1And2: 'Scope 1+2',
    scope3: 'Scope 3',
    total: 'Total',
  },
  compact: { scope1: 'Sc. 1', scope2: 'Sc. 2', scope1And2: '1+2', scope3: 'Sc. 3', total: 'Total' },
} as const;

/**
 * Renders a row for each year, the newest first, and a column for each scope. Bars compare the
 * totals of the years. Figures that do not fit `columns` become lists.
 */
export function emissionsTable(years: readonly Year[], columns: number, style: Style): string[] {
  const rows = years.map(({ label, performance }) => ({
    label,
    figures: readEmissions(performance.emissions),
  }));
  const combined = rows.some(
    ({ figures: { scope1, scope2, scope1And2 } }) => scope1And2 && !(scope1 && scope2),
  );
  const shown = (['scope1', 'scope2', 'scope1And2', 'scope3', 'total'] as const).filter(
    (scope) => scope !== 'scope1And2' || combined,
  );
  const marks = new Set(
    rows.flatMap(({ figures }) => shown.map((scope) => figures[scope]?.mark ?? '')),
  );
  const space = marks.size > 1 || !marks.has('') ? ' ' : '';
  const notes = legend(marks, columns - 2, style).map((line) => `  ${line}`);
  for (const length of ['rounded', 'compact'] as const) {
    const head = shown.map(
      (scope): Column => ({ title: titles[length][scope] + space, align: 'right' }),
    );
    const cells = rows.map(({ label, figures }) => [
      label,
      ...shown.map((scope) => cell(figures[scope], length, space, style)),
    ]);
    const lines = renderFrame([{ title: 'Year' }, ...head], cells, style).map(
      (line) => `  ${line}`,
    );
    const used = width(lines[1] ?? '');
    if (used > columns) continue;
    const bars = totalBars(
      rows.map(({ figures }) => figures.total),
      columns - used - 2,
      style,
    );
    const withBars = lines.map((line, index) =>
      bars[index - 2] ? `${pad(line, used)}  ${bars[index - 2]}` : line,
    );
    return [...withBars, ...notes];
  }
  const facts = rows.map(({ label, figures }): Fact => {
    const details = shown.map(
      (scope) => [titles.rounded[scope], figureText(figures[scope])] as const,
    );
    return { label, details };
  });
  return [...factLines(facts, columns, style), ...notes];
}

function figureText(reported: ReportedFigure | undefined): string {
  return reported ? figure(reported.value).rounded + reported.mark : '–';
}

function cell(
  reported: ReportedFigure | undefined,
  length: 'rounded' | 'compact',
  space: string,
  style: Style,
): string {
  if (!reported) return style.dim('–') + space;
  return figure(reported.value)[length] + (reported.mark ? style.dim(reported.mark) : space);
}

function totalBars(
  totals: readonly (ReportedFigure | undefined)[],
  maxColumns: number,
  style: Style,
): string[] {
  const largest = totals.reduce((max, total) => Math.max(max, total?.value ?? 0), 0);
  if (maxColumns < minBarWidth || totals.length < 2 || largest <= 0) return [];
  const columns = Math.min(maxColumns, maxBarWidth);
  return totals.map((total) =>
    total ? renderBar(total.value / largest, columns, style).trimEnd() : '',
  );
}
