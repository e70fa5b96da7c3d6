/*
 * Builds the rows of a sheet from its XML (ECMA-376 part 1, 18.3.1). A row without any value costs
 * nothing, and only the rows of one piece of XML are in memory.
 */
import type { Archive } from './archive.ts';
import { columnName, columnOf, maxColumns, maxRows } from './cell-text.ts';
import { type CellContext, type CellKind, cellValue } from './cell-value.ts';
import { damaged, invalidWorkbook } from './foreign-format.ts';
import { parseXml, type XmlHandler } from './xml.ts';

/** A row of a sheet with at least one value. */
export interface SheetRow {
  /** Number of the row in the sheet, from 1. */
  readonly number: number;
  /** Texts of the cells from column A to the last one with a value. */
  readonly cells: readonly string[];
  /** What each of the cells holds. */
  readonly kinds: readonly CellKind[];
  /** The errors of cells, such as `#N/A`, by column from 0. */
  readonly errors?: ReadonlyMap<number, string>;
}

/** A cell without a usable value; its text is empty. */
export interface MissingCell {
  /** Reference of the cell, such as `B7`. */
  readonly cell: string;
  /** The error, such as `#N/A`, or `formula without a result`. */
  readonly value: string;
}

/** What the reading of a sheet found beside its rows. */
export interface SheetFindings {
  /** Number of cells with an error, or with a formula that no program calculated. */
  missing: number;
  /** The first of these cells. */
  readonly firstMissing: MissingCell[];
  /** Number of merged ranges; only their first cell has a value. */
  mergedRanges: number;
  /** The first of these ranges, such as `B7:B9`. */
  readonly firstMerged: string[];
  /** Number of rows that a filter or a person has hidden; they are rows as all others. */
  hiddenRows: number;
  /** The numbers of the first of these rows. */
  readonly firstHidden: number[];
}

const maxFirst = 5;
/* The limit that CSV rows have as well. */
const maxRowLength = 4 * 1024 * 1024;
/* A table of suppliers has at most a few empty cells for each value. */
const maxBlank = 2_000_000;
const maxBlankPerValue = 50;

/**
 * Reads the rows of a sheet in groups and adds to `findings`.
 *
 * @throws UsageError if the part is damaged
 */
export async function* readSheetRows(
  archive: Archive,
  part: string,
  context: CellContext,
  findings: SheetFindings,
): AsyncGenerator<readonly SheetRow[], void, void> {
  const builder = new RowBuilder(archive.name, part, context, findings);
  for await (const _ of parseXml(archive, part, builder)) {
    const rows = builder.take();
    if (rows.length > 0) yield rows;
  }
}

class RowBuilder implements XmlHandler {
  readonly #name: string;
  readonly #part: string;
  readonly #context: CellContext;
  readonly #findings: SheetFindings;
  #rows: SheetRow[] = [];
  #row = 0;
  #isHidden = false;
  #cells: string[] = [];
  #kinds: CellKind[] = [];
  #errors: Map<number, string> | undefined;
  #rowLength = 0;
  #blanks = 0;
  #values = 0;
  #isInData = false;
  /* The cell that is open: its column from 0, type and style, and the text of its value. */
  #column = -1;
  #type = '';
  #style = 0;
  #stored = '';
  #isValue = false;
  #isPhonetic = false;
  #hasFormula = false;

  constructor(name: string, part: string, context: CellContext, findings: SheetFindings) {
    this.#name = name;
    this.#part = part;
    this.#context = context;
    this.#findings = findings;
  }

