/*
 * The tables of records. Each has one list of columns, which CSV, workbooks, pipes and terminals
 * share, and which queries name. Until all records are read, some cells of each are kept.
 */
import type { Organization, SbtiTarget, Shown } from '../../client/api/schema.ts';
import type { Column, ColumnTable, ColumnValue, RowKeys } from '../../display/query/query.ts';
import type { StoredValues, ValueFile } from '../../runtime/temporary-file.ts';
import {
  barColumn,
  commitmentColumns,
  errorColumn,
  figureColumns,
  industryColumns,
  matchColumns,
  noteColumns,
  ofSource,
  ofYear,
  profileColumns,
  type RecordColumn,
  type RecordRow,
  syntheticColumn,
  yearsColumn,
} from './columns.ts';
import { isSynthetic, latestPerformance, performancesByYear } from './history.ts';
import { shownColumns } from './member-columns.ts';
import { knowsNoTarget, targetsByDate } from './targets.ts';

export interface RecordSheet {
  readonly sheet: string;
  readonly written: readonly RecordColumn[];
  /** The columns of a workbook: those that a reader needs first, then all others. */
  readonly read: readonly RecordColumn[];
  rows(record: Organization): readonly RecordRow[];
}

export interface RecordTable extends RecordSheet, ColumnTable<RecordRow> {
  readonly noun: 'organization' | 'row';
  readonly terminal: readonly RecordColumn[];
  readonly pipe: readonly RecordColumn[];
}

/*
 * An empty list means that SBTi has no target of this organization, a missing list that there is no
 * data.
 */
const noTarget: SbtiTarget = {
  near_term: { has_target: false },
  long_term: { has_target: false },
  net_zero: { has_target: false },
  business_ambition_1_5: { has_target: false },
};

/** Returns the row of an organization with the figures of a performance, by default the latest. */
export function organizationRow(
  record: Organization,
  performance = latestPerformance(record) ?? {},
): RecordRow {
  const [target = knowsNoTarget(record) ? noTarget : {}] = targetsByDate(record);
  return { record, performance, target };
}

/** Returns columns by their names, in this order. Each name is that of a column. */
export function pick(columns: readonly RecordColumn[], names: string): RecordColumn[] {
  return names.split(' ').map((name) => pickOne(columns, name));
}

function pickOne(columns: readonly RecordColumn[], name: string): RecordColumn {
  const found = columns.find((column) => column.name === name);
  if (found === undefined) throw new TypeError(`no column ${name}`);
  return found;
}

const pipeEnd = [...noteColumns, syntheticColumn];

/* Adds the columns that only the schema declares. They and `synthetic` come last in every table. */
function withShown(
  columns: readonly RecordColumn[],
  isIn: (section: Shown['section']) => boolean = () => true,
): RecordColumn[] {
  const shown = shownColumns.filter(({ section }) => isIn(section)).map(({ column }) => column);
  const added = shown.filter(({ name }) => columns.every((column) => column.name !== name));
  return [...columns, ...added, syntheticColumn];
}

const organizationColumns = withShown([
  ...profileColumns,
  ...commitmentColumns,
  ofYear(
    'year',
    'Year of the figures in this row: the latest with emissions, otherwise with any figure',
    'year',
    { title: 'Year', figuresOf: 'year' },
  ),
  ...figureColumns,
  ...matchColumns,
]);

/* How a terminal shows a column that nobody chose; those with the lowest number leave first. */
function shownAs(
  name: string,
  look: Pick<RecordColumn, 'title' | 'isKept' | 'leavesFirst'>,
): RecordColumn {
  return { ...pickOne(organizationColumns, name), ...look };
}

/* Puts columns first that stay open in a workbook, and folds the others away. */
function openFirst(columns: readonly RecordColumn[], names: string): readonly RecordColumn[] {
  const first = pick(columns, names);
  const others = columns.filter((column) => !first.includes(column));
  return [
    ...first.map((column) => ({ ...column, isDetail: false })),
    ...others.map((column) => ({ ...column, isDetail: column !== syntheticColumn })),
  ];
}

