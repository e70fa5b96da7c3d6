import { readReference } from '../../../client/api/ids.ts';
import { headingOf, kindOf } from '../../../display/query/kinds.ts';
import { foldText, isSaid, type QueryText } from '../../../display/query/query.ts';
import type { Answering } from '../../../display/terminal/answers.ts';
import { cut, naming } from '../../../display/terminal/format.ts';
import {
  isInCurrency,
  type RecordColumn,
  scoreOf,
  syntheticColumn,
} from '../../../portfolio/organizations/columns.ts';
import { otherYearsNote } from '../../../portfolio/organizations/other-years.ts';
import { quotingLimit, unitState } from '../../../portfolio/organizations/quoting.ts';
import { parseSelection, type Selection } from '../../../portfolio/organizations/selection.ts';
import {
  amountsInWords,
  type FigureYearCounts,
  type NextCommands,
  unitInWords,
} from '../../../portfolio/organizations/statements.ts';
import {
  type Kept,
  keptColumns,
  organizationTable,
  withCells,
  yearTable,
} from '../../../portfolio/organizations/tables.ts';
import {
  checkPast,
  datesOf,
  datesOnSheet,
  type ResultDates,
  recordDaysAt,
  sentences,
} from '../../../portfolio/records/dates.ts';
import type { ListErrors } from '../../../portfolio/report/list-errors.ts';
import { type ListStatement, listAnswers } from '../../../portfolio/report/list-statements.ts';
import { RowSelector } from '../../../portfolio/report/row-selector.ts';
import { invalidInput, UsageError } from '../../../runtime/carbon-error.ts';
import { dayAt } from '../../../runtime/clock.ts';
import { command, hint } from '../../../runtime/hint.ts';
import { meantNames } from '../../../runtime/nearest.ts';
import { fileTitle } from '../../input-table.ts';
import { nextCommands } from '../../next-commands.ts';
import {
  atOption,
  type CommandDeclaration,
  everyFormat,
  keepOption,
  type OptionGroups,
  type OptionValues,
  outOption,
  readCount,
  recordCurrencyOption,
  recordFiles,
  sheetOption,
  unitOption,
} from '../../options.ts';
import { hasAnswerLines, summarizeAnswers } from '../../output/answer-notices.ts';
import type { OutFile } from '../../output/out-file.ts';
import { type RecordShape, readable, usualShape } from '../../output/record-shapes.ts';
import { byForm, isForm, openRecordFile, type Result, show } from '../../output/show.ts';
import { type AboutList, printAbout, readLatest, type StoreView } from '../../read-snapshot.ts';
import type { Session } from '../../session.ts';

const howItWorks = `
carbon list works offline. Several files form one list. Of several records of an
ID, the latest counts. Terminals and workbooks begin with the largest emitters.

Conditions compare with =, !=, <, <=, > and >=. Text ignores case and may be a
word of a terminal or workbook: target=validated (set). A date compares as
precisely as you write it: climate_pledge_signed_at>=2024. Missing values come
last and match only !=. "score=" selects them, and "score!=" all others.

Columns have the names of --csv, such as id, hq_region, score, scope_1 and total
(carbon help columns). Scores are from 0 to 100.

--sum shows how many organizations and which years are behind each sum. To add
up one year, use --years --where year=2024. Of several regions, the global one
counts, that of the headquarters or the first; to choose: --where region=DE.
Scope 3 and totals cannot be added up: emissions would count twice.

In a terminal, ! marks an error of carbon check (--columns check), and § figures
of another year than those of most rows. Sums leave out wrong figures; --json
prints records as received.
Exit codes: 0 shown, 1 or 2 failure.`;

const maxTop = 1_000_000;

