/* A table for a person, in which few columns are open; programs find all of them. */
import { kindOf } from '../../display/query/kinds.ts';
import type { Column } from '../../display/query/query.ts';
import { markedCell } from '../workbook/cells.ts';
import type { CsvValue } from './output-cell.ts';
import type { OutputColumn, OutputValue } from './output-sheet.ts';
import { headersOf } from './sheet-headers.ts';
import { type UsefulColumns, usefulColumns } from './useful-columns.ts';

export interface FoldedTable extends Pick<UsefulColumns, 'legend' | 'equal'> {
  readonly columns: readonly (OutputColumn & { readonly isFolded: boolean })[];
  readonly rows: Iterable<readonly OutputValue[]>;
}

interface FoldedOptions {
  /** Whether the user chose the columns, so that none is folded. */
  readonly isChosen?: boolean;
  /** The unit of the emissions. */
  readonly unit?: string | null;
  /** The names of columns before all others, in this order; sentences among them are wide. */
  readonly first?: readonly string[];
}

/* In characters: a next step has two lines. */
const wideSentence = 50;

/**
 * Returns the rows with words in place of codes, under headers in words. Sentences come after what
 * is short. Details, and columns that are empty or equal in every row, are folded away at the end.
 */
export async function foldedTable<Row>(
  given: readonly Column<Row>[],
  rows: () => Iterable<Row>,
  { isChosen = false, unit = null, first = [] }: FoldedOptions = {},
): Promise<FoldedTable> {
  const place = (column: Column<Row>) =>
    first.includes(column.name) ? first.indexOf(column.name) - first.length : placeOf(column);
  const columns = isChosen ? given : given.toSorted((a, b) => place(a) - place(b));
  const headers = headersOf(columns, unit);
  const headerOf = (name: string) => headers[columns.findIndex((column) => column.name === name)];
  const explained = columns.map((column, index) => {
    const { name, kind, isDetail, isFolded, description, inWords, footnote } = column;
    const words = inWords?.description ?? readable(description);
    const isDetailed = isDetail || isFolded || false;
    const marked = footnote && !isDetailed && `in color: ${footnote.meaning}`;
    const { hasUnit, noSum } = kindOf(kind);
    const notAdded = hasUnit && noSum && !isDetailed && `do not add it up: ${noSum}`;
    return {
      name: headers[index] ?? name,
      kind,
      isDetail: isDetailed,
      // Programs and options have names.
      description: [inHeaders(words, headerOf), notAdded, marked, `in CSV: ${name}`]
        .filter(Boolean)
        .join(' · '),
    };
  });
  let hasSynthetic = false;
  const readers = new Map(
    columns.map((column) => {
      const { kind, value, inWords } = column;
      const words = inWords?.value ?? value;
      if (kind !== 'synthetic') return [column, words];
      // A list of real data needs no column that says which rows have none.
      const read = (row: Row) => {
        hasSynthetic ||= value(row) === true;
        return hasSynthetic ? words(row) : null;
      };
      return [column, read];
    }),
  );
  const cellOf = (column: Column<Row>, row: Row) => readers.get(column)?.(row);
  function* values(): Generator<CsvValue[]> {
    for (const row of rows()) yield columns.map((column) => cellOf(column, row));
  }
  const { shown, legend, equal } = await usefulColumns(explained, values(), 'folded', () =>
    isChosen ? 'always' : undefined,
  );
  const open = columns.filter((_, index) => shown[index]);
  const folded = columns.filter((_, index) => !shown[index]);
  const headOf = ({ name, kind }: Column<Row>, isFolded: boolean) => ({
    name,
    header: headerOf(name),
    kind,
    isFolded,
    width: first.includes(name) && kindOf(kind).isSentence ? wideSentence : undefined,
  });
  function* cells(of: readonly Column<Row>[]): Generator<OutputValue[]> {
    for (const row of rows())
      yield of.map((column) => {
        const value = cellOf(column, row);
        return typeof value === 'number' && column.footnote?.isAt(row) ? markedCell(value) : value;
      });
  }
  return {
    columns: [
      ...open.map((column) => headOf(column, false)),
      ...folded.map((column) => headOf(column, true)),
    ],
    rows: cells([...open, ...folded]),
    legend,
    equal,
  };
}

/* The mark of synthetic data is last, after sentences, whose rows are high. */
function placeOf({ kind }: Pick<Column<never>, 'kind'>): number {
  return kind === 'synthetic' ? 2 : kindOf(kind).isSentence ? 1 : 0;
}

/* Booleans are words in a workbook. */
function readable(description: string): string {
  return description.replaceAll('`false`', '`no`').replaceAll('`true`', '`yes`');
}

/* Descriptions quote the names of other columns. */
function inHeaders(text: string, headerOf: (name: string) => string | undefined): string {
  return text.replace(/`(\w+)`/g, (quoted, name) => headerOf(name) ?? quoted);
}
