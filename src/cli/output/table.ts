import type { Organization } from '../../api/schema.ts';
import {
  basisOf,
  hasReportedFigure,
  type ReportedEmissions,
  readEmissions,
} from '../../organizations/emissions.ts';
import { latestPerformance } from '../../organizations/history.ts';
import { renderBar } from '../../terminal/bar.ts';
import { renderFrame } from '../../terminal/columns.ts';
import { figure, scoreInColumn, scoreText } from '../../terminal/figure.ts';
import { numberText, regionName } from '../../terminal/format.ts';
import { layoutColumns, type RecordView } from '../../terminal/render-options.ts';
import { sanitize } from '../../terminal/sanitize.ts';
import { describeStatus, scoreTone } from '../../terminal/status-style.ts';
import type { Style } from '../../terminal/style.ts';
import { pad, truncate, width, wrap } from '../../terminal/text.ts';
import { legend, syntheticNote } from './organization/legend.ts';

const gap = 2;
const minNameWidth = 20;

/** The tab-separated fields of a table line in a pipe, without a header; missing data is empty. */
export const tableFields = [
  'id',
  'name',
  'status',
  'hq_region',
  'industry',
  'score (0 to 100)',
  'year of the emissions',
  'scope 1',
  'scope 2',
  'scope 3',
  'total',
  'basis',
] as const;

/**
 * Renders organizations as a table: on a terminal with the most important columns that fit, in a
 * pipe as lines of `tableFields`. Sandbox data adds a last field `synthetic` in a pipe.
 *
 * A mark identifies a figure that is no disclosed total: * market-based, ‡ location-based, † sum of
 * the disclosed parts. In a pipe, which programs read, the field `basis` names it instead, such as
 * `scope_2 market-based, total sum`.
 */
export function renderOrganizations(records: readonly Organization[], view: RecordView): string {
  return renderRows(records.map(readTableRow), view);
}

/** Renders the rows of such a table. */
export function renderRows(rows: readonly TableRow[], view: RecordView): string {
  const lines = view.terminal
    ? tableLines(rows, view)
    : rows.map((row) => tabbed(row, view.synthetic));
  return lines.map((line) => `${line}\n`).join('');
}

/** The values of one organization in a table: safe text, empty where data is missing. */
export interface TableRow {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  /** The ISO 3166-1 code that the service sent. */
  readonly region: string;
  readonly industry: string;
  readonly score: number | undefined;
  /** The latest year with emissions. */
  readonly year: string;
  readonly emissions: ReportedEmissions;
}

/** Reads the values of a table row from a record. */
export function readTableRow(record: Organization): TableRow {
  const latest = latestPerformance(record);
  const emissions = readEmissions(latest?.emissions);
  return {
    id: line(record.id),
    name: line(record.name),
    status: line(record.status),
    region: line(record.hq_region),
    industry: line(record.industry?.name),
    score: record.score ?? undefined,
    year: hasReportedFigure(latest?.emissions) ? line(latest?.year) : '',
    emissions,
  };
}

function line(value: string | number | null | undefined): string {
  return sanitize(String(value ?? '')).trim();
}

function tabbed(row: TableRow, synthetic: boolean): string {
  const { scope1, scope2, scope3, total } = row.emissions;
  const figures = Object.entries({ scope_1: scope1, scope_2: scope2, scope_3: scope3, total });
  const amounts = figures.map(([, reported]) =>
    reported === undefined ? '' : numberText(reported.value),
  );
  const basis = figures.flatMap(([name, reported]) =>
    reported?.mark ? `${name} ${basisOf(reported)}` : [],
  );
  const score = row.score === undefined ? '' : scoreText(row.score);
  const fields = [
    row.id,
    row.name,
    row.status,
    row.region,
    row.industry,
    score,
    row.year,
    ...amounts,
    basis.join(', '),
  ];
  return [...fields, ...(synthetic ? ['synthetic'] : [])].join('\t');
}

function tableLines(rows: readonly TableRow[], view: RecordView): string[] {
  if (rows.length === 0) return [];
  const { style } = view;
  const columns = layoutColumns(view);
  const measured = tableColumns.map((column) => measure(column, rows, style));
  const { shown, nameWidth } = chooseColumns(measured, columns);
  const cells = rows.map((row, index) =>
    shown.map(({ column, cells }) =>
      column === nameColumn && row.name ? truncate(row.name, nameWidth) : (cells[index] ?? ''),
    ),
  );
  const scopes = shown.flatMap(({ column }) => column.scope ?? []);
  const marks = new Set(
    rows.flatMap(({ emissions }) => scopes.map((scope) => emissions[scope]?.mark ?? '')),
  );
  return [
    ...renderFrame(
      shown.map(({ column }) => column),
      cells,
      style,
    ),
    ...legend(marks, columns, style),
    ...(view.synthetic ? wrap(syntheticNote, columns).map(style.yellow) : []),
  ];
}