const options = {
  Select: [
    {
      flags: '--columns <names>',
      description: 'show only these columns, separated by commas',
      offers: columnNames,
    },
    {
      flags: '--where <condition>',
      description:
        'select organizations, such as "score<40" or hq_region=DE (repeatable: all must apply)',
      offers: columnNames,
      parse: (text, given: readonly string[] = []) => [...given, text],
    },
    {
      flags: '--sort <names>',
      description:
        'sort by these columns; prefix a name with - for descending order, such as -score',
      offers: async () => (await columnNames()).flatMap((name) => [name, `-${name}`]),
    },
    {
      flags: '--top <n>',
      description: 'show only the first n rows',
      parse: readCount('--top', 1, maxTop, 10),
    },
    { flags: '--years', description: 'show a row for each organization, year and region' },
    recordCurrencyOption,
    unitOption,
    sheetOption,
    atOption,
    keepOption,
  ],
  Group: [
    {
      flags: '--group-by <names>',
      description: 'count organizations by the values of these columns',
      offers: columnNames,
    },
    {
      flags: '--sum <names>',
      description: 'with --group-by: add up these columns, such as scope_1,scope_2',
      offers: columnNames,
    },
  ],
  Output: [outOption(['.xlsx', '.csv', '.ndjson'])],
} as const satisfies OptionGroups;

/* What a list reads of the options. A member that no option sets is a type error. */
type ListOptions = Partial<
  Pick<
    OptionValues<typeof options>,
    Exclude<keyof QueryText, 'mean'> | keyof StoredView | 'years' | 'out' | 'unit'
  >
>;
type StoredView = Pick<StoreView, 'keep' | 'at' | 'currency' | 'sheet'>;

export const listCommand: CommandDeclaration<typeof options> = {
  name: 'list',
  group: 'Portfolio',
  summary: 'List organizations: filter, sort, choose columns and group',
  arguments: [recordFiles],
  options,
  examples: [
    'carbon list suppliers.xlsx --where "sbti_near_term!=validated" --columns id',
    'carbon list suppliers.xlsx --sort -scope_1 --top 20',
    'carbon list suppliers.xlsx --where hq_region=DE --sort score -o de.xlsx',
    'carbon list suppliers.xlsx --group-by hq_region --sum scope_1,scope_2',
  ],
  notes: howItWorks,
  formats: everyFormat,
  service: ['--sandbox'],
  missing: [
    'a file',
    hint`Try ${command`list suppliers.csv`}, or ${command`list -`} to read standard input.`,
  ],
  run: async (session, files, options) => {
    await listRecords(session, files, options);
    return 0;
  },
};

async function columnNames(): Promise<readonly string[]> {
  return organizationTable.columns.map(({ name }) => name);
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
  checkPast(session.context.clock, '--at', options.at);
  const table = options.years ? yearTable : organizationTable;
  const out = await openRecordFile(session, options.out, files);
  const isByEmissions = isForPeople(session, out) && isWhole(options);
  const sort = isByEmissions ? '-scope_1_and_2' : options.sort;
  const selection = await parseSelection(table, { ...options, sort });
  checkFormat(session, selection, out);
  const selected = await select(session, files, selection, { ...options, out });
  const { said, dates, saidDays, numbers, hasUnit, later } = selected;
  const { unit = null } = options;
  const notes = isByEmissions && isRanked(selected.rows) ? [{ text: byEmissions }] : [];
  const days = saidDays ? undefined : dates;
  const one = sentences(
    [...said, ...notes, ...(hasUnit ? [{ text: capital(unitInWords(unit)) }] : [])],
    days,
  );
  const answers = hasAnswerLines(session)
    ? answersOf(selected, { unit, notes, days })
    : [{ text: one.replace(/\.$/, '') }];
  summarizeAnswers(session, 'progress', answers, {
    ...{ statements: said, unit, ...dates, ...numbers },
  });
  printAbout(session, later);
  const listed = { ...selected, unit, files, commands: nextCommands(session, files, options) };
  const result = await resultOf(session, selection, listed, out);
  await show(session, result, out);
}

/* What a terminal says of a list: what answers one question in a line, which a title does not. */
function answersOf(
  { said, rows, hasUnit }: Selected,
  {
    unit,
    notes,
    days,
  }: {
    readonly unit: string | null;
    readonly notes: readonly { readonly text: string }[];
    readonly days: ResultDates | undefined;
  },
): readonly (Answering & { readonly text: string })[] {
  const isSynthetic = rows.some((row) => row.isSynthetic);
  const limit = quotingLimit(isSynthetic, hasUnit ? unitState(unit, false) : 'known');
  const amounts = hasUnit && unit !== null ? capital(amountsInWords(unit)) : undefined;
  const retrieved = days && recordDaysAt(days);
  return [
    ...[limit, amounts].flatMap((text) => (text ? { question: 'sure' as const, text } : [])),
    ...listAnswers(said),
    ...notes,
    ...(retrieved ? [{ question: 'when' as const, text: capital(retrieved) }] : []),
  ];
}

