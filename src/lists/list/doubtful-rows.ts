/*
 * Recognizes rows that are no organizations although their name cell is filled: totals, a second
 * line of the header, what follows the end of the table, and headings of groups. Only the shape of
 * the whole list decides, never what a name sounds like: people append names.
 */
import { countryCode } from '../../client/registration/countries.ts';
import {
  type Field,
  fieldsOfHeader,
  identifierFields,
  isTotalRow,
} from '../../client/registration/fields.ts';
import { isBlank } from '../table/cell.ts';
import type { CsvDialect } from '../table/dialect.ts';
import type { Row } from '../table/rows.ts';
import type { Mapping } from './columns.ts';

/** Why a row seems to be no organization. */
export type DoubtfulKind = 'totals' | 'second_headers' | 'below_table' | 'group_headings';

/** A row that is held back. */
export interface HeldBackRow {
  readonly line: number;
  readonly kind: DoubtfulKind;
  /** Its name, without one its first cell with a value. */
  readonly text: string;
}

/** What the shape of a list says about its rows. */
export interface DoubtfulRows {
  /** Line of the second line of the header. */
  readonly secondHeader?: number | undefined;
  /** Line of the first row below the end of the table. */
  readonly end?: number | undefined;
  /** Whether rows with nothing but a name are headings of groups. */
  readonly hasGroups?: boolean | undefined;
}

type Values = Readonly<Partial<Record<Field, string>>>;

/** A row with the values of its mapped columns. */
export interface ValuedRow extends Row {
  readonly values: Values;
}

/** Returns why a row is held back; undefined for an organization. */
export function doubtfulKind(
  row: ValuedRow,
  mapping: Mapping,
  { secondHeader, end, hasGroups = false }: DoubtfulRows,
): DoubtfulKind | undefined {
  if (isTotalRow(row.values)) return 'totals';
  if (row.line === secondHeader) return 'second_headers';
  // A row with too many cells may be any row.
  if (end !== undefined && row.line >= end && (row.problem === undefined || isOneText(row)))
    return 'below_table';
  return hasGroups && hasOnlyName(row, mapping) ? 'group_headings' : undefined;
}

/** Returns the first cell of a row that has a value. */
export function firstText({ cells }: Row): string {
  return cells.find((cell) => !isBlank(cell))?.trim() ?? '';
}

/** Checks whether a row has a name, and no other cell with a value. */
export function hasOnlyName({ cells }: Row, mapping: Mapping): boolean {
  const second = cells.findIndex((cell, index) => index > 0 && !isBlank(cell));
  // Most rows have a second cell.
  if (second > 0 && !isBlank(cells[0] ?? '')) return false;
  const nameAt = nameColumn(mapping);
  return cells.every((cell, index) => isBlank(cell) !== (index === nameAt));
}

function nameColumn({ columns }: Mapping): number {
  return columns.find(({ field }) => field === 'name')?.index ?? 0;
}

function isOneText({ cells }: Row): boolean {
  return cells.filter((cell) => !isBlank(cell)).length === 1;
}

const codes = identifierFields.filter(({ isUnique, check }) => isUnique && check !== undefined);

/** Checks whether a cell besides the name identifies an organization, as no note does. */
export function isIdentified({ hq_region: country, website, ...values }: Values): boolean {
  if (country !== undefined && countryCode(country) !== undefined) return true;
  if (website !== undefined && /^\S+\.\S+$/.test(website)) return true;
  return codes.some(({ name, check }) => {
    const value = name === 'hq_region' || name === 'website' ? undefined : values[name];
    return value !== undefined && check !== undefined && 'code' in check(value);
  });
}

/* Checks whether a count is at least nine tenths of another. */
function isNearlyAll(part: number, all: number): boolean {
  return part * 10 >= all * 9;
}

/* An empty row that may be the end of the table. */
interface PossibleEnd {
  readonly line: number;
  /** Columns in which nine of ten rows above have a value. */
  readonly usual: readonly number[];
  /** Whether only rows of one cell may follow, because empty rows separate rows of the table. */
  readonly isDoubtful: boolean;
}

/* More of them are those of a list with an empty row after each row. */
const maxPossibleEnds = 100;

/**
 * Learns the shape of a list from its rows, in their order.
 *
 * The table ends at the first empty row below which no row is complete. A row is complete if it has
 * a value in each column in which nine of ten rows above have one, or if a code, a country or a
 * website identifies its organization. Below the first row, and in a table whose blocks are
 * separated by empty rows, any second value makes a row complete.
 */
