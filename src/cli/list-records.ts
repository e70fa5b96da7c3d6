/* Filters, sorts, selects and groups records of files, and prints or writes the result. */
import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { readReference } from '../api/ids.ts';
import type { Organization } from '../api/schema.ts';
import { groupColumns, groupedValues, planGroups } from '../organizations/grouping.ts';
import { isSynthetic } from '../organizations/history.ts';
import { parseQuery, type Query, type RowKeys } from '../query/query.ts';
import { recordLine } from '../records/envelope.ts';
import type { RecordSource } from '../records/records.ts';
import { checkCountryCondition } from '../registration/country-condition.ts';
import { invalidInput, UsageError } from '../runtime/carbon-error.ts';
import type { CsvValue } from '../table/output-cell.ts';
import { methodSheet, type Statements } from '../table/output-sheet.ts';
import { count, plural } from '../terminal/format.ts';
import { emit, emitJson } from './output/emit.ts';
import { compactJson } from './output/json.ts';
import type { OutFile } from './output/out-file.ts';
import {
  type RecordColumn,
  type RecordRow,
  scoreOf,
  syntheticColumn,
} from './output/record-columns.ts';
import {
  openRecordFile,
  rowReader,
  syntheticStatement,
  writeRecordRows,
  writtenBy,
} from './output/record-file.ts';
import {
  organizationTable,
  pipeColumns,
  type RecordTable,
  type ShownColumn,
  terminalColumns,
  valuesOf,
  yearTable,
} from './output/record-tables.ts';
import { cellText, cellTexts, renderTabbed, renderTable } from './output/table.ts';
import { readLatest, type StoreView } from './read-snapshot.ts';
import type { Session } from './session.ts';

/** What `carbon list` shows of the records. */
export interface ListOptions extends Pick<StoreView, 'keep' | 'at'> {
  readonly columns?: string;
  readonly where?: readonly string[];
  readonly sort?: string;
  readonly top?: number;
  readonly out?: string | undefined;
  /** Whether to show a row for each year and region. */
  readonly years?: boolean;
  readonly groupBy?: string;
  readonly sum?: string;
}

/* A row that meets the conditions. */
interface Selected<Item> {
  readonly keys: RowKeys;
  readonly item: Item;
  readonly isSynthetic: boolean;
}

/* One listing: its records and its query. */
interface Listing {
  readonly session: Session;
  readonly files: readonly string[];
  readonly options: ListOptions;
  readonly table: RecordTable;
  readonly query: Query<RecordRow, RecordColumn>;
}

/**
 * Lists the latest records of files. Nothing is printed before all of them are read, because a
 * later line may have a later record.
 * @throws UsageError for an invalid query, for a file that `-o` must not write, and if there is no
 * record
 */
export async function listRecords(
  session: Session,
  files: readonly string[],
  options: ListOptions,
): Promise<void> {
  const table = readTable(options);
  const query = await readQuery(session, table, options);
  const listing = { session, files, options, table, query };
  const out =
    options.out === undefined ? undefined : await openRecordFile(session, options.out, files);
  const isJson = session.format === 'json' || out?.extension === '.ndjson';
  if (options.groupBy !== undefined) return listGroups(listing, options.groupBy, out);
  if (isJson && table !== organizationTable)
    throw new UsageError(
      '--years cannot be combined with JSON',
      'JSON has whole records, with every year. Use --csv for this table.',
    );
  if (isJson) return passOn(listing, out);
  if (out !== undefined && table === organizationTable && query.columns === undefined)
    return writeOrganizations(listing, out);
  return showColumns(listing, out);
}

function readTable({ years, groupBy, sum }: ListOptions): RecordTable {
  if (sum !== undefined && groupBy === undefined)
    throw new UsageError('--sum needs --group-by', 'Use --group-by hq_region --sum scope_1.');
  return years ? yearTable : organizationTable;
}

async function readQuery(
  { format, messages }: Session,
  table: RecordTable,
  options: ListOptions,
): Promise<Query<RecordRow, RecordColumn>> {
  if (options.columns !== undefined && (format === 'json' || format === 'ids'))
    throw new UsageError(
      `--columns cannot be combined with --${format}`,
      format === 'json'
        ? '--json prints whole records. Use --csv for columns.'
        : '--ids prints only ids. Use --csv for columns.',
    );
  const query = parseQuery(table, options);
  for (const condition of query.conditions) {
    await checkCountryCondition(condition);
    const isFraction = Number(condition.text) > 0 && Number(condition.text) < 1;
    if (/(?:^|_)score$/.test(condition.column.name) && isFraction)
      messages.warn(
        `Scores are from 0 to 100, so ${condition.text} is almost the worst. Did you mean ${scoreOf(Number(condition.text))}?`,
      );
  }
  return query;
}

