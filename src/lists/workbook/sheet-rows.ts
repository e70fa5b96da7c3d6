/* Builds the rows of a sheet from its XML (ECMA-376 part 1, 18.3.1), one piece after the other. */
import { type Archive, parseXml } from './archive.ts';
import {
  type CellContext,
  type CellKind,
  columnName,
  columnOf,
  maxColumns,
  maxSheetRows,
  storedCell,
  storedValue,
} from './cells.ts';
import { damaged, invalidWorkbook } from './foreign-format.ts';
import { type Hyperlinks, linkOfFormula } from './hyperlinks.ts';
import type { WrittenCell } from './sheet-xml.ts';

/** A row of a sheet with at least one value. */
export interface SheetRow {
  /** Number of the row in the sheet, from 1. */
  readonly number: number;
  /** Texts of the cells from column A to the last one with a value. */
  readonly cells: readonly string[];
  /** What each of the cells holds. */
  readonly kinds: readonly CellKind[];
  /** Numbers with the leading zeros that their formats show, by column; usually undefined. */
  readonly shown?: ReadonlyMap<number, string> | undefined;
  /** The addresses of links behind cells, by column, if they are read. */
  readonly links?: ReadonlyMap<number, string> | undefined;
  /** The cells as they are stored, if they are read. */
  readonly stored?: readonly WrittenCell[] | undefined;
}

/** How a column looks. */
export interface ColumnLayout {
  /** Width in characters; undefined for the one of Excel. */
  readonly width: number | undefined;
  readonly isHidden: boolean;
}

/** How the columns of a sheet look, by their number from 0. */
export interface SheetLayout {
  readonly columns: (ColumnLayout | undefined)[];
  /** Width of columns without one; undefined for the one of Excel. */
  defaultWidth?: number | undefined;
}

/** What the reading of a sheet found beside its rows, each with the first few places. */
export interface SheetFindings {
  /** Number of cells with an error such as `#N/A`, or with a `formula without a result`. */
  missing: number;
  readonly firstMissing: { readonly cell: string; readonly value: string }[];
  /** Number of merged ranges such as `B7:B9`; only their first cell has a value. */
  mergedRanges: number;
  readonly firstMerged: string[];
  /** Number of rows that a filter or a person has hidden; they are rows as all others. */
  hiddenRows: number;
  readonly firstHidden: number[];
}

const maxFirst = 5;
/* The limit that CSV rows have as well. */
const maxRowLength = 4 * 1024 * 1024;
/* A table of suppliers has at most a few empty cells for each value. */
const maxBlank = 2_000_000;
const maxBlankPerValue = 50;

/** A sheet to read. */
export interface SheetSource {
  readonly archive: Archive;
  /** The name of its part in the archive. */
  readonly part: string;
  /** Its links; undefined to read no links, not even of formulas. */
  readonly hyperlinks: Hyperlinks | undefined;
}