/* As in `text.ts`, which measures texts and takes as long to load as all of this. */
function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const byEmissions = 'Largest scope 1 + 2 first';

/* Programs get rows in the order of the list, which no --top may change. */
function isWhole({ sort, top, columns, groupBy, years }: ListOptions): boolean {
  return ![sort, top, columns, groupBy].some((each) => each !== undefined) && !years;
}

/* Whether the order says anything: rows without emissions are in the order of the list. */
function isRanked(rows: readonly Kept[]): boolean {
  return rows.length > 1 && rows.some(({ keys: [key = null] }) => key !== null);
}

function isForPeople(session: Session, out: OutFile | undefined): boolean {
  return byForm(session, { terminal: true, workbook: true, other: false }, out);
}

function checkFormat(
  session: Session,
  { table, columns, grouping, conditions }: Selection,
  out: OutFile | undefined,
): void {
  const noColumns = { json: 'JSON', ndjson: 'JSON', ids: '-q', other: undefined };
  const other = byForm(session, noColumns, out);
  if (columns !== undefined && other !== undefined)
    throw new UsageError(`--columns cannot be combined with ${other}`, 'Use --csv for columns.');
  const noGroups = { ndjson: 'a file of records', ids: '-q', other: undefined };
  const ungrouped = byForm(session, noGroups, out);
  if (grouping !== undefined && ungrouped !== undefined)
    throw new UsageError(
      `--group-by cannot be combined with ${ungrouped}`,
      'Use --csv or --json, or a file that ends with .xlsx or .csv.',
    );
  const hasWholeRecords = byForm(session, { json: true, ndjson: true, other: false }, out);
  if (grouping === undefined && hasWholeRecords && table !== organizationTable)
    throw new UsageError(
      '--years cannot be combined with JSON',
      'JSON has whole records, with every year. Use --csv for this table.',
    );
  for (const { column, text } of conditions)
    if (column.kind === 'score' && Number(text) > 0 && Number(text) < 1)
      session.messages.warn(
        `Scores are from 0 to 100, so ${text} is almost the worst. Did you mean ${scoreOf(Number(text))}?`,
      );
}

/* Returns what to keep of the selected rows. */
function shapeOf(
  session: Session,
  { table, columns, grouping }: Selection,
  out: OutFile | undefined,
): RecordShape {
  if (grouping !== undefined) return { columns: grouping.read };
  const usual = usualShape(session, table, out);
  if (columns === undefined)
    return byForm(session, { ids: { columns: [idColumn] }, other: usual }, out);
  const chosen = columns.filter(({ name }) => name !== syntheticColumn.name);
  const marked = { columns: [...chosen, syntheticColumn] };
  const asText = { columns, texts: 'exact' } as const;
  const workbook = { columns: marked.columns.map(readable) };
  return byForm<RecordShape>(
    session,
    { terminal: asText, pipe: { columns }, workbook, other: marked },
    out,
  );
}

const idColumn: RecordColumn = {
  name: 'id',
  kind: 'id',
  description: '',
  value({ record }) {
    const { id, name } = readReference(record);
    if (id !== undefined) return id;
    const which = name === undefined ? '' : ` (${name})`;
    throw invalidInput(`A record has no usable ID${which}`, 'Use --json to see the record.');
  },
};

/* Whole records have every figure. */
function showsMoney({ conditions, order }: Selection, { columns, line }: RecordShape): boolean {
  const compared = [...conditions.map(({ column }) => column), ...(order?.columns ?? [])];
  const isMoney = (column: RecordColumn) => isInCurrency(column) || column.figuresOf === 'currency';
  return line !== undefined || [...columns, ...compared].some(isMoney);
}

/* What is kept of the selected rows, and what they say. */
interface Selected {
  readonly shape: RecordShape;
  readonly rows: readonly Kept[];
  /** Whether columns have emissions, whose unit matters. */
  readonly hasUnit: boolean;
  readonly said: readonly ListStatement[];
  readonly figureYears: FigureYearCounts | undefined;
  readonly dates: ResultDates;
  /** Whether the lists that were read have said of which days their records are. */
  readonly saidDays: boolean;
  /** What is unusual about the lists. */
  readonly later: readonly AboutList[];
  readonly numbers: Readonly<Record<string, number>> & { readonly organizations: number };
  /** Which rows of the lists have no record. */
  readonly missing: readonly string[];
  /** Organizations with emissions. */
  readonly disclosing: number;
}

