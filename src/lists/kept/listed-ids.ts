/*
 * Finds the ids of the organizations behind the rows of a list: in the journals of the list, or in
 * a column with ids.
 */
import {
  isSameId,
  type OrganizationId,
  usableId,
  withoutLeadingZeros,
} from '../../client/api/ids.ts';
import { type Field, fields, foldHeader } from '../../client/registration/fields.ts';
import { type CarbonError, invalidInput } from '../../runtime/carbon-error.ts';
import { joinHints } from '../../runtime/hint.ts';
import {
  chooseColumns,
  type IdentifyingColumn,
  identifyingColumn,
  type JournalColumns,
  type Mapping,
  NameColumnError,
  type TableHead,
} from '../list/columns.ts';
import { findDoubtfulRows, identifyRows, type Values } from '../list/rows.ts';
import { cellValue } from '../table/cell.ts';
import { InputFile, withSheetHint } from '../table/input-file.ts';
import { findColumn, readMap } from '../table/map-option.ts';
import { withoutErrors } from '../table/rows.ts';
import { chooseList } from './choose-list.ts';
import { readJournalIds } from './journal.ts';
import { checkKept, chooseKept, type Keeping } from './paths.ts';

/** Headers of a column with ids, the most certain first, folded with `foldHeader`. */
export const idHeaders: readonly string[] = ['carbonid', 'organizationid', 'organisationid'];

export interface ListColumns {
  /** The columns that identify an organization, as `carbon batch` maps them. */
  readonly registration: Mapping;
  /** Index of the column with ids; -1 without one. */
  readonly idAt: number;
}

/* A column `ID` may hold numbers of the user. */
const idHint = 'If a column contains the IDs of the service, use --map id=<column>.';

/**
 * Chooses the columns of a list. One with ids needs no names.
 * @param given the column that `--map` names for the ids, empty for none
 * @throws UsageError if no column provides names or ids, or several may
 */
export function chooseListColumns(
  table: TableHead,
  map: ReadonlyMap<Field, string>,
  journal: JournalColumns | undefined,
  given: string | undefined,
): ListColumns {
  const { header } = table;
  const words = header.map(foldHeader);
  const guessed = idHeaders.map((word) => words.indexOf(word)).find((index) => index >= 0) ?? -1;
  const idAt = given === undefined ? guessed : given === '' ? -1 : findColumn(header, given, 'id');
  try {
    return { registration: chooseColumns(table, map, journal), idAt };
  } catch (error) {
    if (!(error instanceof NameColumnError)) throw error;
    if (idAt < 0) throw invalidInput(error.message, joinHints(error.hint, idHint), error.choices);
    return { registration: { columns: [], unused: header.filter(Boolean), doubts: [] }, idAt };
  }
}

/**
 * Returns the id of a row: that of the journal, otherwise that of the column with ids.
 * @param text the cell of the column; undefined without a value
 * @throws UsageError for a cell that is no id, and for one that is not the id of the journal
 */
export function idOfRow(
  { file, line, column }: { file: string; line: number; column: string | undefined },
  text: string | undefined,
  recorded: OrganizationId | undefined,
): OrganizationId | undefined {
  if (text === undefined) return recorded;
  const place = `${file}, line ${line}`;
  const given = usableId(withoutLeadingZeros(text));
  if (given === undefined)
    throw invalidInput(
      `${place}: "${text.slice(0, 40)}" in column "${column}" is not an organization ID`,
      'Organization IDs are whole numbers. If the column has other IDs, leave it out: --map id=',
    );
  if (recorded !== undefined && !isSameId(recorded, given))
    throw invalidInput(
      `${place}: the journal has ID ${recorded}, and column "${column}" has ${given}`,
      'To use only the journal, leave the column out: --map id=',
    );
  return recorded ?? given;
}

export interface ListOptions extends Keeping {
  readonly path: string;
  /** Values of `--map`: fields of a registration, and `id`. */
  readonly map?: readonly string[] | undefined;
  readonly sheet?: string | undefined;
  readonly encoding?: string | undefined;
  readonly skipLines?: number | undefined;
  readonly signal: AbortSignal;
}

export interface ListedRow {
  /** Undefined for a row that was not registered. */
  readonly id: OrganizationId | undefined;
  /** Why the service rejected it in the last run that sent it. */
  readonly rejection: CarbonError | undefined;
  /** Number of the line, as the user counts. */
  readonly line: number;
  readonly values: Values;
}

export interface OrganizationList {
  /** The base URL of the service in the journals, or `sandbox`; undefined without a journal. */
  readonly service: string | undefined;
  /** The profile of its runs, `env` for those with access from the environment. */
  readonly profile: string | undefined;
  /** What is read as in the last run, although no option says so. */
  readonly kept: readonly string[];
  readonly identifying: IdentifyingColumn | undefined;
  rows(): AsyncGenerator<readonly ListedRow[], void, void>;
}

/**
 * Opens a list for reading.
 * @throws UsageError if the file, its columns or its journals cannot be used, and for a list with
 * neither a journal nor a column with ids
 */
export async function openOrganizationList(options: ListOptions): Promise<OrganizationList> {
  const { path, keep, signal } = options;
  const source = new InputFile(path);
  const given = readMap([...fields, 'id' as const], options.map ?? []);
  const { sandbox } = chooseKept(path, options);
  checkKept(path, { keep, sandbox });
  const chosen = await chooseList(source, path, { keep, sandbox }, { ...options, map: given });
  const journals = await readJournalIds(path, chosen);
  const { reading } = chosen;
  const dialect = await reading.detect(source);
  const { header } = dialect;
  const recorded = journals?.columnsOf(header);
  const map = reading.map(recorded);
  const others = new Map([...map].filter((pair): pair is [Field, string] => pair[0] !== 'id'));
  const { registration, idAt } = withSheetHint(source, reading.wantedSheet, () =>
    chooseListColumns(dialect, others, recorded, map.get('id')),
  );
  if (journals === undefined && idAt < 0)
    throw invalidInput(
      `${path}: cannot match the rows to organizations: the list has neither a journal nor an ID column`,
      `Use the list that you registered with carbon batch, next to its journal, or choose the directory of the journal with --keep. ${idHint}`,
    );
  const service = journals?.service;
  const { formerCells } = reading;
  const wasRegistered = (key: string) => journals?.wasRegistered(key) === true;
  const known = { formerCells, wasRegistered };
  const table = { source, dialect, mapping: registration, service, ...known };
  return {
    service,
    profile: journals?.current.profile,
    kept: [...reading.notices, ...reading.describeMap(recorded)],
    identifying: identifyingColumn(header, registration),
    async *rows() {
      // An ID makes a row an organization, whatever its other cells are.
      const doubtful = idAt < 0 ? await findDoubtfulRows(table) : {};
      for await (const { rows } of identifyRows({ ...table, doubtful })) {
        signal.throwIfAborted();
        yield rows.map((row) => {
          const { line, key, values } = row;
          const text = cellValue('id', withoutErrors(row)[idAt] ?? '');
          const place = { file: path, line, column: header[idAt] };
          const rejection = journals?.rejectionOf(key);
          return { id: idOfRow(place, text, journals?.find(key)), line, values, rejection };
        });
      }
    },
  };
}
