/*
 * What one record says, and every field of it, unknown ones included: tables in a terminal,
 * otherwise a line `path: value` for each value, with the unit of emissions. Paths are those of jq.
 */
import { isObject } from '../../client/api/ids.ts';
import type { RecordResponse } from '../../client/api/responses.ts';
import { shownFields } from '../../client/api/shown-fields.ts';
import type { FrameColumn, renderFrame } from '../../display/terminal/columns.ts';
import { figure, invalidText, plainNumber, scoreText } from '../../display/terminal/figure.ts';
import { sanitize } from '../../display/terminal/sanitize.ts';
import { joinBlocks, missingText, titleLines } from '../../display/terminal/section.ts';
import { layoutColumns, type RecordView } from '../../display/terminal/style.ts';
import { pad, width, wrap } from '../../display/terminal/text.ts';
import { withUnit } from '../../portfolio/organizations/statements.ts';
import { openingFacts, openingLines } from './record-opening.ts';

/* A table of items shows so many side by side. */
const itemsAtOnce = 4;
const maxDepth = 40;
const maxItems = 10_000;
const hidden = 'more (use --json)';

const scorePaths: ReadonlySet<string> = new Set(
  shownFields.filter(({ kind }) => kind === 'score').map(({ path }) => path.join('.')),
);

interface Leaf {
  readonly path: string;
  readonly value: unknown;
}

/**
 * Renders the JSON text of a record. Scores are 0 to 100; everything else is as received, but for
 * separators in a terminal.
 * @param frame draws tables; a pipe does not load it
 */
export function renderEveryField(
  { json, record: read }: Pick<RecordResponse, 'json' | 'record'>,
  view: RecordView,
  frame: typeof renderFrame | undefined,
): string {
  const record = limited(JSON.parse(json));
  const lines =
    frame === undefined
      ? [
          ...openingFacts(read, view)
            .filter(([label, text]) => text && !hasOwnField.includes(label))
            .map(([label, text]) => `${label}: ${sanitize(text ?? '')}`),
          ...leavesOf(record).map(
            (leaf) => `${leaf.path}: ${textWithUnit(leaf, view.unit ?? null)}`,
          ),
        ]
      : terminalLines(
          record,
          view,
          frame,
          openingLines(read, { ...view, columns: layoutColumns(view) }),
        );
  return lines.map((line) => `${line}\n`).join('');
}

/* Lines of the opening that fields repeat. */
const hasOwnField: readonly string[] = ['name', 'status', 'research'];

function textWithUnit({ path, value }: Leaf, unit: string | null): string {
  const text = textOf(path, value);
  return typeof value === 'number' && isOfEmissions(path) ? withUnit(text, unit) : text;
}

/* Amounts have separators in a terminal; what has no known meaning may be a number of something. */
function textOnScreen({ path, value }: Leaf): string {
  const isAmount = isOfEmissions(path) || /^performances\[\d+\]\.revenue$/.test(path);
  return typeof value === 'number' && Number.isFinite(value) && isAmount
    ? figure(value).exact
    : textOf(path, value);
}

function isOfEmissions(path: string): boolean {
  return /\.emissions\./.test(path);
}

/* A hostile service nests without end, or sends lists that no one reads. */
function limited(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= maxDepth) return hidden;
  if (Array.isArray(value)) {
    const items = value.slice(0, maxItems).map((item) => limited(item, depth + 1));
    return value.length > maxItems ? [...items, hidden] : items;
  }
  const members = Object.entries(value).slice(0, maxItems);
  return Object.fromEntries(members.map(([name, member]) => [name, limited(member, depth + 1)]));
}

function terminalLines(
  record: unknown,
  view: RecordView,
  frame: typeof renderFrame,
  opening: string[],
): string[] {
  const { style } = view;
  const columns = layoutColumns(view);
  const blocks = tablesOf('', record).map(({ title, head, rows: all }) => {
    const isMissing = ([, ...texts]: readonly string[]) =>
      texts.every((text) => text === missingText || text === '');
    const [rows, missing] = [all.filter((row) => !isMissing(row)), all.filter(isMissing)];
    const names = missing.map(([name]) => name).join(', ');
    return [
      ...titleLines(sanitize(title), undefined, columns, style),
      ...(rows.length === 0 ? [] : fieldLines({ title, head, rows }, view, frame)),
      ...(missing.length === 0 ? [] : wrap(`No value: ${names}`, columns)),
    ];
  });
  return joinBlocks([opening, ...blocks]);
}