/* Rows as values of columns. */
interface Rows {
  readonly columns: readonly ShownColumn[];
  readonly rows: readonly (readonly CsvValue[])[];
  readonly isSynthetic: boolean;
}

/* Prints or writes the chosen columns, otherwise the usual ones. */
async function showColumns(listing: Listing, out: OutFile | undefined): Promise<void> {
  const { table, query } = listing;
  const { format, view } = listing.session;
  const isFile = out !== undefined || format === 'csv';
  const isTerminal = !isFile && format === 'human' && view.terminal;
  const chosen = query.columns?.filter(({ name }) => !isFile || name !== syntheticColumn.name);
  const usual = () =>
    isTerminal ? terminalColumns(table) : isFile ? table.written : pipeColumns(table);
  const columns = chosen ? [...chosen, ...(isFile ? [syntheticColumn] : [])] : usual();
  const length = chosen ? 'exact' : 'compact';
  const selected = await select(listing, (row): readonly CsvValue[] => {
    if (format === 'ids') return [idOf(row.record)];
    return isTerminal ? cellTexts(columns, row, length) : valuesOf(columns, row);
  });
  const about = columns.map(({ name, description }) => [name, description] as const);
  await showRows(listing, out, { ...selected, columns }, about);
}

function idOf(record: Organization): CsvValue {
  const { id, name } = readReference(record);
  if (id !== undefined) return id;
  const which = name === undefined ? '' : ` (${name})`;
  throw invalidInput(`A record has no usable ID${which}`, 'Use --json to see the record.');
}

/* Writes rows, or prints them as a table, CSV or lines with tabs. */
function showRows(
  listing: Listing,
  out: OutFile | undefined,
  { columns, rows, isSynthetic }: Rows,
  about: Statements,
): Promise<void> {
  const { session, table, query, options } = listing;
  const { view } = session;
  const isUsual = (query.columns ?? options.groupBy) === undefined;
  const synthetic = view.synthetic || isSynthetic;
  function* text() {
    if (view.terminal) yield renderTable(columns, rows, { ...view, synthetic }, isUsual);
    else for (const row of rows) yield renderTabbed(row);
  }
  const shown = {
    name: table.sheet,
    columns: columns.map(({ name }) => name),
    rowsOf: (row: readonly CsvValue[]) => [row],
    idOf: ([id]: readonly CsvValue[]) => id,
    text,
    sheets: [
      methodSheet([
        ...writtenBy(session),
        ...syntheticStatement(isSynthetic),
        ...statementsOf(listing),
        ...about,
      ]),
    ],
  };
  return emit(session, rows, shown, out);
}

/* Writes the organizations with their years and sources. */
async function writeOrganizations(listing: Listing, out: OutFile): Promise<void> {
  const rowsOf = rowReader(listing.session, out);
  const { rows } = await select(listing, ({ record }) => rowsOf(record));
  await writeRecordRows(listing.session, out, rows, statementsOf(listing));
}

/* Prints or writes counts and sums of groups. */
async function listGroups(
  listing: Listing,
  groupBy: string,
  out: OutFile | undefined,
): Promise<void> {
  const { session, table, query, options } = listing;
  const { format } = session;
  if (query.columns !== undefined || query.order !== undefined || format === 'ids')
    throw new UsageError(
      `--group-by cannot be combined with ${query.columns ? '--columns' : query.order ? '--sort' : '-q'}`,
      'Groups have the columns of --group-by and --sum, ordered by the first sum.',
    );
  if (out?.extension === '.ndjson')
    throw new UsageError('-o: groups are no records', 'Use an .xlsx or .csv file, or --json.');
  const plan = planGroups(table, groupBy, options.sum);
  const everyRow = { ...listing, query: { ...query, top: Number.POSITIVE_INFINITY } };
  const selected = await select(everyRow, (row) => valuesOf(plan.read, row));
  const { isSynthetic } = selected;
  const isFile = out !== undefined || format === 'csv' || format === 'json';
  const isTerminal = !isFile && session.view.terminal;
  const marks: CsvValue[] = isFile ? [isSynthetic || null] : [];
  const columns: readonly ShownColumn[] = [
    ...groupColumns(plan, `${table.noun}s`),
    ...(marks.length > 0 ? [syntheticColumn] : []),
  ];
  const textsOf = (row: readonly CsvValue[]) =>
    columns.map((column, index) => cellText(column, row[index], 'exact'));
  const rows = groupedValues(selected.rows, plan)
    .slice(0, query.top)
    .map((row) => [...row, ...marks])
    .map((row) => (isTerminal ? textsOf(row) : row));
  if (format !== 'json') return showRows(listing, out, { columns, rows, isSynthetic }, []);
  const names = columns.map(({ name }) => name);
  return emitJson(session, rows, (row) =>
    JSON.stringify(Object.fromEntries(names.map((name, index) => [name, row[index]]))),
  );
}

