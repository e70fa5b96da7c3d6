/*
 * Sections of facts, which views build from values. The layouts for a terminal and for a pipe share
 * the same facts, so they differ only in looks. Untrusted text is sanitized here, where facts
 * become lines.
 */

import { kindOf } from '../query/kinds.ts';
import type { Column, ColumnValue } from '../query/query.ts';
import type { renderFrame } from './columns.ts';
import { type Figure, figure, numberFormats } from './figure.ts';
import { fieldText } from './format.ts';
import { bar } from './pictures.ts';
import { sanitize } from './sanitize.ts';
import { layoutColumns, paintMark, type Style, type View } from './style.ts';
import { capital, pad, truncate, width, wrap, wrapList, wrapWords } from './text.ts';

/**
 * A named value of a fact; the name of the first is usually empty. Plain numbers are ids and years,
 * shown without separators.
 */
export type Detail = readonly [
  name: string,
  value: string | number | Pick<Figure, 'plain' | 'rounded'> | null | undefined,
];

/** A fact: one row on a terminal, one line in a pipe. */
export interface Fact {
  readonly label: string;
  readonly details: readonly Detail[];
  readonly tick?: boolean | null | undefined;
}

export interface Section {
  readonly name: string;
  readonly note?: string | undefined;
  readonly prefix?: string;
  readonly facts: readonly Fact[];
  /** Whether a terminal shows the name; true by default. */
  readonly hasTitle?: boolean;
  /** Returns the lines for a terminal, if they are not those of the facts. */
  readonly renderTerminal?: (
    columns: number,
    style: Style,
    frame: RenderFrame,
    pictures?: boolean,
  ) => string[];
}

/** Draws a table; a pipe, which has none, does not load the layout of tables. */
type RenderFrame = typeof renderFrame;

/** What a section is drawn on. */
interface Canvas {
  readonly columns: number;
  readonly style: Style;
  readonly frame: RenderFrame;
  readonly pictures?: boolean | undefined;
}

/**
 * Renders sections and the notes on them as lines `label: value` and `note: text` for a pipe.
 */
export function renderPlainSections(all: readonly Section[], notes: readonly string[]): string {
  return [...all.flatMap(plainLines), ...notes.map((note) => `note: ${sanitize(note)}`)]
    .map((line) => `${line}\n`)
    .join('');
}

/** What a terminal shows of a result. */
export interface Screen {
  readonly text: string;
  /** Which option adds what: the last line of all that a command prints; empty without any. */
  readonly more: string;
}

/**
 * Returns a screen.
 * @param more which option adds what to the text
 */
export function screenOf(text: string, more: string | undefined, view: View): Screen {
  if (more === undefined) return { text, more: '' };
  return { text, more: `\n${wrap(sanitize(more), layoutColumns(view)).join('\n')}\n` };
}

/**
 * Renders sections and the notes on them below titles, for a terminal of 40 columns or more. Leaves
 * out empty sections.
 */
export async function renderSections(
  all: readonly Section[],
  notes: readonly string[],
  view: View,
): Promise<string> {
  const { style } = view;
  const sections = all.filter(({ facts }) => facts.length > 0);
  const { renderFrame } = await import('./columns.ts');
  const columns = layoutColumns(view);
  const canvas = { columns, style, frame: renderFrame, pictures: view.pictures };
  const warnings = notes.flatMap((note) =>
    wrap(sanitize(note), columns - 2).map((line, index) =>
      index === 0 ? paintMark(`! ${line}`, 'bold', style) : `  ${line}`,
    ),
  );
  return joinBlocks([...sections.map((section) => sectionLines(section, canvas)), warnings])
    .map((line) => `${line}\n`)
    .join('');
}

export function joinBlocks(blocks: readonly (readonly string[])[]): string[] {
  return blocks
    .filter((block) => block.length > 0)
    .flatMap((block, index) => (index === 0 ? block : ['', ...block]));
}

function isKnown(section: Section): boolean {
  return section.facts.some((fact) => knownDetails(fact, 'plain').length > 0);
}

/** Renders a section as lines `label: value, name value`. */
export function plainLines(section: Section): string[] {
  return section.facts.flatMap((fact) => {
    const details = knownDetails(fact, 'plain');
    if (details.length === 0) return [];
    const label = [section.prefix, fact.label].filter(Boolean).join(' ');
    const values = details.map(([name, value]) => (name ? `${name} ${value}` : value));
    // A label has only characters that every keyboard has.
    return `${label.replace(/[^ -~]+/g, '')}: ${values.join(', ')}`;
  });
}