export class ListShape {
  readonly #nameAt: number;
  /* Number of values of each column. */
  readonly #filled: number[];
  #possibleEnds: PossibleEnd[] = [];
  /* Number of empty rows between rows. */
  #gaps = 0;
  #secondHeader: number | undefined;
  /** Number of rows. */
  rows = 0;
  /* Number of rows with two or more cells besides the name. */
  #withOthers = 0;
  #isFirstOnlyName = false;
  #onlyNames = 0;
  /* Number of times that a row with other cells follows one with nothing but a name. */
  #groups = 0;
  #isAfterName = false;
  #isAfterBlank = false;

  constructor({ mapping, dialect }: { mapping: Mapping; dialect: Pick<CsvDialect, 'header'> }) {
    this.#nameAt = nameColumn(mapping);
    this.#filled = Array(dialect.header.length).fill(0);
  }

  /**
   * Adds the next rows.
   * @param afterBlank lines that follow an empty row; those of rows that were held back count for
   * the next row
   */
  addGroup(group: {
    readonly rows: readonly ValuedRow[];
    readonly afterBlank: readonly number[];
  }): void {
    let next = 0;
    for (const row of group.rows) {
      for (; (group.afterBlank[next] ?? Number.POSITIVE_INFINITY) <= row.line; next += 1)
        this.#isAfterBlank = true;
      this.#add(row, this.#isAfterBlank);
      this.#isAfterBlank = false;
    }
    if (next < group.afterBlank.length) this.#isAfterBlank = true;
  }

  #add(row: ValuedRow, isAfterBlank: boolean): void {
    const { cells, line } = row;
    if (isAfterBlank && this.rows > 0) this.#addPossibleEnd(line);
    if (this.#possibleEnds.length > 0) {
      const isSurplus = cells.length > this.#filled.length && row.problem !== undefined;
      this.#possibleEnds =
        isSurplus || isIdentified(row.values)
          ? []
          : this.#possibleEnds.filter(
              ({ usual, isDoubtful }) =>
                usual.some((at) => isBlank(cells[at] ?? '')) && !(isDoubtful && !isOneText(row)),
            );
    }
    if (this.rows === 0 && !isAfterBlank) {
      const isHeading = fieldsOfHeader(row.values.name ?? '').length > 0;
      if (isHeading && !isIdentified(row.values)) {
        this.#secondHeader = line;
        return;
      }
    }
    let filled = 0;
    const counts = this.#filled;
    for (let index = 0; index < counts.length; index += 1) {
      const cell = cells[index];
      if (cell === undefined || cell === '' || isBlank(cell)) continue;
      filled += 1;
      counts[index] = (counts[index] ?? 0) + 1;
    }
    const hasName = !isBlank(cells[this.#nameAt] ?? '');
    const isOnlyName = hasName && filled === 1;
    if (this.rows === 0) this.#isFirstOnlyName = isOnlyName;
    this.rows += 1;
    if (isOnlyName) this.#onlyNames += 1;
    else if (this.#isAfterName) this.#groups += 1;
    if (filled - Number(hasName) >= 2) this.#withOthers += 1;
    this.#isAfterName = isOnlyName;
  }

  #addPossibleEnd(line: number): void {
    const isDoubtful = this.#gaps > 0 || this.rows === 1;
    this.#gaps += 1;
    if (this.#possibleEnds.length >= maxPossibleEnds) return;
    const usual = [...this.#filled.keys()].filter((index) =>
      isNearlyAll(this.#filled[index] ?? 0, this.rows),
    );
    this.#possibleEnds.push({ line, usual, isDoubtful });
  }

  /** Whether nine of ten rows have two or more cells besides the name. */
  get hasFullRows(): boolean {
    return isNearlyAll(this.#withOthers, this.rows);
  }

  /** Where the table begins and ends; undefined if all its rows are between header and end. */
  get limits(): DoubtfulRows | undefined {
    const secondHeader = this.#secondHeader;
    const end = this.#possibleEnds[0]?.line;
    return secondHeader === undefined && end === undefined ? undefined : { secondHeader, end };
  }

  /**
   * Whether rows with nothing but a name are headings: they alternate with rows that have more, and
   * the first row is one. It can be told once the rows outside of the limits are held back.
   */
  get hasGroups(): boolean {
    const isEachFull = isNearlyAll(this.#withOthers, this.rows - this.#onlyNames);
    return this.#isFirstOnlyName && this.#groups >= 2 && isEachFull;
  }
}
