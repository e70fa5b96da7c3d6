/*
 * Finds the ids of the organizations behind the rows of a list: in the journals of the list, or in
 * a column with ids.
 */
import { isSameId, type OrganizationId, usableId, withoutLeadingZeros } from '../api/ids.ts';
import { type Field, fields, foldHeader } from '../registration/fields.ts';
import { invalidInput, type UsageError } from '../runtime/carbon-error.ts';
import { cellValue } from '../table/cell.ts';
import type { CsvDialect } from '../table/dialect.ts';
import { detectDialect } from '../table/dialect.ts';
import { InputFile, withSheetHint } from '../table/input-file.ts';
import { findColumn, mapOption, readMap } from '../table/map-option.ts';
import { cut } from '../terminal/format.ts';
import {
  AmbiguousNameError,
  type ChosenColumns,
  chooseColumns,
  guessColumn,
  type JournalColumns,
} from './columns.ts';
import { readJournalIds } from './journals.ts';
import type { Keeping } from './kept-files.ts';
import type { Values } from './rows.ts';
import { identifyRows } from './rows.ts';

/** Headers of a column with ids, the most certain first, folded with `foldHeader`. */
export const idHeaders: readonly string[] = ['carbonid', 'organizationid', 'organisationid'];

/*
 * Header of a column that may hold ids of the service or numbers of the user. It provides the ids
 * only with --map, because the numbers of the user may be the ids of other organizations.
 */
const doubtfulIdHeader = 'id';

export interface ListColumns {
  /** The columns that identify an organization, as `carbon batch` maps them. */
  readonly registration: ChosenColumns;
  /** Index of the column with ids; -1 without one. */
  readonly idAt: number;
  /** Index of a column that may hold ids, and is used only with `--map`; -1 without one. */
  readonly doubtfulAt: number;
}

type Table = Pick<CsvDialect, 'header' | 'sample' | 'below'>;

/**
 * Chooses the columns of a list. One with ids needs no names.
 *
 * @param map the columns of `--map` for the fields of a registration
 * @param given the column that `--map` names for the ids, empty for none
 * @throws UsageError if no column provides names or ids, or several may
 */
export function chooseListColumns(
  table: Table,
  map: ReadonlyMap<Field, string>,
  journals: readonly JournalColumns[],
  given: string | undefined,
): ListColumns {
  const { header } = table;
  const find = (word: string) => header.findIndex((column) => foldHeader(column) === word);
  const guessed = idHeaders.map(find).find((index) => index >= 0) ?? -1;
  const idAt = given === undefined ? guessed : given === '' ? -1 : findColumn(header, given, 'id');
  const doubtfulAt = idAt >= 0 || given !== undefined ? -1 : find(doubtfulIdHeader);
  const hasName =
    Boolean(map.get('name')) ||
    journals.length > 0 ||
    (idAt < 0 && doubtfulAt < 0) ||
    hasNameColumn(table, idAt >= 0);
  if (hasName) return { registration: chooseColumns(table, map, journals), idAt, doubtfulAt };
  if (idAt < 0) throw doubtfulId(table, doubtfulAt);
  const unused = header.filter(Boolean);
  return { registration: { columns: [], unused, doubts: [], added: [] }, idAt, doubtfulAt };
}

function hasNameColumn({ header, sample }: Table, hasIds: boolean): boolean {
  const cells = sample.map((row) => row.cells);
  try {
    return guessColumn('name', { header, sample: cells }, new Set()).index !== undefined;
  } catch (error) {
    if (hasIds && error instanceof AmbiguousNameError) return false;
    throw error;
  }
}

/* Makes the error for a file whose only identification may be numbers of the user. */
function doubtfulId({ header, sample }: Table, index: number): UsageError {
  const value = sample.map(({ cells }) => (cells[index] ?? '').trim()).find(Boolean);
  const example = value === undefined ? '' : ` (${cut(value, 30)})`;
  return invalidInput(
    `No column holds the names of the suppliers, and "${cut(header[index] ?? '', 40)}"${example} may hold your own numbers`,
    `If it holds the service's IDs: ${mapOption('id', header, index)}. Otherwise, choose the column with the names: --map name=<column>.`,
  );
}