/** One row for each organization, with the figures of its latest year. */
export const organizationTable: RecordTable = {
  sheet: 'Organizations',
  noun: 'organization',
  written: organizationColumns,
  read: openFirst(
    organizationColumns,
    'id name status hq_region industry_name score scope_1 scope_2 scope_2_method scope_1_and_2 scope_3 scope_3_categories total year sbti_near_term_target_status cdp_is_listed',
  ),
  columns: [...organizationColumns, ...noteColumns, errorColumn],
  terminal: [
    ...pick(organizationColumns, 'id name status'),
    shownAs('hq_region', { leavesFirst: 2 }),
    shownAs('score', { leavesFirst: 8 }),
    ...pick(organizationColumns, 'scope_1 scope_2 scope_3 total'),
    shownAs('scope_1_and_2', { title: 'Scope 1+2', isKept: true }),
    barColumn,
    yearsColumn,
    shownAs('sbti_near_term_target_status', { title: 'Target', isKept: true }),
    shownAs('year', { leavesFirst: 1 }),
    errorColumn,
  ],
  pipe: [
    ...pick(
      organizationColumns,
      'id name status score hq_region industry_name year scope_1 scope_2 scope_3 total',
    ),
    ...pipeEnd,
  ],
  hintAt: () => 'Names are those of --csv, such as id, name, hq_region, score, scope_1 and total.',
  aliases: {
    country: 'hq_region',
    industry: 'industry_name',
    percentile: 'industry_score_percentile',
    cdp: 'cdp_is_listed',
    sbti_near_term: 'sbti_near_term_target_status',
    target: 'sbti_near_term_target_status',
    sbti_long_term: 'sbti_long_term_has_target',
    sbti_net_zero: 'sbti_net_zero_has_target',
    climate_pledge: 'climate_pledge_signed',
    environmental_report: 'related_environmental_report_status',
    region: 'performance_region',
    sources: 'sources_count',
    emissions: 'total',
  },
  rows: (record) => [organizationRow(record)],
};

const yearColumns = withShown(
  [
    ...pick(profileColumns, 'id name hq_region industry_name'),
    ofYear('year', 'Year of the figures', 'year', { title: 'Year', figuresOf: 'year' }),
    ...figureColumns.filter((column) => !industryColumns.includes(column)),
  ],
  (section) => section === 'years',
);
const yearNames = 'id name year performance_region scope_1 scope_2 scope_3 total';

/** One row for each organization, year and region, the latest year first. */
export const yearTable: RecordTable = {
  sheet: 'Years',
  noun: 'row',
  written: yearColumns,
  read: openFirst(
    yearColumns,
    'id name year performance_region scope_1 scope_2 scope_2_method scope_1_and_2 scope_3 total',
  ),
  columns: [...yearColumns, ...noteColumns, errorColumn],
  terminal: [...pick(yearColumns, yearNames), errorColumn],
  pipe: [...pick(yearColumns, yearNames), ...pipeEnd],
  hintAt: (name) =>
    `${name === '' ? 'Its' : `--years has no ${name}. Its`} columns include id, name, year, scope_1, scope_2, scope_3 and total.`,
  aliases: {
    country: 'hq_region',
    industry: 'industry_name',
    region: 'performance_region',
    emissions: 'total',
  },
  rows(record) {
    const performances = performancesByYear(record);
    const years = [...new Set(performances.map(({ year }) => year))];
    const regions = new Intl.Collator('en');
    return performances
      .toSorted(
        (a, b) =>
          years.indexOf(a.year) - years.indexOf(b.year) ||
          regions.compare(a.region ?? '', b.region ?? ''),
      )
      .map((performance) => ({ record, performance, target: {} }));
  },
};

