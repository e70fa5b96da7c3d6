/*
 * Charts as SVG. d3-scale says where things are; the markup is our own, so that each mark has its
 * exact value for a pointer, the keyboard and a screen reader, and takes its colours from the
 * page's style sheet. Horizontal places are per cent: a chart fills its card at every width, and
 * its text keeps its size.
 */
import { scaleBand, scaleLinear } from 'd3-scale';
import { figure } from '../../terminal/figure.ts';
import { type Content, type Html, html } from './html.ts';

/** One part of a column or bar. */
export interface Mark {
  readonly value: number;
  /** Class of the style sheet that gives its colour. */
  readonly tone: string;
  /** Its exact value in words. */
  readonly says: string;
}

/** A column of stacked marks. */
export interface ColumnOfMarks {
  readonly label: string;
  /** Lines below the label. */
  readonly notes?: readonly string[];
  readonly marks: readonly Mark[];
  /** Above the column. */
  readonly head?: string;
  /** Drawn lighter, with an outline. */
  readonly isPartial?: boolean;
}

const top = 26;
const plot = 190;
const lineHeight = 16;
const leftPercent = 11;

/**
 * Draws columns of stacked marks from zero; values below zero have no height.
 * @param title what the chart shows, for who cannot see it
 */
export function columnChart(title: string, columns: readonly ColumnOfMarks[]): Html {
  const sizes = columns.map(({ marks }) =>
    marks.reduce((sum, { value }) => sum + Math.max(0, value), 0),
  );
  const most = Math.max(...sizes, 0);
  const y = scaleLinear([0, Number.isFinite(most) && most > 0 ? most : 1], [top + plot, top]).nice(
    4,
  );
  const x = scaleBand(
    columns.map((_, at) => at),
    [leftPercent, 100],
  ).padding(0.22);
  const notes = Math.max(0, ...columns.map(({ notes = [] }) => notes.length));
  const height = top + plot + 8 + lineHeight * (1 + notes);
  const drawn = columns.map((column, at) => drawColumn(column, x(at) ?? 0, x.bandwidth(), y));
  return html`<svg class="columns" role="group" aria-label="${title}" width="100%" height="${height}">
${y
  .ticks(4)
  .filter(Number.isInteger)
  .map((tick) => gridLine(tick, y(tick)))}
${drawn}</svg>`;
}

function gridLine(tick: number, at: number): Html {
  return html`<line class="grid" x1="0" x2="100%" y1="${round(at)}" y2="${round(at)}"/><text class="tick" aria-hidden="true" x="0" y="${round(at - 4)}">${figure(tick).compact}</text>`;
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
    // What is above nothing can be seen and pointed at.
    const shown = mark.value > 0 ? Math.max(1, height) : 0;
    return html`<g class="mark" tabindex="0" role="img" aria-label="${mark.says}"><title>${mark.says}</title><rect class="${mark.tone}${isPartial ? ' partial' : ''}" x="${round(left)}%" width="${round(width)}%" y="${round(y(sum) - shown + height)}" height="${round(shown)}"/><text class="readout" x="100%" y="12">${mark.says}</text></g>`;
  });
  const lines = [label, ...notes].map(
    (line, at) =>
      html`<text class="${at === 0 ? 'label' : 'note'}" x="${middle}" y="${top + plot + lineHeight * (at + 1)}">${line}</text>`,
  );
  const above =
    head === undefined
      ? ''
      : html`<text class="head" x="${middle}" y="${round(y(sum) - 5)}">${head}</text>`;
  return html`${drawn}<g aria-hidden="true">${above}${lines}</g>\n`;
}

/**
 * Draws one bar of marks beside each other, for a cell of a table whose other cells have the
 * values. Shares of 1.
 */
export function bar(marks: readonly Mark[]): Html {
  let sum = 0;
  const drawn = marks.map(({ value, tone, says }) => {
    const share = Math.max(0, Math.min(value, 1 - sum));
    const from = sum;
    sum += share;
    return html`<rect class="${tone}" x="${round(from * 100)}%" width="${round(share * 100)}%" height="100%"><title>${says}</title></rect>`;
  });
  return html`<svg class="bar" aria-hidden="true" width="100%" height="14">${drawn}</svg>`;
}

/** Wraps a chart with its legend and, behind a disclosure, the table of its values. */
export function figureOf(chart: Html, legend: Content, table: Html): Html {
  return html`<figure>${chart}${legend}<details><summary>Values as a table</summary><div class="scroll">${table}</div></details></figure>`;
}

/** Renders a table of values, the first cell of each row its heading. */
export function valueTable(
  caption: string,
  head: readonly string[],
  rows: readonly (readonly Content[])[],
): Html {
  return html`<table><caption>${caption}</caption><thead><tr>${head.map((title) => html`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>${rows.map(([first, ...rest]) => html`<tr><th scope="row">${first}</th>${rest.map((cell) => html`<td>${cell}</td>`)}</tr>\n`)}</tbody></table>`;
}

/** Renders the legend of tones. */
export function legend(items: readonly (readonly [tone: string, name: string])[]): Html {
  return html`<ul class="legend">${items.map(([tone, name]) => html`<li><svg width="14" height="14" aria-hidden="true"><rect class="${tone}" width="100%" height="100%"/></svg>${name}</li>`)}</ul>`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
