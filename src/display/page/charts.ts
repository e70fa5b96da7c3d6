/*
 * Charts as SVG. The markup is written here, so that each mark shows its exact value to a pointer
 * and a screen reader, and takes its color from the style sheet; d3-array chooses round ticks.
 * Horizontal positions are percentages: a chart fills its card at every width, and its text keeps
 * its size.
 */
import { nice, ticks } from 'd3-array';
import { kindOf } from '../query/kinds.ts';
import { figure } from '../terminal/figure.ts';
import { cellText, type FactTable, missingText } from '../terminal/section.ts';
import { capital } from '../terminal/text.ts';
import { type Content, card, type Html, html } from './html.ts';

/** One part of a column or bar. */
export interface Mark {
  readonly value: number;
  /** The custom property of the style sheet with the color, and a class. */
  readonly tone: string;
  /** The exact value in words. */
  readonly description: string;
}

/** A column of stacked marks. */
export interface ColumnOfMarks {
  readonly label: string;
  /** Lines below the label. */
  readonly notes?: readonly string[];
  readonly marks: readonly Mark[];
  /** Text above the column. */
  readonly head?: string;
  /** Whether the column is lighter, with an outline. */
  readonly isPartial?: boolean;
}

const top = 26;
const plot = 190;
const lineHeight = 16;
const leftPercent = 11;
/* Part of the width of a column that is empty. */
const padding = 0.22;

/**
 * Draws columns of stacked marks from zero; values below zero have no height.
 * @param title description of the chart for screen readers
 */
export function columnChart(title: string, columns: readonly ColumnOfMarks[]): Html {
  const sizes = columns.map(({ marks }) =>
    marks.reduce((sum, { value }) => sum + Math.max(0, value), 0),
  );
  const largest = Math.max(...sizes, 0);
  const [, max] = nice(0, Number.isFinite(largest) && largest > 0 ? largest : 1, 4);
  const y = (value: number) => top + plot * (1 - value / max);
  const step = (100 - leftPercent) / (columns.length + padding);
  const notes = Math.max(0, ...columns.map(({ notes = [] }) => notes.length));
  const height = top + plot + 8 + lineHeight * (1 + notes);
  const drawn = columns.map((column, index) =>
    drawColumn(column, leftPercent + step * (index + padding), step * (1 - padding), y),
  );
  return html`<svg class="columns" role="group" aria-label="${title}" width="100%" height="${height}">
${ticks(0, max, 4)
  .filter(Number.isInteger)
  .map((tick) => gridLine(tick, y(tick)))}
${drawn}</svg>`;
}

function gridLine(tick: number, y: number): Html {
  return html`<line class="grid" x1="0" x2="100%" y1="${round(y)}" y2="${round(y)}"/><text class="tick" aria-hidden="true" x="0" y="${round(y - 4)}">${figure(tick).compact}</text>`;
}

function drawColumn(
  { label, notes = [], head, marks, isPartial }: ColumnOfMarks,
  left: number,
  width: number,
  y: (value: number) => number,
): Html {
  const middle = `${round(left + width / 2)}%`;
  let sum = 0;
  const drawn = marks.map((mark) => {
    const from = sum;
    sum += Math.max(0, Number.isFinite(mark.value) ? mark.value : 0);
    const height = y(from) - y(sum);
    // A value above 0 stays visible.
    const shown = mark.value > 0 ? Math.max(1, height) : 0;
    return html`<g role="img" aria-label="${mark.description}"><title>${mark.description}</title><rect class="${mark.tone}${isPartial ? ' partial' : ''}" color="var(--${mark.tone})" x="${round(left)}%" width="${round(width)}%" y="${round(y(sum) - shown + height)}" height="${round(shown)}"/></g>`;
  });
  const lines = [label, ...notes].map(
    (line, index) =>
      html`<text class="${index === 0 ? 'label' : 'note'}" x="${middle}" y="${top + plot + lineHeight * (index + 1)}">${line}</text>`,
  );
  const above =
    head === undefined
      ? ''
      : html`<text class="head" x="${middle}" y="${round(y(sum) - 5)}">${head}</text>`;
  return html`${drawn}<g aria-hidden="true">${above}${lines}</g>\n`;
}