/*
 * Returns what is kept of the selected rows of the latest records, in their order, or of their
 * groups.
 */
async function select(
  session: Session,
  files: readonly string[],
  selection: Selection,
  { out, keep: directory, at, currency, sheet }: StoreView,
): Promise<Selected> {
  const { messages, context } = session;
  const now = context.clock.now();
  let shape = shapeOf(session, selection, out);
  const isWorkbook = isForm(session, 'workbook', out);
  const hasNoMoney = currency === undefined && !showsMoney(selection, shape);
  const isRead = isForPeople(session, out);
  const errors = await openErrors(selection, shape, { isWorkbook, isRead, now });
  const needsCells = selection.grouping !== undefined || errors !== undefined || out !== undefined;
  const columns: readonly Pick<RecordColumn, 'kind'>[] =
    selection.grouping?.columns ?? shape.columns;
  if (isForm(session, 'csv') && !needsCells) shape = await asLines(shape);
  const selector = new RowSelector(selection, shape, errors);
  const later: AboutList[] = [];
  const { latest, saidDays, missing } = await readLatest(
    session,
    files,
    (record, source) => selector.read(record, source),
    {
      ...{ keep: directory, at, currency, sheet, out, hasNoMoney, later },
      saysDays: true,
      // What meets conditions has a record.
      saysRejected: () => selection.conditions.length > 0,
    },
  );
  for (const [condition, values] of selector.textConditions(latest))
    warnOfUnknown(session, condition, values);
  const { rows, groups, said, figureYears, warning, disclosing, ...numbers } =
    await selector.select(latest);
  if (warning !== undefined) messages.warn(warning);
  const { organizations, total, met } = numbers;
  const isSynthetic = rows.some((row) => row.isSynthetic);
  const grouped = groups?.map(({ values }): Kept => {
    return { cells: [...values, isSynthetic || null], isSynthetic, keys: [] };
  });
  return {
    shape,
    rows: grouped ?? rows,
    hasUnit: disclosing > 0 && rows.length > 0 && columns.some(({ kind }) => kindOf(kind).hasUnit),
    said,
    figureYears,
    dates: datesOf(latest.times(), now, at),
    saidDays,
    later,
    missing,
    disclosing,
    numbers: { organizations, [`${selection.table.noun}s`]: total, matching: met },
  };
}

/*
 * Returns what finds errors, where a result marks them, adds figures up, or is for a person: every
 * rule for every record takes as long as reading them.
 */
async function openErrors(
  { table, grouping, columns: chosen }: Selection,
  { columns }: RecordShape,
  { isWorkbook, isRead, now }: { isWorkbook: boolean; isRead: boolean; now: number },
): Promise<ListErrors | undefined> {
  const isMarked = columns.some(({ kind }) => kind === 'error');
  const isAdded = grouping?.hasFigures ?? isWorkbook;
  if (!isMarked && !isAdded) return undefined;
  const { ListErrors } = await import('../../../portfolio/report/list-errors.ts');
  // The usual table only has a mark.
  const hasWords = isMarked && isRead && chosen !== undefined;
  const checks = hasWords ? await import('../../../portfolio/checks/check-records.ts') : undefined;
  const today = dayAt(now);
  return new ListErrors({ table, grouping }, columns, today, checks?.ruleWords);
}

/*
 * Keeps rows as lines of CSV if nothing else needs their cells: a line is one object instead of 30,
 * which saves a tenth of the memory and 3% of the time (npm run bench -- --only reading).
 */
async function asLines({ columns }: RecordShape): Promise<RecordShape> {
  const { csvHead, csvLine } = await import('../../output/print-rows.ts');
  return { columns: [], line: csvLine(columns), head: csvHead(columns) };
}

const maxNamed = 12;

