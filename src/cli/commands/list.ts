import { basename } from 'node:path';
import { readReference } from '../../api/ids.ts';
import type { Organization } from '../../api/schema.ts';
import { planGroups } from '../../organizations/grouping.ts';
import { isSynthetic } from '../../organizations/history.ts';
import {
  type Column,
  type ColumnValue,
  grammar,
  parseQuery,
  type Query,
  type RowKeys,
} from '../../query/query.ts';
import { recordLine } from '../../records/envelope.ts';
import type { RecordSource } from '../../records/records.ts';
import { checkCountryCondition } from '../../registration/country-condition.ts';
import { invalidInput, UsageError } from '../../runtime/carbon-error.ts';
import type { Statements } from '../../table/output-sheet.ts';
import { count, plural } from '../../terminal/format.ts';
import {
  atOption,
  type CommandDeclaration,
  everyFormat,
  keepOption,
  outOption,
  readCount,
  recordFiles,
} from '../options.ts';
import { emit } from '../output/emit.ts';
import { compactJson } from '../output/json.ts';
import { type RecordRow, scoreOf, syntheticColumn } from '../output/record-columns.ts';
import {
  organizationTable,
  type RecordTable,
  valuesOf,
  yearTable,
} from '../output/record-tables.ts';
import { openRecordFile } from '../output/records.ts';
import { readLatest, type StoreView } from '../read-snapshot.ts';
import type { Session } from '../session.ts';

interface ListOptions extends Pick<StoreView, 'keep' | 'at'> {
  readonly columns?: string;
  readonly where?: readonly string[];
  readonly sort?: string;
  readonly top?: number;
  readonly years?: boolean;
  readonly groupBy?: string;
  readonly sum?: string;
  readonly out?: string | undefined;
}

const howItWorks = `
carbon list works offline. Several files form one list. If an ID occurs more
than once, the record retrieved last is used.

Conditions:
${grammar
  .filter(({ form }) => form.startsWith('--where'))
  .map(({ example }) => `  ${example}`)
  .join('\n')}

Missing values come last. "score=" selects them, and "score!=" all others. They
match != with any value, but no other condition.

Columns have the names of --csv: id, name, hq_region, industry_name, score,
scope_1, scope_2, scope_3, total, sbti_near_term and others (carbon help
columns). Scores are from 0 to 100.

--group-by hq_region --sum scope_1,scope_2 adds up both columns, and shows how
many organizations and which years are behind each sum. To add up one year, use
--years --where year=2024. Scope 3 and totals cannot be added up,
because the sum would count emissions twice.

--json prints the selected records unchanged.`;

const maxTop = 1_000_000;

export const listCommand: CommandDeclaration<ListOptions> = {
  name: 'list',
  group: 'Use data',
  summary: 'List organizations: filter, sort, choose columns and group',
  arguments: [recordFiles],
  options: {
    Select: [
      {
        flags: '--columns <names>',
        description: 'show only these columns, separated by commas',
        values: columnNames,
        parse: once('--columns'),
      },
      {
        flags: '--where <condition>',
        description:
          'select organizations, such as "score<40" or hq_region=DE (repeatable: all must apply)',
        values: columnNames,
        parse: (text, given: readonly string[] = []) => [...given, text],
      },
      {
        flags: '--sort <names>',
        description:
          'sort by these columns; prefix a name with - for descending order, such as -score',
        values: columnNames,
        parse: once('--sort'),
      },
      {
        flags: '--top <n>',
        description: 'show only the first n rows',
        parse: readCount('--top', 1, maxTop),
      },
      { flags: '--years', description: 'show a row for each organization, year and region' },
      atOption,
      keepOption,
    ],
    Group: [
      {
        flags: '--group-by <names>',
        description: 'count organizations by the values of these columns',
        values: columnNames,
        parse: once('--group-by'),
      },
      {
        flags: '--sum <names>',
        description: 'with --group-by: add up these columns, such as scope_1,scope_2',
        values: columnNames,
        parse: once('--sum'),
      },
    ],
    Output: [outOption('.xlsx, .csv or .ndjson')],
  },
  examples: [
    'carbon list suppliers.xlsx --where "sbti_near_term!=set" --columns id,name',
    'carbon list suppliers.xlsx --sort -scope_1 --top 20',
    'carbon list suppliers.xlsx --where hq_region=DE --sort score -o de.xlsx',
    'carbon list suppliers.xlsx --group-by hq_region --sum scope_1,scope_2',
  ],
  notes: howItWorks,
  formats: everyFormat,
  service: ['--sandbox'],
  missing: [
    'a file',
    'Try `carbon list records.ndjson`, or `carbon list -` to read standard input.',
  ],
  synonyms: ['ls', 'filter', 'query', 'sort', 'select'],
  run: async (session, files, options) => {
    await listRecords(session, files, options);
    return 0;
  },
};