/** Draws a bar of marks, whose values are shares of 1, for a table row that lists the values. */
export function bar(marks: readonly Mark[]): Html {
  let sum = 0;
  const drawn = marks.map(({ value, tone, description }) => {
    const share = Math.max(0, Math.min(value, 1 - sum));
    const from = sum;
    sum += share;
    return html`<rect class="${tone}" color="var(--${tone})" x="${round(from * 100)}%" width="${round(share * 100)}%" height="100%"><title>${description}</title></rect>`;
  });
  return html`<svg class="bar" aria-hidden="true" width="100%" height="14">${drawn}</svg>`;
}

/**
 * Renders a table of rows with bars.
 * @param heads names of the columns, for screen readers
 */
export function barTable(
  name: 'bars' | 'bars largest',
  heads: readonly (string | undefined)[],
  rows: Content,
): Html {
  const unseen = heads.map(
    (head) => html`<th scope="col"><span class="unseen">${head}</span></th>`,
  );
  return html`<table class="${name}"><thead><tr>${unseen}</tr></thead><tbody>${rows}</tbody></table>`;
}

/**
 * Renders a table of facts as a card, which has none without rows. The details of a row and its bar
 * are below its name, so that a card needs no width; a first column of numbers stands beside it.
 */
export function tableCard<Row>(table: FactTable<Row>): Content {
  const { title, note = '', head, columns, rows, label, bar: shareOf } = table;
  const [first] = columns;
  const number = first && kindOf(first.kind).type === 'number' ? first : undefined;
  const drawn = rows.map((row) => {
    const name = label(row);
    const details = columns.flatMap((column) => {
      const shown = cellText(column, row);
      if (column === number || shown === missingText) return [];
      return [column.title ? `${column.title} ${shown}` : shown];
    });
    const exact = number?.value(row);
    const value = number && cellText(number, row);
    const cell =
      number &&
      html`<td><span title="${typeof exact === 'number' ? figure(exact).exact : value}">${value}</span></td>`;
    const mark = { value: shareOf?.(row) ?? 0, tone: 'main', description: `${name}: ${value}` };
    return html`<tr><th scope="row">${name} <span class="soft">${details.join(' · ')}</span>${shareOf && bar([mark])}</th>${cell}</tr>\n`;
  });
  const id = title.toLowerCase().replace(/[^a-z]+/g, '-');
  const content = barTable('bars largest', number ? [head, number.title] : [head], drawn);
  return card(id, title, `${capital(note)}${note && '.'}`, rows.length > 0 && content);
}

/** Adds the legend and a collapsed table of values to a chart. */
export function figureOf(chart: Html, legend: Content, table: Html): Html {
  return html`<figure>${chart}${legend}<details><summary>Values as a table</summary><div class="scroll">${table}</div></details></figure>`;
}

/** Renders a table of facts with exact values. */
export function valueTable<Row>({ note, head, label, columns, rows }: FactTable<Row>): Html {
  const heads = [head, ...columns.map(({ title }) => title)];
  const lines = rows.map((row) => {
    const cells = columns.map((column) => html`<td>${cellText(column, row, 'exact')}</td>`);
    return html`<tr><th scope="row">${label(row)}</th>${cells}</tr>\n`;
  });
  return html`<table><caption>${note}</caption><thead><tr>${heads.map((title) => html`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>${lines}</tbody></table>`;
}

/** Renders the legend of tones. */
export function legend(items: readonly (readonly [tone: string, name: string])[]): Html {
  return html`<ul class="legend">${items.map(([tone, name]) => html`<li><svg width="14" height="14" aria-hidden="true"><rect class="${tone}" color="var(--${tone})" width="100%" height="100%"/></svg>${name}</li>`)}</ul>`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