/* Prints or writes records as they are in the input. */
async function passOn(listing: Listing, out: OutFile | undefined): Promise<void> {
  const { session } = listing;
  const { rows } = await select(listing, ({ record }, source) => {
    const json = source.json();
    return out === undefined ? json : recordLine(record.id ?? undefined, source, compactJson(json));
  });
  return emitJson(session, rows, (json) => json, out);
}

/*
 * Returns the selected rows of the latest records in their order, and reports how many they are.
 */
async function select<Item>(
  { session, files, query, table, options: { keep, at } }: Listing,
  itemOf: (row: RecordRow, source: RecordSource) => Item,
): Promise<{ readonly rows: readonly Item[]; readonly isSynthetic: boolean }> {
  const { order, top, conditions } = query;
  let all = 0;
  const read = (record: Organization, source: RecordSource) =>
    table.rows(record).map((row): Selected<Item> | undefined => {
      if (!query.matches(row)) return undefined;
      const keys = order?.keys(row) ?? [];
      return { keys, item: itemOf(row, source), isSynthetic: isSynthetic(record) };
    });
  const shown = (rows: readonly (Selected<Item> | undefined)[]) => rows.map((row) => row?.item);
  const { latest } = await readLatest(session, files, read, {
    isSame: (a, b) => isDeepStrictEqual(shown(a), shown(b)),
    keep,
    at,
  });
  const selected: Selected<Item>[] = [];
  for (const rows of latest.values()) {
    all += rows.length;
    for (const row of rows) if (row !== undefined) selected.push(row);
  }
  if (order !== undefined) selected.sort((a, b) => order.compare(a.keys, b.keys));
  const first = selected.slice(0, top);
  if (conditions.length > 0 || first.length < selected.length)
    reportSelection(session, query, table, { all, matches: selected.length, shown: first.length });
  return {
    rows: first.map(({ item }) => item),
    isSynthetic: first.some((row) => row.isSynthetic),
  };
}

function reportSelection(
  { messages }: Session,
  { conditions, order }: Listing['query'],
  { noun }: RecordTable,
  { all, matches, shown }: Readonly<Record<'all' | 'matches' | 'shown', number>>,
): void {
  const hasConditions = conditions.length > 0;
  const of = plural(all, noun);
  const matched = `${matches === 0 ? 'None' : count.format(matches)} of ${of} ${matches <= 1 ? 'meets' : 'meet'} the conditions.`;
  const cut = `Showing ${count.format(shown)} of ${hasConditions ? 'them' : of}.`;
  messages.print({
    level: 'progress',
    text: [...(hasConditions ? [matched] : []), ...(shown < matches ? [cut] : [])].join(' '),
  });
  if (shown < matches && order === undefined)
    messages.hint('Shown in input order; for the largest, add --sort -scope_1.');
}

/* States how the rows were selected, because the file may travel without its command. */
function statementsOf({ files, options }: Listing): Statements {
  const { where = [], sort, top, groupBy } = options;
  return [
    ['files', files.map((file) => (file === '-' ? 'standard input' : basename(file))).join(', ')],
    ['records', 'the latest record of each organization'],
    ...where.map((condition) => ['condition', condition] as const),
    ...(groupBy === undefined ? [] : [['groups', groupBy] as const]),
    ...(sort === undefined ? [] : [['order', sort] as const]),
    ...(top === undefined ? [] : [['maximum rows', String(top)] as const]),
  ];
}