interface FieldTable {
  readonly title: string;
  readonly head: readonly FrameColumn[];
  readonly rows: readonly (readonly string[])[];
}

const fieldColumn: FrameColumn = { title: 'Field', wraps: true };

/* Where full paths have no room, those with the same start stand below it. */
function fieldLines(
  { head, rows }: FieldTable,
  view: RecordView,
  frame: typeof renderFrame,
): readonly string[] {
  const { style } = view;
  const columns = layoutColumns(view);
  const whole = (text: string) => width(text);
  if (sizeOf(head, rows, whole) <= columns) return frame(head, rows, style, columns).lines;
  const below = grouped(rows);
  const longestWord = (text: string, column: number) =>
    column === 0 ? width(text) : Math.max(...text.split(/ +/).map(width));
  const [field, ...others] = head;
  if (field !== undefined && sizeOf(head, below, longestWord) <= columns)
    return frame([{ ...field, wraps: false }, ...others], below, style, columns).lines;
  if (head.length === 2) return pairLines(below, columns);
  return (
    longNamedLines({ head, rows: below }, view, frame) ?? frame(head, rows, style, columns).lines
  );
}

/*
 * A table in which a name without room for its values stands above them; undefined if the values
 * have no room in lines.
 */
function longNamedLines(
  { head, rows }: Pick<FieldTable, 'head' | 'rows'>,
  view: RecordView,
  frame: typeof renderFrame,
): readonly string[] | undefined {
  const { style } = view;
  const columns = layoutColumns(view);
  const [field = fieldColumn, ...others] = head;
  const values = sizeOf(head, rows, (text, column) => (column === 0 ? 0 : width(text)));
  if (values > columns) return undefined;
  const room = columns - values + width(field.title);
  const isLong = ([name = '']: readonly string[]) => width(name) > room;
  const beside = rows.map((row) => (isLong(row) ? ['', ...row.slice(1)] : row));
  const { lines } = frame([{ ...field, wraps: false }, ...others], beside, style, columns);
  const heads = lines.length - rows.length;
  return lines.flatMap((line, at) => {
    const row = rows[at - heads] ?? [];
    const name = isLong(row) ? wrapWithIndent(row[0] ?? '', columns) : [];
    return line === '' ? name : [...name, line];
  });
}

/* A name that is wider than the terminal breaks. */
function wrapWithIndent(name: string, columns: number): readonly string[] {
  if (width(name) <= columns) return [name];
  const indent = ' '.repeat(name.length - name.trimStart().length);
  return wrap(name.trim(), columns - indent.length).map((line) => indent + line);
}

const gap = 2;

/* The columns that a table takes if each cell takes those of `measure`. */
function sizeOf(
  head: readonly FrameColumn[],
  rows: readonly (readonly string[])[],
  measure: (text: string, column: number) => number,
): number {
  const sizes = head.map(({ title }, column) =>
    rows.reduce((most, row) => Math.max(most, measure(row[column] ?? '', column)), width(title)),
  );
  return sizes.reduce((sum, size) => sum + size + gap, -gap);
}

function grouped(rows: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const groupOf = ([name = '']: readonly string[] = []) => /^(.+)\.[a-z_]\w*$/i.exec(name)?.[1];
  return rows.flatMap((row, at) => {
    const group = groupOf(row);
    const isFirst = group !== groupOf(rows[at - 1]);
    if (group === undefined || (isFirst && group !== groupOf(rows[at + 1]))) return [row];
    const [name = '', ...texts] = row;
    const own = [`  ${name.slice(group.length + 1)}`, ...texts];
    return isFirst ? [[group, ...texts.map(() => '')], own] : [own];
  });
}

