/* Tables for a terminal. */

import { type KindName, kindOf } from '../../display/query/kinds.ts';
import type { Column, ColumnValue, Footnote } from '../../display/query/query.ts';
import { type Frame, renderFrame } from '../../display/terminal/columns.ts';
import { bar } from '../../display/terminal/pictures.ts';
import { cellText, missingText } from '../../display/terminal/section.ts';
import {
  describeStatus,
  layoutColumns,
  paintMark,
  type RecordView,
  type StatusLook,
  type Style,
  syntheticNote,
} from '../../display/terminal/style.ts';
import { capital, pad, truncate, width, wrap, wrapWords } from '../../display/terminal/text.ts';
import { figureBases } from '../../portfolio/organizations/emissions.ts';
import { unitInWords } from '../../portfolio/organizations/statements.ts';

/**
 * Renders rows for a terminal under the titles of their columns. No line is wider than the
 * terminal.
 * @param more.isUsual whether nobody chose the columns: numbers are then short, the status is a
 * mark before the name, and columns without room are left out
 */
export function renderTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  view: RecordView,
  { isUsual = false }: { readonly isUsual?: boolean | undefined } = {},
): string {
  if (rows.length === 0) return '';
  const available = layoutColumns(view);
  const shown = columns.filter(({ picture }) => picture === undefined || view.pictures);
  const lines = [
    ...tableLines(shown, rows, { available, style: view.style, isUsual }),
    ...unitLines(shown, rows, view, available),
    ...(view.synthetic ? wrap(syntheticNote(), available).map(view.style.bold) : []),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

/* Says the unit of emissions, if nothing else does and some are known. */
function unitLines<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { unit }: RecordView,
  available: number,
): string[] {
  const hasUnit = columns.some(
    ({ kind, value }) => kindOf(kind).hasUnit && rows.some((row) => (value(row) ?? '') !== ''),
  );
  return unit === undefined || !hasUnit ? [] : wrapWords(capital(unitInWords(unit)), available);
}

interface TableLayout {
  /** The columns that a line may have. */
  readonly available: number;
  readonly style: Style;
  /** As `renderTable` describes. */
  readonly isUsual: boolean;
}

/** Renders rows in lines, with one that explains the marks. */
export function tableLines<Row>(
  all: readonly Column<Row>[],
  rows: readonly Row[],
  { available, style, isUsual }: TableLayout,
): string[] {
  const marks = new Set<string>();
  const status = isUsual ? all.find(({ kind }) => kind === 'status') : undefined;
  const error = isUsual ? all.find(({ kind }) => kind === 'error') : undefined;
  const columns = all.filter((column) => column !== status && column !== error);
  const errors = rows.map((row) => Boolean(error?.value(row)));
  const looks = rows.map((row) => status && describeStatus(status.value(row) as string | null));
  const texts = columns.map((column) => {
    // They are as long as there is room.
    if (column.picture === 'bar') return [];
    if (column.picture === 'spark') return rows.map((row) => String(column.value(row) ?? ''));
    const own = rows.map((row) => cellText(column, row, isUsual ? 'compact' : 'exact'));
    const cells = withCounts(own, column, rows);
    if (status && column.kind === 'name')
      return cells.map((cell, row) => {
        const { glyph = '', research = 'complete' } = looks[row] ?? {};
        const found = research === 'complete' ? [] : [glyph];
        return [...(errors[row] ? [errorMark] : []), ...found, cell].join(' ');
      });
    if (kindOf(column.kind).type !== 'number')
      return cells.map((cell) => painters[column.kind]?.(cell, style) ?? cell);
    const found = cells.map(markOf);
    for (const mark of found) marks.add(mark);
    return withMarks(cells, column, rows, found);
  });
  const frame = columns.map(({ name, kind, title = name, heading, picture, ...column }) => {
    const { align, room, leavesOut } = kindOf(kind);
    const { isKept, leavesFirst = leavesOut } = column;
    // One word more must not make two lines of each row.
    const isShort = isUsual && isKept && kind === 'text';
    return {
      title,
      heading: picture && heading,
      isPicture: picture !== undefined,
      align: picture ? ('left' as const) : align,
      wraps: room === 'wraps' && picture === undefined && !isShort,
      ...(room === 'cuts' || isShort ? { cutsTo: 8 } : {}),
      leavesFirst: isUsual && !isKept ? leavesFirst : undefined,
    };
  });
  const cellsWith = (barLength: number) =>
    columns.map((column, at) =>
      column.picture === 'bar' ? bars(column, rows, barLength) : (texts[at] ?? []),
    );
  const barLength = columns.some(({ picture }) => picture === 'bar')
    ? longestBar((length) => {
        // A row of the widest cells needs as much room as all rows.
        const cells = cellsWith(length).map((all) => all.reduce(wider, ''));
        return renderFrame(frame, [cells], style, available);
      })
    : 0;
  const shownCells = cellsWith(barLength);
  const cells = rows.map((_, row) => shownCells.map((column) => column[row] ?? ''));
  const { lines, leftOut } = renderFrame(frame, cells, style, available);
  const counts = columns.some(({ count }) => count !== undefined) ? [countNote] : [];
  const footnotes = new Set(
    columns.flatMap(({ footnote, value }) =>
      footnote && rows.some((row) => isMarked(footnote, row, value(row)))
        ? [`${footnote.mark} ${footnote.meaning}`]
        : [],
    ),
  );
  const wrong = errors.includes(true) ? [`${errorMark} cannot be right, see carbon check`] : [];
  const shown = columns.filter(({ title = '' }) => !leftOut.some((each) => each.title === title));
  const isGiven = (title: string) => columns.some((each) => each.isGiven && each.title === title);
  const titles = leftOut
    .map(({ title, heading = '' }) => title || heading)
    .filter((title) => title !== '' && !isGiven(title));
  const named = titles.map((title) => title.charAt(0).toLowerCase() + title.slice(1)).join(', ');
  const note = `No room for ${named}. For all columns, add -o list.xlsx`;
  return [
    ...lines,
    ...legend(
      marks,
      looks,
      [...footnotes, ...sparkNotes(shown, all, rows), ...counts, ...wrong],
      available,
    ),
    ...(titles.length > 0 ? wrapWords(note, available) : []),
  ];
}

const countNote = 'in parentheses: how many have the figure';

/* Adds how many rows each number is of, so that it needs no column of its own. */
function withCounts<Row>(
  cells: readonly string[],
  { count }: Column<Row>,
  rows: readonly Row[],
): readonly string[] {
  if (count === undefined) return cells;
  const counts = rows.map((row) => `(${count(row) ?? 0})`);
  const columns = Math.max(...counts.map((text) => text.length));
  return cells.map((cell, row) => `${cell} ${pad(counts[row] ?? '', columns, 'left')}`);
}

/* Adds footnotes, and room after the other cells so that their digits are aligned. */
function withMarks<Row>(
  cells: readonly string[],
  { footnote, value }: Column<Row>,
  rows: readonly Row[],
  bases: readonly string[],
): readonly string[] {
  const marks = rows.map((row, index) => {
    const mark = footnote && isMarked(footnote, row, value(row)) ? footnote.mark : '';
    return { mark, length: (bases[index] ?? '').length + mark.length };
  });
  const longest = Math.max(0, ...marks.map(({ length }) => length));
  return cells.map((cell, index) => {
    const { mark = '', length = 0 } = marks[index] ?? {};
    return `${cell}${mark}${' '.repeat(longest - length)}`;
  });
}

function isMarked<Row>({ isAt }: Footnote<Row>, row: Row, value: ColumnValue): boolean {
  return (value ?? '') !== '' && isAt(row);
}

/* The longest bar, and those where room is scarce. */
const barLengths = [10, 7, 4];

/* Finds the longest bar with which the table has most of its pictures: short bars compare, too. */
function longestBar(frameWith: (length: number) => Frame): number {
  let best = 0;
  let fewest = Number.POSITIVE_INFINITY;
  for (const length of barLengths) {
    const lost = frameWith(length).leftOut.filter(({ isPicture }) => isPicture).length;
    if (lost < fewest) [best, fewest] = [length, lost];
    if (lost === 0) break;
  }
  return best;
}

function wider(a: string, b: string): string {
  return width(b) > width(a) ? b : a;
}

function bars<Row>(column: Column<Row>, rows: readonly Row[], columns: number): string[] {
  const values = rows.map((row) => column.value(row));
  const numbers = values.map((value) => (typeof value === 'number' ? value : 0));
  const largest = numbers.reduce((max, value) => Math.max(max, value), 0);
  return numbers.map((value) => bar(value / largest, columns));
}

const painters: Readonly<Partial<Record<KindName, (text: string, style: Style) => string>>> = {
  status(text, style) {
    const { glyph, tone, word } = describeStatus(text === missingText ? undefined : text);
    return paintMark(`${glyph} ${truncate(word, 12)}`, tone, style);
  },
};

/* Before the name of a row with an error of `carbon check`. */
const errorMark = '!';

/* * market-based, ‡ location-based, † sum of the disclosed parts. */
function markOf(text: string): string {
  return /[*†‡]$/.exec(text)?.[0] ?? '';
}

/* Says which years a column draws: up to that of the row. */
function sparkNotes<Row>(
  shown: readonly Column<Row>[],
  all: readonly Column<Row>[],
  rows: readonly Row[],
): string[] {
  const column = shown.find(({ picture }) => picture === 'spark');
  if (column === undefined) return [];
  const year = all.find(({ kind }) => kind === 'year');
  const drawn = rows.filter((row) => Boolean(column.value(row)));
  if (drawn.length === 0) return [];
  const ends = [...new Set(drawn.map((row) => Number(year?.value(row))))];
  const [end = Number.NaN] = ends;
  const years =
    ends.length === 1 && end > 0 ? `of ${end - 2} to ${end}` : 'up to the latest of each company';
  return [`${column.title}: scope 1 + 2 ${years}`];
}

function legend(
  marks: ReadonlySet<string>,
  looks: readonly (StatusLook | undefined)[],
  notes: readonly string[],
  columns: number,
): string[] {
  const used = figureBases.filter(({ mark }) => mark !== '' && marks.has(mark));
  const states = looks.flatMap((look) =>
    look === undefined || look.research === 'complete'
      ? []
      : `${look.glyph} research ${look.research.replace(/,.*/, '')}`,
  );
  const texts = [
    ...used.map(({ mark, meaning }) => `${mark} ${meaning}`),
    ...new Set(states),
    ...notes,
  ];
  return texts.length === 0 ? [] : wrap(texts.join(' · '), columns);
}