/** Reads the rows of a sheet in groups and adds to `about`; a damaged part is a UsageError. */
export async function* readSheetRows(
  { archive, part, hyperlinks }: SheetSource,
  context: CellContext,
  about: { readonly findings: SheetFindings; readonly layout: SheetLayout },
): AsyncGenerator<readonly SheetRow[], void, void> {
  const { findings, layout } = about;
  const { withStored } = context;
  let rows: SheetRow[] = [];
  let isInData = false;
  // The open row.
  let number = 0;
  let isHidden = false;
  let cells: string[] = [];
  let kinds: CellKind[] = [];
  let rowLength = 0;
  let shown: Map<number, string> | undefined;
  let links: Map<number, string> | undefined;
  let originals: WrittenCell[] | undefined = withStored ? [] : undefined;
  // The open cell: its column from 0, type and style, and the text of its value.
  let column = -1;
  let type = '';
  let style = 0;
  let stored = '';
  let isValue = false;
  let isPhonetic = false;
  let hasFormula = false;
  let isFormula = false;
  let formula = '';
  // The cells of all rows.
  let blanks = 0;
  let values = 0;

  const fail = (why: string) => damaged(archive.name, `${part}: ${why}`);
  const reference = () => `${columnName(column)}${number}`;

  function openRow({ r: given, hidden }: Attributes): void {
    const row = given === undefined ? number + 1 : Number(given);
    if (!Number.isInteger(row) || row < 1 || row > maxSheetRows)
      throw fail(`row number ${given ?? row} is not from 1 to ${maxSheetRows}`);
    number = row;
    isHidden = hidden === '1' || hidden === 'true';
    column = -1;
  }

  function closeRow(): void {
    if (cells.length === 0) return;
    if (isHidden) {
      findings.hiddenRows += 1;
      addFirst(findings.firstHidden, number);
    }
    const behind = hyperlinks?.get(number);
    if (behind !== undefined) links = new Map([...behind, ...(links ?? [])]);
    // Most rows have neither, and objects of one shape take the least memory.
    rows.push({ number, cells, kinds, shown, links, stored: originals });
    cells = [];
    kinds = [];
    if (withStored) originals = [];
    shown = undefined;
    links = undefined;
    rowLength = 0;
  }

  function openCell({ r: given, t = 'n', s }: Attributes): void {
    column = given === undefined ? column + 1 : columnOf(given);
    if (column < 0 || column >= maxColumns)
      throw fail(`row ${number} has a cell ${given ?? `in column ${column + 1}`}`);
    type = t;
    style = s === undefined ? 0 : Number(s);
    stored = '';
    isValue = false;
    isPhonetic = false;
    hasFormula = false;
    formula = '';
  }

  function closeCell(): void {
    if (stored === '') {
      // A formula may result in an empty text, but never in an empty number.
      if (hasFormula && type !== 'str') {
        addMissing('formula without a result');
        add('', 'missing');
      }
      return;
    }
    const value = storedValue(type, style, stored, context);
    if (value === undefined)
      throw fail(`${reference()} refers to a shared string that does not exist`);
    if (value.kind === 'missing') addMissing(value.text);
    if (value.shown !== undefined) shown = (shown ?? new Map()).set(column, value.shown);
    const link = formula === '' ? undefined : linkOfFormula(formula);
    if (link !== undefined) links = (links ?? new Map()).set(column, link);
    if (value.kind === 'blank') return;
    add(value.text, value.kind);
    if (originals !== undefined)
      originals[column] = storedCell(type, stored, value, context.styles[style]);
  }

  function addColumns({ min, max, width, hidden }: Attributes): void {
    const [first, last] = [Number(min), Math.min(Number(max), maxColumns)];
    const given = toWidth(width);
    const isHidden = hidden === '1' || hidden === 'true';
    for (let index = first; index <= last; index += 1)
      if (index >= 1) layout.columns[index - 1] = { width: given, isHidden };
  }

  function addMissing(value: string): void {
    findings.missing += 1;
    addFirst(findings.firstMissing, { cell: reference(), value });
  }

  function addMerged({ ref = '' }: Attributes): void {
    findings.mergedRanges += 1;
    if (/^[A-Z\d:]{1,21}$/.test(ref)) addFirst(findings.firstMerged, ref);
  }

  function add(text: string, kind: CellKind): void {
    rowLength += text.length;
    if (rowLength > maxRowLength)
      throw fail(`row ${number} is longer than four million characters`);
    values += 1;
    blanks += Math.max(0, column - cells.length);
    if (blanks > maxBlank && blanks > values * maxBlankPerValue)
      throw invalidWorkbook(
        `${archive.name} has values far from its table, such as in cell ${reference()}`,
        'Delete the columns to the right of the table, and save the workbook.',
      );
    while (cells.length < column) {
      cells.push('');
      kinds.push('blank');
    }
    cells[column] = text;
    kinds[column] = kind;
  }

  const parsing = parseXml(archive, part, {
    open(name, attributes) {
      if (!isInData) {
        if (name === 'sheetData') isInData = true;
        else if (name === 'mergeCell') addMerged(attributes);
        else if (name === 'col') addColumns(attributes);
        else if (name === 'sheetFormatPr')
          layout.defaultWidth = toWidth(attributes['defaultColWidth']);
      } else if (name === 'c') openCell(attributes);
      else if (name === 'v' || (name === 't' && !isPhonetic)) isValue = true;
      else if (name === 'row') openRow(attributes);
      else if (name === 'f') {
        hasFormula = true;
        isFormula = hyperlinks !== undefined;
      } else if (name === 'rPh') isPhonetic = true;
    },
    close(name) {
      if (name === 'v' || name === 't') isValue = false;
      else if (name === 'f') isFormula = false;
      else if (name === 'c') closeCell();
      else if (name === 'row') closeRow();
      else if (name === 'rPh') isPhonetic = false;
      else if (name === 'sheetData') isInData = false;
    },
    text(text) {
      if (isValue) stored += text;
      else if (isFormula) formula += text;
    },
  });
  for await (const _ of parsing) {
    if (rows.length === 0) continue;
    yield rows;
    rows = [];
  }
}

/* The widest column of Excel, in characters. */
const maxWidth = 255;

function toWidth(text: string | undefined): number | undefined {
  const width = Number(text ?? Number.NaN);
  return width >= 0 && width <= maxWidth ? width : undefined;
}

type Attributes = Readonly<Record<string, string>>;

function addFirst<Item>(first: Item[], item: Item): void {
  if (first.length < maxFirst) first.push(item);
}