/* Says which texts a column has if none is that of a condition, which may be a mistake. */
function warnOfUnknown(
  { messages }: Session,
  { column, text }: Selection['conditions'][number],
  values: readonly string[],
): void {
  const known = [...new Set(values.filter((value) => value !== ''))].sort();
  const wanted = foldText(text);
  if (values.length === 0 || known.some((value) => isSaid(column, text, value))) return;
  const folded = meantNames(wanted, known.slice(0, 1_000).map(foldText));
  const meant = known.filter((value) => folded.includes(foldText(value)));
  const others = known.length > maxNamed && meant.length > 0 ? [] : known;
  const named = others.length > 0 ? `; the values are ${naming(others, maxNamed)}` : '';
  const question = meant.length === 0 ? '' : `. Did you mean ${meant.join(' or ')}?`;
  const { title = column.name } = column;
  messages.warn(
    `No record has the ${title.toLowerCase()} "${cut(text, 60)}"${known.length > 0 ? named : ''}${question}`,
  );
}

/* What a list has, and what its reader can do. */
interface Listed extends Selected {
  readonly unit: string | null;
  readonly files: readonly string[];
  readonly commands: NextCommands | undefined;
}

/* Returns what is kept of rows, in each form that it has. */
async function resultOf(
  session: Session,
  { table, columns, grouping, conditions }: Selection,
  { shape, rows, said, figureYears, dates, hasUnit, unit, ...more }: Listed,
  out: OutFile | undefined,
): Promise<Result<Kept>> {
  const marks = byForm(session, { terminal: [], pipe: [], other: [syntheticColumn] }, out);
  const shown = keptColumns(
    grouping ? [...grouping.columns, ...marks] : shape.columns,
    shape.texts,
  );
  const isUsual = columns === undefined && grouping === undefined;
  // The usual table needs its room for names; the line of statements has the unit.
  const named = shown.map((column): typeof column => {
    const { kind, title, isOfYear } = column;
    const isFigure = isOfYear && kindOf(kind).hasUnit;
    const footnote = isFigure ? otherYearsNote(figureYears) : undefined;
    const isNamed = title !== undefined && !isUsual;
    const isGiven = conditions.some(
      (each) => each.operator === '=' && each.text !== '' && each.column.name === column.name,
    );
    return {
      ...column,
      isGiven,
      ...(isNamed && { title: headingOf(title, kind, unit) }),
      footnote,
    };
  });
  const isScreen = byForm(session, { terminal: true, pipe: false, other: false }, out);
  const groups = grouping && (await import('../../output/group-columns.ts'));
  const synthetic = rows.some(({ isSynthetic }) => isSynthetic);
  function* lines() {
    for (const row of rows)
      yield row.line ??
        JSON.stringify(Object.fromEntries(shown.map(({ name, value }) => [name, value(row)])));
  }
  function* csv(head: string) {
    yield head;
    for (const { line = '' } of rows) yield line;
  }
  return {
    csv: shape.head === undefined ? undefined : csv(shape.head),
    table: {
      name: table.sheet,
      columns: (isScreen && groups?.groupsOnScreen(named, grouping?.read ?? [], rows)) || named,
      rows: withCells(rows, shape),
      idOf: ({ cells: [id] }) => id,
      isUsual,
      synthetic,
    },
    json: lines(),
    fileLines: lines,
    async workbook() {
      const [{ recordSheets }, { listSummary }] = await Promise.all([
        import('../../output/record-sheets.ts'),
        import('../../../portfolio/report/list-sheet.ts'),
      ]);
      const { organizations } = more.numbers;
      const doubts = { isSynthetic: synthetic, isUnitUnknown: hasUnit && unit === null };
      const inSheet = groups?.groupsInSheet(shown, grouping?.read ?? []) ?? shown;
      const sheet = { name: table.sheet, columns: inSheet, isUsual, unit, figureYears };
      const sheets = await recordSheets(sheet, shape, rows);
      return {
        ...sheets,
        title: `${table.sheet} in ${naming(more.files.map(fileTitle))}`,
        summary: () => ({
          isSynthetic: synthetic,
          ...listSummary({ said, organizations, rows: rows.length, ...doubts, ...more }),
          dates: datesOnSheet(dates),
          notes: [
            // A reader of the file may not know the command.
            ['Command', session.again({ without: ['--out', '--overwrite'] })],
            ['Rows', 'The latest record of each organization'],
            ...(hasUnit && unit !== null ? [['Unit of emissions', unit] as const] : []),
          ],
        }),
      };
    },
  };
}
