/*
 * The table that the script of the page searches and sorts. The first rows appear immediately;
 * the script adds the others from a template.
 */
import { figure } from '../terminal/figure.ts';
import { cut } from '../terminal/format.ts';
import { cellText, type FactTable, missingText } from '../terminal/section.ts';
import { attribute, type Content, type Html, html, withCommands } from './html.ts';

/** The maximum number of rows in the table. */
export const maxRows = 10_000;
const firstRows = 50;
/* Longer texts wrap in a column that is wide enough for a few words. */
const maxLine = 24;
/* More columns, sentences and tables with details have smaller type on a screen. */
const maxLargeColumns = 16;
/* Fewer columns need no choice. The style sheet hides details after up to 17 others. */
const [minShown, maxShown] = [10, 17];

/** What a cell shows. */
export interface Cell {
  readonly text: string;
  /** The text with all its digits: the script of the page sorts by it, and writes it to CSV. */
  readonly exact?: string | undefined;
  /** A sign after the text, and what it means. */
  readonly mark?: string | undefined;
  readonly meaning?: string | undefined;
}

/** A column of the table; the first one names the row. */
export interface TableColumn<Row> {
  readonly title: string;
  readonly kind: 'text' | 'number';
  /** Marks the column by which the rows are sorted, the largest first. */
  readonly isSorted?: boolean;
  /**
   * Marks what few readers need. It stands last: a screen shows it on request, paper does not, and
   * the downloaded file has it.
   */
  readonly isDetail?: boolean;
  /** Marks what only a screen has room for. */
  readonly isOffPaper?: boolean;
  readonly cell: (row: Row) => Cell | string | number | undefined;
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
  /** What the downloaded file is about: files, the kind of result, and its day if it has one. */
  readonly about: readonly [files: readonly string[], kind: string, day: string | null];
  readonly note: Content;
  readonly placeholder: string;
  /** Columns without a value, and with one in all rows, are left out; the note lists the latter. */
  readonly columns: readonly TableColumn<Row>[];
  /** At most `maxRows` rows. */
  readonly rows: readonly Row[];
  /** Checks whether a row is synthetic, which the downloaded file says of each. */
  readonly isSynthetic: (row: Row) => boolean;
}

/** Renders the table in a section with its search field. */
export function searchableTable<Row>(table: SearchableTable<Row>): Html {
  const { name, title, noun, note, placeholder, isSynthetic } = table;
  const { columns, same } = shownColumns(table);
  const { main, details } = splitColumns(columns);
  const head = columns.map(({ title: text, kind, isSorted, isOffPaper }) => {
    const sorted = isSorted ? html` aria-sort="descending"` : '';
    return html`<th scope="col"${classes(kind, isOffPaper && 's')}${sorted}><button type="button">${text}</button></th>`;
  });
  const hasHidden = columns.some(({ kind, cells }) => {
    return kind === 'number' && cells.some(({ text, exact = text }) => exact !== text);
  });
  const hasSentences = main.some(({ tone }) => table.rows.some((row) => tone?.(row) === 'long'));
  const isWide = hasSentences || details.length > 0 || main.length > maxLargeColumns;
  const synthetic = table.rows.filter(isSynthetic).length;
  const isAll = synthetic === table.rows.length;
  /*
   * Rows are nearly the whole page, so they have no end tag and no quotes that HTML can do without.
   */
  const rows = table.rows.map((row, at) => {
    const mark = !isAll && isSynthetic(row) && html` data-synthetic`;
    const cells = columns.map(({ kind, tone, cells: all, isNote, isOffPaper }, index) => {
      const { text = '', exact, mark: sign = '', meaning } = all[at] ?? {};
      const content = html`${text === '' ? missingText : text}${sign && html`<i${attribute('title', meaning)}>${sign}</i>`}`;
      const title = attribute('title', exact === text ? undefined : exact);
      if (index === 0) return html`<th scope=row${title}>${content}`;
      const names = cellClasses(kind, tone?.(row) ?? '', isNote);
      return html`<td${classes(...names, isOffPaper && 's')}${title}>${content}`;
    });
    return html`<tr${mark}>${cells}</tr>\n`;
  });
  const shown = rows.slice(0, firstRows);
  const extent =
    rows.length > firstRows
      ? `its first ${firstRows} of ${figure(rows.length).exact} rows`
      : 'all its rows';
  const mark = synthetic > 0 && html` data-synthetic="${isAll ? 'all' : 'some'}"`;
  return html`<section class="table ${name}${isWide && ' wide'}" aria-labelledby="all"><h2 id="all">${title}</h2>
<p class="sub">${typeof note === 'string' ? withCommands(note) : note}${same}${hasHidden && html`<span id="digits"> Point at a number to see all its digits.</span>`}</p>
${unprinted(columns.filter((column) => column.isOffPaper || details.includes(column)))}<p class="sub" id="unscripted">Without scripts this table shows ${extent} and cannot be searched or sorted.</p>
<div class="controls" id="controls" hidden><label>Search<input id="search" type="search" autocomplete="off" placeholder="${placeholder}"></label><p id="shown" class="soft" role="status"></p><button type="button" id="download">Download CSV</button>${details.length > 0 && html`<button type="button" id="details" aria-pressed="false">All ${columns.length} columns</button>`}</div>
<div class="scroll all" role="region" aria-label="Table: ${title}" tabindex="0"><table id="rows" data-noun="${noun}" data-file="${downloadName(table)}"${mark}${details.length > 0 && html` data-main="${main.length}"`}><thead><tr>${head}</tr></thead>
<tbody>${shown}</tbody></table></div>
${rows.length > firstRows && html`<template id="rest">${rows.slice(firstRows)}</template>`}
<p id="more" hidden><button type="button" id="show-all">Show all</button></p></section>`;
}

