/*
 * The table that the script of the page searches and sorts. The first rows appear immediately;
 * the script adds the others from a template.
 */
import { figure } from '../terminal/figure.ts';
import { type Content, type Html, html } from './html.ts';

/** The maximum number of rows in the table. */
export const maxRows = 10_000;
const firstRows = 50;

/** A column of the table. Columns of links cannot be sorted. */
export interface TableColumn {
  readonly title: string;
  readonly kind: 'text' | 'number' | 'links';
  /** Marks the column by which the rows are sorted, the largest first. */
  readonly isSorted?: boolean;
  /** Leaves the column out on paper in portrait format. */
  readonly isWide?: boolean;
}

/** The contents of a searchable table. */
export interface SearchableTable {
  /** Class of the section. */
  readonly name: string;
  readonly title: string;
  /** What a row is, in the plural, such as `organizations`. */
  readonly noun: string;
  readonly note: Content;
  readonly placeholder: string;
  readonly columns: readonly TableColumn[];
  /** At most `maxRows` rows. */
  readonly rows: readonly Html[];
}

/** Renders the table in a section with its search field. */
export function searchableTable({
  name,
  title,
  noun,
  note,
  placeholder,
  columns,
  rows,
}: SearchableTable): Html {
  const head = columns.map((column) => {
    const { kind, isSorted, isWide } = column;
    const classes = [kind, ...(isWide ? ['wide-only'] : [])];
    const label =
      kind === 'links' ? column.title : html`<button type="button">${column.title}</button>`;
    const sorted = isSorted ? html` aria-sort="descending"` : '';
    return html`<th scope="col" class="${classes.join(' ')}"${sorted}>${label}</th>`;
  });
  return html`<section class="${name}" aria-labelledby="all"><h2 id="all">${title}</h2>
<p class="soft">${note}</p>
<p class="warn" id="unscripted">Without scripts this table shows ${rowsWithoutScript(rows.length)} and cannot be searched or sorted.</p>
<div class="controls" hidden><label>Search<input id="search" type="search" autocomplete="off" placeholder="${placeholder}"></label><p id="shown" class="soft" role="status"></p></div>
<div class="scroll all" role="region" aria-labelledby="all" tabindex="0"><table id="rows" data-noun="${noun}"><thead><tr>${head}</tr></thead>
<tbody>${rows.slice(0, firstRows)}</tbody></table></div>
${rows.length > firstRows ? html`<template id="rest">${rows.slice(firstRows)}</template>` : ''}
<p class="more" hidden><button type="button" id="show-all">Show all</button></p></section>`;
}

function rowsWithoutScript(rows: number): string {
  return rows > firstRows ? `its first ${firstRows} of ${figure(rows).exact} rows` : 'all its rows';
}