function readId(
  { file, line, column }: { file: string; line: number; column: string | undefined },
  text: string,
): OrganizationId {
  const id = usableId(withoutLeadingZeros(text));
  if (id !== undefined) return id;
  throw invalidInput(
    `${file}, line ${line}: "${text.slice(0, 40)}" in column "${column}" is not an organization ID`,
    'Organization IDs are whole numbers. If the column has other IDs, leave it out: --map id=',
  );
}

/**
 * Returns the id of a row: that of the journal, otherwise that of the column with ids.
 *
 * @param text the cell of the column; undefined without a value
 * @throws UsageError for a cell that is no id, and for one that is not the id of the journal
 */
export function idOfRow(
  place: { file: string; line: number; column: string | undefined },
  text: string | undefined,
  recorded: OrganizationId | undefined,
): OrganizationId | undefined {
  const given = text === undefined ? undefined : readId(place, text);
  if (recorded === undefined || given === undefined || isSameId(recorded, given))
    return recorded ?? given;
  const { file, line, column } = place;
  throw invalidInput(
    `${file}, line ${line}: the journal has ID ${recorded}, and column "${column}" has ${given}`,
    'To use only the journal, leave the column out: --map id=',
  );
}

export interface ListOptions extends Keeping {
  readonly path: string;
  /** Values of `--map`: fields of a registration, and `id`. */
  readonly map?: readonly string[] | undefined;
  readonly sheet?: string | undefined;
  readonly signal: AbortSignal;
}

/** A row of a list; its strings are parts of the text of the file. */
export interface ListedRow {
  readonly line: number;
  /** Undefined for a row that was not registered. */
  readonly id: OrganizationId | undefined;
  readonly values: Values;
}

/** A list whose rows can be linked to organizations. */
export interface OrganizationList {
  /** The base URL of the service in the journals, or `sandbox`; undefined without a journal. */
  readonly service: string | undefined;
  rows(): AsyncGenerator<readonly ListedRow[], void, void>;
}

/**
 * Opens a list for reading.
 *
 * @throws UsageError if the file, its columns or its journals cannot be used, and for a list with
 * neither a journal nor a column with ids
 */
export async function openOrganizationList(options: ListOptions): Promise<OrganizationList> {
  const { path, keep, sandbox, sheet, signal } = options;
  const source = new InputFile(path);
  const journals = await readJournalIds({ path, keep, sandbox });
  const map = readMap([...fields, 'id' as const], options.map ?? []);
  const given = new Map([...map].filter((pair): pair is [Field, string] => pair[0] !== 'id'));
  const dialect = await detectDialect(source, { sheet });
  const { registration, idAt, doubtfulAt } = withSheetHint(source, sheet, () =>
    chooseListColumns(dialect, given, journals?.mappings ?? [], map.get('id')),
  );
  const column = dialect.header[idAt];
  if (journals === undefined && idAt < 0) throw noIds(path, dialect.header, doubtfulAt);
  const service = journals?.service;
  const table = {
    source,
    dialect,
    mapping: registration,
    service: service ?? '',
    leavesOutTotals: true,
  };
  return {
    service,
    async *rows() {
      for await (const { rows } of identifyRows(table)) {
        signal.throwIfAborted();
        yield rows.map(({ line, key, cells, values }) => {
          const text = idAt < 0 ? undefined : cellValue('id', cells[idAt] ?? '');
          const place = { file: path, line, column };
          return { line, id: idOfRow(place, text, journals?.find(key)), values };
        });
      }
    },
  };
}

function noIds(path: string, header: readonly string[], doubtfulAt: number): UsageError {
  const map = doubtfulAt < 0 ? '--map id=<column>' : mapOption('id', header, doubtfulAt);
  return invalidInput(
    `${path}: cannot match the rows to organizations: the list has neither a journal nor an ID column`,
    `Use the list that you registered with carbon batch, next to its journal, or choose the directory of the journal with --keep. If a column has the service's IDs: ${map}`,
  );
}