/* Names the file after its list, so that those of other lists and days can lie next to it. */
function downloadName<Row>({ about: [files, kind, day], noun }: SearchableTable<Row>): string {
  const [first = '', ...others] = files.map((file) =>
    file.replace(/^.*[/\\]/s, '').replace(/(?<=.)\.[^.]*$/s, ''),
  );
  const more = others.length === 0 ? undefined : `and-${others.length}-more`;
  const parts = [cut(first, 60), more, kind, day ?? undefined, noun].filter(Boolean);
  return `${parts.join('-').replace(/[^\p{L}\p{M}\p{N}_.-]+/gu, '-')}.csv`;
}

type ShownColumn<Row> = ReturnType<typeof shownColumns<Row>>['columns'][number];

function splitColumns<Row>(columns: readonly ShownColumn<Row>[]) {
  const rare = columns.filter(({ isDetail }) => isDetail === true).length;
  const shown = Math.min(maxShown, Math.max(minShown, columns.length - rare));
  const none: readonly ShownColumn<Row>[] = [];
  return rare === 0 || columns.length - rare > maxShown
    ? { main: columns, details: none }
    : { main: columns.slice(0, shown), details: columns.slice(shown) };
}

function unprinted<Row>(columns: readonly ShownColumn<Row>[]): Content {
  if (columns.length === 0) return false;
  const titles = columns.map(({ title }) => title).join(', ');
  return html`<p class="paper sub">Not on paper, but in the page and its CSV: ${titles}.</p>`;
}

/* A value that all rows share takes one sentence instead of a column. */
function shownColumns<Row>({ columns, rows }: SearchableTable<Row>) {
  const all = columns.map((column) => {
    const cells = rows.map((row) => cellOf(column.cell(row)));
    const texts = new Set(cells.map(({ text, exact = text, mark = '' }) => `${exact}${mark}`));
    const isNote = cells.some(({ text }) => text.length > maxLine);
    return { ...column, cells, isNote, isEmpty: cells.every(isEmpty), isSame: texts.size === 1 };
  });
  const same = all.filter(
    ({ isEmpty: none, isSame }, index) => index > 0 && isSame && !none && rows.length > 1,
  );
  const list = same.map(({ title, cells: [cell] }) => `${title} ${cell?.text}${cell?.mark ?? ''}`);
  const found = all.filter(
    (column, index) => index === 0 || !(column.isEmpty || same.includes(column)),
  );
  return {
    columns: found.toSorted((a, b) => Number(a.isDetail ?? false) - Number(b.isDetail ?? false)),
    same: same.length > 0 && ` The same in every row: ${list.join(', ')}.`,
  };
}

function cellOf(cell: Cell | string | number | undefined): Cell {
  return typeof cell === 'object' ? cell : { text: String(cell ?? '') };
}

function isEmpty({ text }: Cell): boolean {
  return text === '';
}

/** Returns the cell of a column of facts; undefined without a value. */
export function factCell<Row>(
  column: FactTable<Row>['columns'][number],
  row: Row,
): Cell | undefined {
  const text = cellText(column, row);
  return text === missingText ? undefined : { text, exact: cellText(column, row, 'exact') };
}

/*
 * Short, because thousands of rows have them: `t` for text, one class for texts that wrap, and `s`
 * for a screen only.
 */
function cellClasses(kind: 'text' | 'number', tone: string, isNote: boolean): readonly string[] {
  if (tone === 'note' || tone === 'long') return [tone];
  const type = kind === 'text' ? [isNote ? 'note' : 't'] : [];
  return tone === '' ? type : [...type, tone];
}

function classes(...names: readonly (string | false | undefined)[]): Content {
  const known = names.filter(Boolean);
  return known.length > 0 && attribute('class', known.join(' '));
}