/** Renders a section for a terminal under its title; a section without data has no lines. */
export function sectionLines(
  section: Section,
  { columns, style, frame, pictures = false }: Canvas,
): string[] {
  if (!isKnown(section)) return [];
  const body =
    section.renderTerminal?.(columns, style, frame, pictures) ??
    factLines(section.facts, columns, style);
  if (section.hasTitle === false) return body;
  const [title, note] = [sanitize(capital(section.name)), section.note && sanitize(section.note)];
  return [...titleLines(title, note, columns, style), ...body];
}

export function indent(line: string): string {
  return `  ${line}`;
}

/** Renders a title with a note beside it, or below it when the line would be too long. */
export function titleLines(
  title: string,
  note: string | undefined,
  columns: number,
  style: Style,
): readonly string[] {
  if (note && width(title) + 2 + width(note) <= columns) return [`${style.bold(title)}  ${note}`];
  const notes = note ? wrap(note, columns - 2) : [];
  return [...wrap(title, columns).map(style.bold), ...notes.map(indent)];
}

/** The columns of a label that is a number, which leave the others to addresses and sentences. */
export const numberWidth = 4;

/** Renders facts as rows of label and value, the values in one column. */
export function factLines(
  facts: readonly Fact[],
  columns: number,
  style: Style,
  minLabelWidth = 16,
): string[] {
  const rows = facts.map((fact) => ({ fact, details: knownDetails(fact, 'rounded') }));
  const shown = rows.filter(({ details }) => details.length > 0);
  const labelWidth = shown.reduce(
    (max, { fact }) => Math.max(max, width(sanitize(fact.label)) + 2),
    minLabelWidth,
  );
  const labelColumn = Math.min(labelWidth, Math.floor(columns / 2));
  return shown.flatMap(({ fact, details }) => {
    const values = details.map(([name, text]) => (name ? `${name} ${text}` : text));
    const lines = valueLines(fact, values, columns - labelColumn - 2, style);
    const labels = wrap(capital(sanitize(fact.label).trim()), labelColumn - 2);
    return Array.from({ length: Math.max(labels.length, lines.length) }, (_, index) =>
      `  ${pad(labels[index] ?? '', labelColumn)}${lines[index] ?? ''}`.trimEnd(),
    );
  });
}

function valueLines(
  fact: Fact,
  values: readonly string[],
  columns: number,
  style: Style,
): string[] {
  if (typeof fact.tick !== 'boolean') return wrapList(values, columns);
  const mark = fact.tick ? style.green('✓ ') : '✗ ';
  return wrapList(values, columns - 2).map((line, index) => (index === 0 ? mark : '  ') + line);
}

function knownDetails(
  fact: Fact,
  length: 'plain' | 'rounded',
): (readonly [name: string, value: string])[] {
  const all = fact.details.map(([name, value]) => {
    const text = typeof value === 'object' ? value?.[length] : value;
    return [sanitize(name), sanitize(String(text ?? '')).trim()] as const;
  });
  const details = all.filter(([, value]) => value !== '');
  const lacksFirst = all[0]?.[0] === '' && all[0][1] === '' && details.length > 0;
  return lacksFirst ? [['', 'no data'], ...details] : details;
}

/** What a row is of the rows around it. */
export type RowLevel = 'sum' | 'part';