const sourceColumns = [
  ...pick(profileColumns, 'id name'),
  ofSource('url', 'Address of the source'),
  ofSource('mirror_url', 'Address of a copy of the source'),
  syntheticColumn,
];

export const sourceSheet: RecordSheet = {
  sheet: 'Sources',
  written: sourceColumns,
  read: openFirst(sourceColumns, 'id name url'),
  rows: (record) =>
    (record.sources ?? []).map((source) => ({ record, performance: {}, target: {}, source })),
};

/**
 * Which parts of a record are kept until all are read; `Source` says where the record is from.
 */
export interface Shape<Source> {
  readonly columns: readonly RecordColumn[];
  /** The length of texts for a terminal; undefined keeps values. */
  readonly texts?: 'compact' | 'exact' | undefined;
  /** Further sheets of a workbook. */
  readonly sheets?: readonly RecordSheet[];
  /** Where the cells of a workbook stay until they are written. */
  readonly values?: ValueFile;
  /** Returns the record itself as text, or a row of CSV. */
  line?(row: RecordRow, source: Source): string;
  /** The first line of CSV, if `line` returns its rows. */
  readonly head?: string;
}

/** The values of a row, or their texts for a terminal; the row itself is not kept. */
type Cells = readonly ColumnValue[];

export interface Kept {
  readonly cells: Cells;
  readonly isSynthetic: boolean;
  /** The year of its emissions, if a list compares them. */
  readonly year?: number | undefined;
  /** Whether `carbon check` finds an error in it. */
  readonly isWrong?: boolean | undefined;
  /** Whether the error is about the figures of this row, so that no sum may have them. */
  readonly hasWrongFigures?: boolean | undefined;
  readonly line?: string | undefined;
  /** In `Shape.values`: the cells, and the rows of each further sheet. */
  readonly stored?: StoredValues | undefined;
  /** What the row is sorted by. */
  readonly keys: RowKeys;
}

export function keep<Source>(
  { columns, texts, sheets = [], values, line }: Shape<Source>,
  row: RecordRow,
  source: Source,
  { keys = [], year }: Partial<Pick<Kept, 'keys' | 'year'>> = {},
): Kept {
  const { record } = row;
  const cells = columns.map(({ value, text }) => (texts && text?.(row, texts)) || value(row));
  const kept = { cells, isSynthetic: isSynthetic(record), line: line?.(row, source), keys, year };
  if (values === undefined) return kept;
  const further = sheets.map(({ rows, written }) =>
    rows(record).map((each) => written.map(({ value }) => value(each))),
  );
  return { ...kept, cells: [], stored: values.add([cells, ...further]) };
}

/** Yields what is kept of rows, with their cells. */
export function* withCells<Source>(
  rows: readonly Kept[],
  { values }: Shape<Source>,
): Generator<Kept> {
  for (const row of rows)
    yield row.stored === undefined ? row : { ...row, cells: values?.get(row.stored, 0) as Cells };
}

/**
 * Yields what is kept of the rows of a further sheet of a workbook.
 * @param sheet index of the sheet in the shape
 */
export function* furtherRows<Source>(
  rows: readonly Kept[],
  { values }: Shape<Source>,
  sheet: number,
): Generator<Pick<Kept, 'cells'>> {
  for (const { stored } of rows)
    if (stored !== undefined)
      for (const cells of (values?.get(stored, 1 + sheet) ?? []) as readonly Cells[])
        yield { cells };
}

/** Returns columns that read the cells of what is kept. */
export function keptColumns<Row extends Pick<Kept, 'cells'> = Kept>(
  columns: readonly Omit<Column<never>, 'value'>[],
  texts?: 'compact' | 'exact',
): Column<Row>[] {
  return columns.map(({ text, ...column }, index) => ({
    ...column,
    value: ({ cells }) => cells[index],
    ...(text && texts && { text: ({ cells }: Row) => String(cells[index] ?? '') }),
  }));
}