async function columnNames(): Promise<readonly string[]> {
  return organizationTable.columns.map(({ name }) => name);
}

/* Returns a parser that refuses a second list of columns, which would replace the first one. */
function once(flag: string): (text: string, given?: string) => string {
  return (text, given) => {
    if (given === undefined) return text;
    throw new UsageError(
      `${flag} was given twice: "${given}" and "${text}"`,
      `Separate columns with commas: ${flag} ${given},${text}`,
    );
  };
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
  const { groupBy, sum, out } = options;
  const { format, view } = session;
  const table = options.years ? yearTable : organizationTable;
  checkOptions(format, options);
  const query = await readQuery(session, table, options);
  const writer = out === undefined ? undefined : await import('../output/record-file.ts');
  const file = await openRecordFile(session, out, files);
  const isJson = format === 'json' || file?.extension === '.ndjson';
  const isFile = file !== undefined || format === 'csv';
  const about = statementsOf(files, options);
  const isUsual = (query.columns ?? groupBy) === undefined;
  const read = <Item>(selection: Query<RecordRow>, itemOf: ItemOf<Item>) =>
    select(session, files, { table, query: selection, itemOf, view: options });
  const show = ({ rows, isSynthetic: synthetic }: Selection<Cells>, columns: Column<Cells>[]) => {
    const described = columns.map(({ name, description }) => [name, description] as const);
    const more = [...about, ...described.filter(([, description]) => description !== '')];
    const sheets = writer && [writer.aboutSheet(session, synthetic, more)];
    const jsonOf = (cells: Cells) =>
      JSON.stringify(Object.fromEntries(columns.map(({ name }, index) => [name, cells[index]])));
    const shown = { name: table.sheet, columns, idOf: ([id]: Cells) => id, jsonOf };
    return emit(session, { ...shown, isUsual, synthetic, sheets: sheets ?? [] }, rows, file);
  };

  if (groupBy !== undefined) {
    if (file?.extension === '.ndjson')
      throw new UsageError('-o: groups are no records', 'Use an .xlsx or .csv file, or --json.');
    const { read: kept, columns, group } = planGroups(table, groupBy, sum, `${table.noun}s`);
    const all = { ...query, top: Number.POSITIVE_INFINITY };
    const { rows, isSynthetic: synthetic } = await read(all, (row) => valuesOf(kept, row));
    const { name, type, description } = syntheticColumn;
    const mark = { name, type, description, value: () => synthetic || null };
    const shown = isFile || isJson ? [...columns, mark] : columns;
    const groups = group(rows).slice(0, query.top);
    return show(
      {
        rows: groups.map((values) => shown.map(({ value }) => value(values))),
        isSynthetic: synthetic,
      },
      keptColumns(shown),
    );
  }
  if (isJson) {
    if (table !== organizationTable)
      throw new UsageError(
        '--years cannot be combined with JSON',
        'JSON has whole records, with every year. Use --csv for this table.',
      );
    const { rows } = await read(query, ({ record }, source) => {
      const json = source.json();
      return file ? recordLine(record.id ?? undefined, source, compactJson(json)) : json;
    });
    const records = { name: table.sheet, columns: [], jsonOf: (json: string) => json };
    return emit(session, records, rows, file);
  }
  if (writer && file && table === organizationTable && isUsual) {
    const rowsOf = writer.rowReader(session, file);
    const { rows } = await read(query, ({ record }) => rowsOf(record));
    return writer.writeRecordRows(session, file, rows, about);
  }
  const isTerminal = !isFile && format === 'human' && view.terminal;
  const chosen = query.columns?.filter(({ name }) => !isFile || name !== syntheticColumn.name);
  const usual = isTerminal ? table.terminal : isFile ? table.written : table.pipe;
  const columns = chosen ? [...chosen, ...(isFile ? [syntheticColumn] : [])] : usual;
  const length = isUsual ? 'compact' : 'exact';
  const selection = await read(query, (row): Cells => {
    if (format === 'ids') return [idOf(row.record)];
    return columns.map(({ value, text }) => (isTerminal && text?.(row, length)) || value(row));
  });
  return show(selection, keptColumns(columns, isTerminal));
}

/* The values of a row, or their texts; the record itself is not kept. */
type Cells = readonly ColumnValue[];