/** A table whose rows are facts. */
export interface FactTable<Row> {
  readonly title: string;
  readonly note?: string | undefined;
  /** Text before each label in a pipe, the title by default. */
  readonly prefix?: string;
  readonly head: string;
  label(row: Row): string;
  /** Whether a row is a sum, or a part of a sum that stands above it; neither by default. */
  levelOf?(row: Row): RowLevel | undefined;
  /** What a terminal has in place of long labels, and what explains it after the note. */
  readonly onScreen?:
    | {
        label(row: Row): string;
        readonly note?: string | undefined;
        /** How many columns of it remain if the table is too wide; those of a name by default. */
        readonly cutsTo?: number;
      }
    | undefined;
  /** Whether a terminal wraps long labels, which are no names, rather than cutting them. */
  readonly wrapsLabel?: boolean;
  /** The first column of a sheet, where labels are codes or numbers. */
  readonly key?: Pick<Column<Row>, 'kind' | 'value'>;
  /** Whether a chart of the page has its figures. */
  readonly isCharted?: boolean;
  /** Whether the names are not those of this program, so that a pipe numbers the rows. */
  readonly isNumbered?: boolean;
  /** Whether its texts are too long for columns, so that a terminal has a list instead. */
  readonly isProse?: boolean;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** The unit of emissions: after each of them in a pipe, in the note elsewhere. */
  readonly unit?: string | null | undefined;
  /** Option that shows every column; a terminal without room for all says so. */
  readonly everyColumn?: string;
  /** The share from 0 to 1 that a page and a terminal show as a bar. */
  readonly bar?: (row: Row) => number | null;
  /** Name of the column that a terminal draws the bar after; the last one by default. */
  readonly barAfter?: string;
  /** Columns of the bar of a share of 1 in a terminal with room for it; 10 by default. */
  readonly barColumns?: number;
  /** What to do next, a line under the table in a terminal. */
  readonly next?: string | undefined;
  /**
   * Its place in a terminal, and the number of its rows there, if not all that a full view has.
   * Other tables are only in a full view.
   */
  readonly brief?: {
    readonly place: number;
    readonly rows?: number;
    /** Names of columns that leave first there, even if the table always has them elsewhere. */
    readonly mayLeave?: readonly string[];
  };
  /** Whether a terminal shows the ranks of the rows. */
  readonly isRanked?: boolean;
}

export function amount<Row>(
  name: string,
  title: string,
  value: (row: Row) => number | null | undefined,
  length: 'rounded' | 'compact' = 'rounded',
): Column<Row> {
  const text = (row: Row) => {
    const number = value(row) ?? null;
    return number === null ? '' : figure(number)[length];
  };
  return { name, title, description: '', kind: 'amount', value, text };
}

/** Defines a column of emissions. */
export function emissionsColumn<Row>(
  name: string,
  title: string,
  value: (row: Row) => number | null | undefined,
  length: 'rounded' | 'compact' = 'rounded',
): Column<Row> {
  return { ...amount(name, title, value, length), kind: 'emissions' };
}

/** Defines a column of numbers of things. */
export function countOf<Row>(
  name: string,
  title: string,
  value: (row: Row) => number | null | undefined,
): Column<Row> {
  return { ...amount(name, title, value), kind: 'count' };
}

/** Defines a column of texts, which are shown in full. */
export function text<Row>(
  name: string,
  title: string,
  value: (row: Row) => ColumnValue,
): Column<Row> {
  return {
    name,
    title,
    description: '',
    kind: 'text',
    value,
    text: (row) => String(value(row) ?? ''),
  };
}

/** Defines a column of texts that wrap rather than being left out. */
export function noteText<Row>(
  name: string,
  title: string,
  value: (row: Row) => ColumnValue,
): Column<Row> {
  return { ...text(name, title, value), kind: 'note', isKept: true };
}

export function tableSection<Row>(table: FactTable<Row>): Section {
  const { title, prefix, rows, columns, label, isNumbered, isProse } = table;
  const { everyColumn, unit } = table;
  const facts = rows.map((row, index) => ({
    label: isNumbered ? String(index + 1) : label(row),
    details: [
      ...(isNumbered ? [['', label(row)] as const] : []),
      ...columns.map((column) => {
        const shown = cellText(column, row);
        const value = column.value(row);
        const { written, hasUnit } = kindOf(column.kind);
        const isShare = (written === 'percent' || written === 'tenths') && value !== null;
        // A text has its unit where it belongs, such as before the number of companies.
        const number = hasUnit && typeof value === 'number' ? inUnit(value, unit) : plain(value);
        return [column.name, isShare ? shown.replace('−', '-') : number] as const;
      }),
    ],
  }));
  return {
    name: title,
    note: [noteOf(table), table.onScreen?.note].filter(Boolean).join(' · ') || undefined,
    prefix: prefix ?? title.toLowerCase(),
    facts,
    renderTerminal(available, style, frame, pictures) {
      if (isProse && isNumbered)
        // The numbers of a pipe are not the ranks of another table.
        return factLines(
          facts.map(({ details }) => ({ label: '', details })),
          available,
          style,
          0,
        );
      if (isProse) return factLines(facts, available, style);
      const wide = table.barColumns ?? barColumns;
      const canvas = { columns: available - 2, style, frame };
      let drawn = drawTable(table, canvas, pictures ? wide : 0);
      if (pictures && !drawn.hasBars && wide > barColumns)
        drawn = drawTable(table, canvas, barColumns);
      const { lines, leftOut } = drawn;
      const text = `No room for ${leftOut.join(', ')}. For all columns, add ${everyColumn}`;
      const isSaid = everyColumn !== undefined && leftOut.length > 0;
      const note = isSaid ? wrapWords(text, available - 2) : [];
      const next = table.next === undefined ? [] : wrapWords(table.next, available - 2);
      return [...lines, ...note, ...next].map(indent);
    },
  };
}

