import { readReference } from '../../api/ids.ts';
import { type RecordRow, scoreOf, syntheticColumn } from '../../organizations/columns.ts';
import { isSynthetic } from '../../organizations/history.ts';
import { parseSelection, type Selection } from '../../organizations/selection.ts';
import { organizationTable, type RecordTable, yearTable } from '../../organizations/tables.ts';
import type { Column, QueryText, RowKeys } from '../../query/query.ts';
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
import { type Cells, cellColumns, emit } from '../output/emit.ts';
import type { OutFile } from '../output/out-file.ts';
import type { RecordShape } from '../output/record-file.ts';
import { openRecordFile, usualColumns } from '../output/records.ts';
import { readLatest, type StoreView } from '../read-snapshot.ts';
import type { Session } from '../session.ts';

interface ListOptions extends QueryText, Pick<StoreView, 'keep' | 'at'> {
  readonly years?: boolean;
  readonly out?: string | undefined;
}

const howItWorks = `
carbon list works offline. Several files form one list. If an ID occurs more
than once, the record retrieved last is used.

Conditions compare with =, !=, <, <=, > and >=. Text ignores case, and a date
is compared as precisely as you write it: climate_pledge_signed_at>=2024.
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
      },
      {
        flags: '--where <condition>',
        description:
          'select organizations, such as "score<40" or hq_region=DE (repeatable: all must apply)',
        parse: (text, given: readonly string[] = []) => [...given, text],
      },
      {
        flags: '--sort <names>',
        description:
          'sort by these columns; prefix a name with - for descending order, such as -score',
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
      },
      {
        flags: '--sum <names>',
        description: 'with --group-by: add up these columns, such as scope_1,scope_2',
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
  run: async (session, files, options) => {
    await listRecords(session, files, options);
    return 0;
  },
};

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
  const table = options.years ? yearTable : organizationTable;
  const selection = await parseSelection(table, options, `${table.noun}s`);
  const list = { session, table, selection };
  const file = await openRecordFile(session, options.out, files);
  checkFormat(list, file);
  // A reader of the file may not know the command.
  const about: Statements = [
    ['command', session.again({})],
    ['records', 'the latest record of each organization'],
  ];
  const shape = await shapeOf(list, file, about);
  const { rows, isSynthetic: synthetic } = await select(list, files, shape, options);
  await emit(session, shape.tableOf(rows, synthetic), rows, file);
}

interface List {
  readonly session: Session;
  readonly table: RecordTable;
  readonly selection: Selection<RecordRow>;
}

function checkFormat({ session, table, selection }: List, file: OutFile | undefined): void {
  const { format, messages } = session;
  const { columns, grouping, conditions } = selection;
  const isJson = format === 'json' || file?.extension === '.ndjson';
  if (columns !== undefined && (isJson || format === 'ids'))
    throw new UsageError(
      `--columns cannot be combined with ${isJson ? 'JSON' : '-q'}`,
      'Use --csv for columns.',
    );
  if (grouping !== undefined && (file?.extension === '.ndjson' || format === 'ids'))
    throw new UsageError(
      `--group-by cannot be combined with ${file ? 'a file of records' : '-q'}`,
      'Use --csv or --json, or a file that ends with .xlsx or .csv.',
    );
  if (grouping === undefined && isJson && table !== organizationTable)
    throw new UsageError(
      '--years cannot be combined with JSON',
      'JSON has whole records, with every year. Use --csv for this table.',
    );
  for (const { column, text } of conditions)
    if (/(?:^|_)score$/.test(column.name) && Number(text) > 0 && Number(text) < 1)
      messages.warn(
        `Scores are from 0 to 100, so ${text} is almost the worst. Did you mean ${scoreOf(Number(text))}?`,
      );
}

/* Returns the shape of the records as received, of a file with all columns, or of some cells. */
async function shapeOf(
  { session, table, selection }: List,
  file: OutFile | undefined,
  about: Statements,
): Promise<RecordShape<unknown>> {
  const { format, view } = session;
  const { columns, grouping, top } = selection;
  const writer = file && (await import('../output/record-file.ts'));
  const isUsual = columns === undefined && grouping === undefined;
  if (isUsual && format === 'json') return received;
  if (isUsual && file && table === organizationTable)
    return writer?.shapeOfFile(session, file, about) ?? received;
  const isFile = file !== undefined || format === 'csv';
  const hasTexts = grouping === undefined && !isFile && format === 'human' && view.terminal;
  const usual = format === 'ids' ? [idColumn] : file ? table.written : usualColumns(table, session);
  const chosen = columns?.filter(({ name }) => !isFile || name !== syntheticColumn.name);
  const read =
    grouping?.read ?? (chosen ? [...chosen, ...(isFile ? [syntheticColumn] : [])] : usual);
  const length = isUsual ? 'compact' : 'exact';
  return {
    itemOf: (row): Cells =>
      read.map(({ value, text }) => (hasTexts && text?.(row, length)) || value(row)),
    ...(grouping && {
      finish: (rows: readonly Cells[]) => grouping.group(rows).slice(0, top),
    }),
    tableOf(_, synthetic) {
      const { name, type, description } = syntheticColumn;
      const mark = { name, type, description, value: () => synthetic || null };
      const groups = grouping && [
        ...grouping.columns,
        ...(isFile || format === 'json' ? [mark] : []),
      ];
      const shown: readonly Column<Cells>[] = groups ?? cellColumns(read, hasTexts);
      const described = shown
        .map((column) => [column.name, column.description] as const)
        .filter(([, text]) => text !== '');
      return {
        name: table.sheet,
        columns: shown,
        idOf: ([id]: Cells) => id,
        jsonOf: (cells: Cells) =>
          JSON.stringify(Object.fromEntries(shown.map((each) => [each.name, each.value(cells)]))),
        isUsual,
        synthetic,
        sheets: writer ? [writer.aboutSheet(session, synthetic, [...about, ...described])] : [],
      };
    },
  };
}

const received: RecordShape<string> = {
  itemOf: (_, source) => source.json(),
  tableOf: () => ({ name: '', columns: [], jsonOf: (json) => json }),
};

const idColumn: Column<RecordRow> = {
  name: 'id',
  type: 'text',
  description: '',
  value({ record }) {
    const { id, name } = readReference(record);
    if (id !== undefined) return id;
    const which = name === undefined ? '' : ` (${name})`;
    throw invalidInput(`A record has no usable ID${which}`, 'Use --json to see the record.');
  },
};

/*
 * Returns what is kept of the selected rows of the latest records, in their order, and reports how
 * many they are.
 */
async function select<Item>(
  { session, table, selection }: List,
  files: readonly string[],
  shape: RecordShape<Item>,
  { keep, at }: StoreView,
) {
  const { order, conditions } = selection;
  const { messages } = session;
  const { latest } = await readLatest(
    session,
    files,
    (record, source) =>
      table.rows(record).map((row) => {
        if (!selection.matches(row)) return undefined;
        const keys: RowKeys = order?.keys(row) ?? [];
        return { keys, item: shape.itemOf(row, source), isSynthetic: isSynthetic(record) };
      }),
    { keep, at },
  );
  const all = [...latest.values()].flat();
  const matching = all.filter((row) => row !== undefined);
  if (order !== undefined) matching.sort((a, b) => order.compare(a.keys, b.keys));
  const first = shape.finish ? matching : matching.slice(0, selection.top);
  const of = plural(all.length, table.noun);
  const [matches, isCut] = [matching.length, first.length < matching.length];
  const matched = `${matches === 0 ? 'None' : count.format(matches)} of ${of} ${matches <= 1 ? 'meets' : 'meet'} the conditions.`;
  const cut = `Showing ${count.format(first.length)} of ${conditions.length > 0 ? 'them' : of}.`;
  const texts = [...(conditions.length > 0 ? [matched] : []), ...(isCut ? [cut] : [])];
  if (texts.length > 0) messages.print({ level: 'progress', text: texts.join(' ') });
  const items = first.map(({ item }) => item);
  const rows = shape.finish?.(items) ?? items;
  return { rows, isSynthetic: first.some((row) => row.isSynthetic) };
}