interface Measured {
  readonly column: TableColumn;
  readonly cells: readonly string[];
  readonly size: number;
}

function measure(column: TableColumn, rows: readonly TableRow[], style: Style): Measured {
  const cells = rows.map((row) => column.cell(row, style));
  return {
    column,
    cells,
    size: cells.reduce((max, cell) => Math.max(max, width(cell)), width(column.title)),
  };
}

/* Drops columns until the name fits; the name column takes the remaining width. */
function chooseColumns(measured: readonly Measured[], columns: number) {
  const maxNameWidth = measured.find(({ column }) => column === nameColumn)?.size ?? 0;
  for (let rank = Math.max(...tableColumns.map((column) => column.rank)); ; rank -= 1) {
    const shown = measured.filter(
      ({ column }) => column.rank <= rank && (column.below === undefined || rank < column.below),
    );
    const others = shown.reduce((sum, { size }) => sum + size + gap, -gap) - maxNameWidth;
    const nameWidth = Math.max(1, columns - others);
    if (rank === 0 || nameWidth >= Math.min(maxNameWidth, minNameWidth))
      return { shown, nameWidth };
  }
}

/** A column of the table on a terminal. */
interface TableColumn {
  readonly title: string;
  /** A narrow terminal drops the columns of the highest rank first; rank 0 always stays. */
  readonly rank: number;
  /** The column only shows while columns of this rank do not fit; one of them replaces it. */
  readonly below?: number;
  readonly align?: 'left' | 'right';
  readonly scope?: keyof ReportedEmissions;
  cell(row: TableRow, style: Style): string;
}

/** The column that takes the width which the others leave. */
const nameColumn: TableColumn = {
  title: 'Name',
  rank: 0,
  cell: (row, style) => textCell(row.name, 200, style),
};

/** The columns of the table on a terminal, in their order. */
const tableColumns: readonly TableColumn[] = [
  { title: 'Id', rank: 0, align: 'right', cell: ({ id }, style) => textCell(id, 16, style) },
  nameColumn,
  { title: 'Status', rank: 0, cell: statusCell },
  {
    title: 'Score',
    rank: 1,
    below: 2,
    align: 'right',
    cell: ({ score }, style) => scoreNumber(score, style),
  },
  { title: 'Score', rank: 2, cell: scoreCell },
  {
    title: 'Country',
    rank: 3,
    cell: ({ region }, style) => textCell(sanitize(regionName(region) ?? ''), 20, style),
  },
  { title: 'Industry', rank: 5, cell: ({ industry }, style) => textCell(industry, 28, style) },
  { title: 'Year', rank: 4, cell: ({ year }, style) => textCell(year, 6, style) },
  amountColumn('Scope 1', 'scope1', 6),
  amountColumn('Scope 2', 'scope2', 6),
  amountColumn('Scope 3', 'scope3', 6),
  amountColumn('Total', 'total', 4),
];

const statusColumns = 12;
/* The width of 100.0, which aligns decimals and bars. */
const scoreColumns = 5;
const scoreBarColumns = 8;

function textCell(text: string, columns: number, style: Style): string {
  return text === '' ? style.dim('–') : truncate(text, columns);
}

function statusCell({ status }: TableRow, style: Style): string {
  const { glyph, tone, word } = describeStatus(status);
  return style[tone](`${glyph} ${truncate(word, statusColumns)}`);
}

function scoreCell({ score }: TableRow, style: Style): string {
  const text = scoreNumber(score, style);
  if (score === undefined || score < 0 || score > 1) return text;
  return `${pad(text, scoreColumns, 'left')} ${renderBar(score, scoreBarColumns, style, scoreTone(score), '·')}`;
}

function scoreNumber(score: number | undefined, style: Style): string {
  if (score === undefined) return style.dim('–');
  return score < 0 || score > 1 ? `${figure(score).compact}?` : scoreInColumn(score);
}

function amountColumn(title: string, scope: keyof ReportedEmissions, rank: number): TableColumn {
  const cell = ({ emissions }: TableRow, style: Style) => {
    const reported = emissions[scope];
    if (!reported) return `${style.dim('–')} `;
    return figure(reported.value).rounded + (reported.mark ? style.dim(reported.mark) : ' ');
  };
  return { title: `${title} `, rank, align: 'right', scope, cell };
}