  /** Returns the complete rows and forgets them. */
  take(): readonly SheetRow[] {
    const rows = this.#rows;
    if (rows.length > 0) this.#rows = [];
    return rows;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (!this.#isInData) {
      if (name === 'sheetData') this.#isInData = true;
      else if (name === 'mergeCell') this.#addMerged(attributes['ref'] ?? '');
    } else if (name === 'c') this.#openCell(attributes);
    else if (name === 'v' || (name === 't' && !this.#isPhonetic)) this.#isValue = true;
    else if (name === 'row') this.#openRow(attributes);
    else if (name === 'f') this.#hasFormula = true;
    else if (name === 'rPh') this.#isPhonetic = true;
  }

  close(name: string): void {
    if (name === 'v' || name === 't') this.#isValue = false;
    else if (name === 'c') this.#closeCell();
    else if (name === 'row') this.#closeRow();
    else if (name === 'rPh') this.#isPhonetic = false;
    else if (name === 'sheetData') this.#isInData = false;
  }

  text(text: string): void {
    if (this.#isValue) this.#stored += text;
  }

  #openRow({ r: reference, hidden }: Readonly<Record<string, string>>): void {
    const row = reference === undefined ? this.#row + 1 : Number(reference);
    if (!Number.isInteger(row) || row < 1 || row > maxRows)
      throw this.#fail(`row number ${reference ?? row} is not from 1 to ${maxRows}`);
    this.#row = row;
    this.#isHidden = hidden === '1' || hidden === 'true';
    this.#column = -1;
  }

  #closeRow(): void {
    if (this.#cells.length === 0) return;
    if (this.#isHidden) {
      this.#findings.hiddenRows += 1;
      addFirst(this.#findings.firstHidden, this.#row);
    }
    const row = { number: this.#row, cells: this.#cells, kinds: this.#kinds };
    this.#rows.push(this.#errors === undefined ? row : { ...row, errors: this.#errors });
    this.#errors = undefined;
    this.#cells = [];
    this.#kinds = [];
    this.#rowLength = 0;
  }

  #openCell({ r: reference, t: type = 'n', s: style }: Readonly<Record<string, string>>): void {
    const column = reference === undefined ? this.#column + 1 : columnOf(reference);
    if (column < 0 || column >= maxColumns)
      throw this.#fail(`row ${this.#row} has a cell ${reference ?? `in column ${column + 1}`}`);
    this.#column = column;
    this.#type = type;
    this.#style = style === undefined ? 0 : Number(style);
    this.#stored = '';
    this.#isValue = false;
    this.#isPhonetic = false;
    this.#hasFormula = false;
  }

  #closeCell(): void {
    if (this.#stored === '') {
      // A formula may result in an empty text, but never in an empty number.
      if (this.#hasFormula && this.#type !== 'str') this.#addMissing('formula without a result');
      return;
    }
    const value = cellValue(this.#type, this.#style, this.#stored, this.#context);
    if (value === undefined)
      throw this.#fail(`${this.#reference()} refers to a shared string that does not exist`);
    if (value.kind === 'missing') {
      this.#errors ??= new Map();
      this.#errors.set(this.#column, value.text);
      this.#addMissing(value.text);
    } else if (value.kind !== 'blank') this.#add(value.text, value.kind);
  }

  #addMissing(value: string): void {
    this.#findings.missing += 1;
    addFirst(this.#findings.firstMissing, { cell: this.#reference(), value });
    this.#add('', 'missing');
  }

  #addMerged(range: string): void {
    this.#findings.mergedRanges += 1;
    if (/^[A-Z]{1,3}\d{1,7}:[A-Z]{1,3}\d{1,7}$/.test(range))
      addFirst(this.#findings.firstMerged, range);
  }

  #add(text: string, kind: CellKind): void {
    this.#rowLength += text.length;
    if (this.#rowLength > maxRowLength)
      throw this.#fail(`row ${this.#row} is longer than four million characters`);
    this.#values += 1;
    this.#blanks += Math.max(0, this.#column - this.#cells.length);
    if (this.#blanks > maxBlank && this.#blanks > this.#values * maxBlankPerValue)
      throw invalidWorkbook(
        `${this.#name} has values far from its table, such as in cell ${this.#reference()}`,
        'Delete the columns to the right of the table, and save the workbook.',
      );
    while (this.#cells.length < this.#column) {
      this.#cells.push('');
      this.#kinds.push('blank');
    }
    this.#cells[this.#column] = text;
    this.#kinds[this.#column] = kind;
  }

  #fail(why: string): Error {
    return damaged(this.#name, `${this.#part}: ${why}`);
  }

  #reference(): string {
    return `${columnName(this.#column)}${this.#row}`;
  }
}

function addFirst<Item>(first: Item[], item: Item): void {
  if (first.length < maxFirst) first.push(item);
}