/* Returns columns that read the cells which were kept of a row. */
function keptColumns<Row>(columns: readonly Column<Row>[], hasTexts = false): Column<Cells>[] {
  return columns.map(({ text, ...column }, index) => ({
    ...column,
    value: (cells) => cells[index],
    ...(text && hasTexts ? { text: (cells: Cells) => String(cells[index] ?? '') } : {}),
  }));
}

function idOf(record: Organization): ColumnValue {
  const { id, name } = readReference(record);
  if (id !== undefined) return id;
  const which = name === undefined ? '' : ` (${name})`;
  throw invalidInput(`A record has no usable ID${which}`, 'Use --json to see the record.');
}

function checkOptions(format: Session['format'], options: ListOptions): void {
  const { columns, sort, sum, groupBy } = options;
  if (sum !== undefined && groupBy === undefined)
    throw new UsageError('--sum needs --group-by', 'Use --group-by hq_region --sum scope_1.');
  if (columns !== undefined && (format === 'json' || format === 'ids'))
    throw new UsageError(`--columns cannot be combined with --${format}`, 'Use --csv for columns.');
  const other = columns ? '--columns' : sort ? '--sort' : format === 'ids' ? '-q' : undefined;
  if (groupBy !== undefined && other !== undefined)
    throw new UsageError(
      `--group-by cannot be combined with ${other}`,
      'Groups have the columns of --group-by and --sum, ordered by the first sum.',
    );
}

async function readQuery(
  { messages }: Session,
  table: RecordTable,
  options: ListOptions,
): Promise<Query<RecordRow>> {
  const query = parseQuery(table, options);
  for (const condition of query.conditions) {
    await checkCountryCondition(condition);
    const { column, text } = condition;
    if (/(?:^|_)score$/.test(column.name) && Number(text) > 0 && Number(text) < 1)
      messages.warn(
        `Scores are from 0 to 100, so ${text} is almost the worst. Did you mean ${scoreOf(Number(text))}?`,
      );
  }
  return query;
}

type ItemOf<Item> = (row: RecordRow, source: RecordSource) => Item;

interface Selection<Item> {
  readonly rows: readonly Item[];
  readonly isSynthetic: boolean;
}

/*
 * Returns the selected rows of the latest records in their order, and reports how many they are.
 */
async function select<Item>(
  session: Session,
  files: readonly string[],
  {
    table,
    query,
    itemOf,
    view: { keep, at },
  }: {
    readonly table: RecordTable;
    readonly query: Query<RecordRow>;
    readonly itemOf: ItemOf<Item>;
    readonly view: StoreView;
  },
): Promise<Selection<Item>> {
  const { order, top, conditions } = query;
  const { messages } = session;
  const { latest } = await readLatest(
    session,
    files,
    (record, source) =>
      table.rows(record).map((row) => {
        if (!query.matches(row)) return undefined;
        const keys: RowKeys = order?.keys(row) ?? [];
        return { keys, item: itemOf(row, source), isSynthetic: isSynthetic(record) };
      }),
    { keep, at },
  );
  const all = [...latest.values()].flat();
  const matching = all.filter((row) => row !== undefined);
  if (order !== undefined) matching.sort((a, b) => order.compare(a.keys, b.keys));
  const first = matching.slice(0, top);
  const of = plural(all.length, table.noun);
  const [matches, isCut] = [matching.length, first.length < matching.length];
  const matched = `${matches === 0 ? 'None' : count.format(matches)} of ${of} ${matches <= 1 ? 'meets' : 'meet'} the conditions.`;
  const cut = `Showing ${count.format(first.length)} of ${conditions.length > 0 ? 'them' : of}.`;
  const texts = [...(conditions.length > 0 ? [matched] : []), ...(isCut ? [cut] : [])];
  if (texts.length > 0) messages.print({ level: 'progress', text: texts.join(' ') });
  if (isCut && order === undefined)
    messages.hint('Shown in input order; for the largest, add --sort -scope_1.');
  const rows = first.map(({ item }) => item);
  return { rows, isSynthetic: first.some((row) => row.isSynthetic) };
}

/* States how the rows were selected, because the file may travel without its command. */
function statementsOf(files: readonly string[], options: ListOptions): Statements {
  const { where = [], sort, top, groupBy } = options;
  const given = { groups: groupBy, order: sort, 'maximum rows': top };
  return [
    ['files', files.map((file) => (file === '-' ? 'standard input' : basename(file))).join(', ')],
    ['records', 'the latest record of each organization'],
    ...where.map((condition) => ['condition', condition] as const),
    ...Object.entries(given).flatMap(([label, value]) =>
      value === undefined ? [] : [[label, String(value)] as const],
    ),
  ];
}