/** Returns the note of a table with the unit of its emissions. */
export function noteOf<Row>({ note, unit, columns }: FactTable<Row>): string | undefined {
  const hasUnit = unit && columns.some(({ kind }) => kindOf(kind).hasUnit);
  return [hasUnit && `emissions in ${unit}`, note].filter(Boolean).join(' · ') || undefined;
}

const barColumns = 10;

/* Draws a table, with bars if they have room. */
function drawTable<Row>(
  { head, label, columns, rows, ...table }: FactTable<Row>,
  { columns: available, style, frame }: Canvas,
  barWidth: number,
) {
  const bars = rows.map((row) => (barWidth > 0 ? bar(table.bar?.(row) ?? 0, barWidth) : ''));
  const texts = columns.flatMap((column, index) => {
    const title = column.title ?? column.name;
    const cells = rows.map((row) => cellText(column, row));
    const leaves = index > 0 && column.isKept !== true ? columns.length - index : undefined;
    const leavesFirst = column.leavesFirst ?? leaves;
    const { align } = kindOf(column.kind);
    // Without bars no value is lost, so that they leave before all but details.
    const drawn = { title: '', align: 'left' as const, leavesFirst: 0, cells: bars };
    const isLast = (table.barAfter ?? columns.at(-1)?.name) === column.name;
    const wraps = column.kind === 'note';
    return [{ title, align, leavesFirst, wraps, cells }, ...(isLast ? [drawn] : [])];
  });
  const isKnown = (cell: string) => cell !== missingText && cell !== '';
  const shown = texts.filter(({ cells }) => cells.some(isKnown));
  const nameOf = (row: Row) => {
    const name = sanitize((table.onScreen?.label ?? label)(row)).trim();
    return table.levelOf?.(row) === 'part' ? `  ${name}` : name;
  };
  const names = rows.map(nameOf);
  const ranks = rows.map((_, index) => String(index + 1));
  const ranked = table.isRanked ? [{ title: '', align: 'right' as const, cells: ranks }] : [];
  const all = [
    ...ranked,
    {
      title: head,
      ...(table.wrapsLabel ? { wraps: true } : { cutsTo: table.onScreen?.cutsTo ?? 20 }),
      cells: names,
    },
    ...shown,
  ];
  const cells = rows.map((_, row) => all.map((column) => column.cells[row] ?? ''));
  const { lines, leftOut } = frame(all, cells, style, available);
  const titles = leftOut.map(({ title }) => title).filter((title) => title !== '');
  return { lines, leftOut: titles, hasBars: titles.length === leftOut.length };
}

/** What stands for a missing value on a terminal and on a page. */
export const missingText = '–';

/* A longer text, such as the description of targets, gets an ellipsis. */
const maxTextWidth = 60;
/* A note wraps. */
const maxNoteWidth = 600;

/** Returns the text of a value on a terminal and on a page. */
export function cellText<Row>(
  column: Column<Row>,
  row: Row,
  length: 'compact' | 'exact' = 'compact',
): string {
  if (column.text !== undefined) return sanitize(column.text(row, length)).trim() || missingText;
  const { type, written } = kindOf(column.kind);
  const value = column.value(row);
  const most = column.kind === 'note' ? maxNoteWidth : maxTextWidth;
  if (type !== 'number') return truncate(fieldText(value), most) || missingText;
  // A number that cannot be right is a text that says so.
  if (typeof value === 'string') return sanitize(value) || missingText;
  if (typeof value !== 'number') return missingText;
  if (written === 'plain') return String(value);
  if (written === 'tenths') return value.toFixed(1);
  return written === 'percent' ? numberFormats.share(value) : figure(value)[length];
}

/** Writes emissions in a pipe, in their unit if it is known. */
export function inUnit(value: ColumnValue, unit: string | null | undefined): string | null {
  const number = plain(value);
  return number === null || !unit ? number : `${number} ${unit}`;
}

/** Writes a value in a pipe: without separators, exponent and digits that do not matter. */
export function plain(value: ColumnValue): string | null {
  if (typeof value === 'string') return value;
  if (typeof value !== 'number') return null;
  const size = Math.abs(value);
  return size >= 100 && size < 1e15 ? String(Math.round(value)) : numberFormats.plain(value);
}
