/*
 * Columns as SVG. The markup is written here, so that each mark shows its exact value to a pointer
 * and a screen reader, and takes its color from the style sheet. Horizontal positions are
 * percentages: a chart fills its part of the page at every width, and its text keeps its size.
 */
import { headingOf, type KindName, kindOf } from '../query/kinds.ts';
import { figure } from '../terminal/figure.ts';
import { cellText, type FactTable, missingText, noteOf } from '../terminal/section.ts';
import { type Content, type Html, html, scrollRegion } from './html.ts';

/** A column with its number above it. */
export interface ChartColumn {
  readonly label: string;
  readonly value: number;
  readonly text: string;
  /** The custom property of the style sheet with the color. */
  readonly tone: string;
  /** The exact value in words. */
  readonly description: string;
}

const top = 22;
const plot = 150;
const lineHeight = 18;
/* Part of the width of a column that is empty. */
const padding = 0.3;

/**
 * Draws columns from zero; values below zero have no height.
 * @param title description of the chart for screen readers
 */
export function columnChart(title: string, columns: readonly ChartColumn[]): Html {
  const largest = Math.max(...columns.map(({ value }) => value), 0);
  const max = Number.isFinite(largest) && largest > 0 ? largest : 1;
  const step = 100 / Math.max(columns.length, 1);
  const height = top + plot + lineHeight;
  const drawn = columns.map((column, index) => {
    const left = step * (index + padding / 2);
    return drawColumn(column, left, step * (1 - padding), max);
  });
  return html`<svg class="columns" role="group" aria-label="${title}" width="100%" height="${height}">
${drawn}<line class="axis" x1="0" x2="100%" y1="${top + plot}" y2="${top + plot}"/></svg>`;
}

function drawColumn(
  { label, value, text, tone, description }: ChartColumn,
  left: number,
  width: number,
  max: number,
): Html {
  const part = plot * (Math.max(0, Number.isFinite(value) ? value : 0) / max);
  // A value above 0 stays visible.
  const height = value > 0 ? Math.max(1, part) : 0;
  const y = top + plot - height;
  const middle = `${round(left + width / 2)}%`;
  return html`<g role="img" aria-label="${description}"><title>${description}</title><rect color="var(--${tone})" x="${round(left)}%" width="${round(width)}%" y="${round(y)}" height="${round(height)}"/></g><g aria-hidden="true"><text class="head" x="${middle}" y="${round(y - 7)}">${text}</text><text class="label" x="${middle}" y="${top + plot + lineHeight - 2}">${label}</text></g>\n`;
}

/** Adds a collapsed table of values to a chart. */
export function figureOf(chart: Html, table: Html): Html {
  return html`<figure>${chart}<details><summary>Values as a table</summary>${scrollRegion('Values', table)}</details></figure>`;
}

/** Renders a table of facts: short values, whose digits a pointer shows, or exact ones. */
export function valueTable<Row>(
  table: FactTable<Row>,
  length: 'compact' | 'exact' = 'exact',
): Html {
  const { head, label, columns, rows } = table;
  const note = noteOf(table);
  const shown = columns.filter((column) =>
    rows.some((row) => cellText(column, row) !== missingText),
  );
  const heads = shown.map(({ title, name, kind }) => {
    const text = headingOf(title ?? name, kind, table.unit);
    return html`<th scope="col"${sideOf(kind)}>${text}</th>`;
  });
  const lines = rows.map((row) => {
    const cells = shown.map(
      (column) => html`<td${sideOf(column.kind)}>${exactCell(column, row, length)}</td>`,
    );
    return html`<tr><th scope="row">${label(row)}</th>${cells}</tr>\n`;
  });
  return html`<table class="values">${note && html`<caption>${note}</caption>`}<thead><tr><th scope="col">${head}</th>${heads}</tr></thead>
<tbody>${lines}</tbody></table>`;
}

/* Texts begin below each other, and digits end there. */
function sideOf(kind: KindName): Content {
  return kindOf(kind).align === 'left' && html` class="text"`;
}

function exactCell<Row>(
  column: FactTable<Row>['columns'][number],
  row: Row,
  length: 'compact' | 'exact',
): Content {
  const text = cellText(column, row, length);
  const value = column.value(row);
  const exact = typeof value === 'number' ? figure(value).exact : text;
  const isRounded = length === 'compact' && column.text === undefined && exact !== text;
  return isRounded ? html`<span title="${exact}">${text}</span>` : text;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
