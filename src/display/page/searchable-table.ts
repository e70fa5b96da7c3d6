/*
 * The table that the script of the page searches and sorts. The first rows appear immediately;
 * the script adds the others from a template.
 */
import { figure } from '../terminal/figure.ts';
import { type Content, type Html, html } from './html.ts';

/** The maximum number of rows in the table. */
export const maxRows = 10_000;
const firstRows = 50;

/** A column of the table; the first one names the row. */
export interface TableColumn<Row> {
  readonly title: string;
  readonly kind: 'text' | 'number';
  /** Marks the column by which the rows are sorted, the largest first. */
  readonly isSorted?: boolean;
  readonly cell: (row: Row) => Content;
  /** Returns a further class of the cell. */
  readonly tone?: (row: Row) => string;
}

/** The contents of a searchable table. */
export interface SearchableTable<Row> {
  /** Class of the section. */
  readonly name: string;
  readonly title: string;
  /** What a row is, in the plural, such as `organizations`. */
  readonly noun: string;
  readonly note: Content;
  readonly placeholder: string;
  readonly columns: readonly TableColumn<Row>[];
  /** At most `maxRows` rows. */
  readonly rows: readonly Row[];
}

/** Renders the table in a section with its search field. */
export function searchableTable<Row>(table: SearchableTable<Row>): Html {
  const { name, title, noun, note, placeholder, columns } = table;
  const head = columns.map(({ title: text, kind, isSorted }) => {
    const sorted = isSorted ? html` aria-sort="descending"` : '';
    return html`<th scope="col"${classes(kind)}${sorted}><button type="button">${text}</button></th>`;
  });
  const rows = table.rows.map(
    (row) => html`<tr>${columns.map((column, index) => cellOf(column, row, index === 0))}</tr>\n`,
  );
  const shown = rows.slice(0, firstRows);
  const extent =
    rows.length > firstRows
      ? `its first ${firstRows} of ${figure(rows.length).exact} rows`
      : 'all its rows';
  return html`<section class="${name}" aria-labelledby="all"><h2 id="all">${title}</h2>
<p class="soft">${note}</p>
<p class="warn" id="unscripted">Without scripts this table shows ${extent} and cannot be searched or sorted.</p>
<div class="controls" id="controls" hidden><label>Search<input id="search" type="search" autocomplete="off" placeholder="${placeholder}"></label><p id="shown" class="soft" role="status"></p></div>
<div class="scroll all" role="region" aria-labelledby="all" tabindex="0"><table id="rows" data-noun="${noun}"><thead><tr>${head}</tr></thead>
<tbody>${shown}</tbody></table></div>
${rows.length > firstRows && html`<template id="rest">${rows.slice(firstRows)}</template>`}
<p class="more" id="more" hidden><button type="button" id="show-all">Show all</button></p></section>`;
}

function cellOf<Row>(column: TableColumn<Row>, row: Row, isFirst: boolean): Html {
  const { kind, cell, tone } = column;
  const value = cell(row) ?? '';
  const content = value === '' ? '–' : value;
  if (isFirst) return html`<th scope="row">${content}</th>`;
  return html`<td${classes(kind !== 'number' && 'text', tone?.(row))}>${content}</td>`;
}

function classes(...names: readonly (string | false | undefined)[]): Content {
  const known = names.filter(Boolean);
  return known.length > 0 && html` class="${known.join(' ')}"`;
}