/* A field and its value on a line; a value without room there, such as an address, below. */
function pairLines(rows: readonly (readonly string[])[], columns: number): readonly string[] {
  const most = rows.reduce((size, [name = '']) => Math.max(size, width(name)), 0);
  const room = columns - most - gap;
  return rows.flatMap(([name = '', text = '']) => {
    if (width(text) <= room) return `${pad(name, most + gap)}${text}`.trimEnd();
    const names = width(name) > columns ? wrap(name, columns) : [name];
    return [
      ...names,
      ...wrap(text, columns - 2 * gap).map((line) => `${' '.repeat(2 * gap)}${line}`),
    ];
  });
}

/* The table of a part of the record, then those of the lists in it. */
function tablesOf(path: string, part: unknown): FieldTable[] {
  const { leaves, lists } = split(path, part);
  const rows = leaves.map((leaf) => [nameIn(path, leaf.path), textOnScreen(leaf)]);
  const head = [fieldColumn, { title: 'Value', wraps: true }];
  const own = rows.length === 0 ? [] : [{ title: path || 'record', head, rows }];
  return [...own, ...lists.flatMap((list) => tablesOfItems(list.path, list.items))];
}

/* A row for each field and a column for each item, a few items at once. */
function tablesOfItems(path: string, items: readonly unknown[]): FieldTable[] {
  const parts = items.map((item, index) => split(`${path}[${index}]`, item));
  const tables: FieldTable[] = [];
  for (let first = 0; first < parts.length; first += itemsAtOnce) {
    const shown = parts.slice(first, first + itemsAtOnce);
    const texts = shown.map(
      ({ leaves }, place) =>
        new Map(
          leaves.map((leaf) => [
            nameIn(`${path}[${first + place}]`, leaf.path),
            textOnScreen(leaf),
          ]),
        ),
    );
    const names = [...new Set(texts.flatMap((text) => [...text.keys()]))];
    const head = [
      fieldColumn,
      ...shown.map((_, place) => ({ title: `[${first + place}]`, wraps: true })),
    ];
    const rows = names.map((name) => [name, ...texts.map((text) => text.get(name) ?? '')]);
    if (rows.length > 0) tables.push({ title: path, head, rows });
  }
  return [
    ...tables,
    ...parts.flatMap(({ lists }) => lists.flatMap((list) => tablesOfItems(list.path, list.items))),
  ];
}

/* The values of a part, without those of the lists of objects in it, which are tables. */
function split(path: string, part: unknown) {
  const leaves: Leaf[] = [];
  const lists: { readonly path: string; readonly items: readonly unknown[] }[] = [];
  const walk = (at: string, value: unknown) => {
    if (isList(value)) lists.push({ path: at, items: value });
    else if (isObject(value) && Object.keys(value).length > 0)
      for (const [name, member] of Object.entries(value)) walk(memberPath(at, name), member);
    else leaves.push({ path: at, value });
  };
  walk(path, part);
  return { leaves, lists };
}

function leavesOf(record: unknown): Leaf[] {
  const leaves: Leaf[] = [];
  const walk = (path: string, value: unknown) => {
    if (isList(value)) for (const [index, item] of value.entries()) walk(`${path}[${index}]`, item);
    else if (isObject(value) && Object.keys(value).length > 0)
      for (const [name, member] of Object.entries(value)) walk(memberPath(path, name), member);
    else leaves.push({ path, value });
  };
  walk('', record);
  return leaves;
}

/* Whether a value is an array of more than plain values, which fit into one cell. */
function isList(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.some((item) => typeof item === 'object' && item !== null);
}

function memberPath(path: string, name: string): string {
  const word = /^[a-z_]\w*$/i.test(name) ? name : JSON.stringify(sanitize(name));
  return path === '' ? word : `${path}.${word}`;
}

function nameIn(path: string, whole: string): string {
  const name = whole.startsWith(path) ? whole.slice(path.length).replace(/^\./, '') : whole;
  return name || 'value';
}

function textOf(path: string, value: unknown): string {
  if (value === null) return missingText;
  // JSON may have a number that no program can hold, such as 1e400.
  if (typeof value === 'number' && !Number.isFinite(value)) return invalidText(value);
  if (typeof value === 'number')
    return scorePaths.has(path) ? scoreText(value) : plainNumber(value);
  if (Array.isArray(value))
    return value.length === 0 ? 'none' : value.map((item) => textOf('', item)).join(', ');
  if (isObject(value)) return 'none';
  return sanitize(String(value));
}
