import type { Organization } from '../../api/schema.ts';
import { basisOf } from '../../organizations/emissions.ts';
import { renderFrame } from '../../terminal/columns.ts';
import { scoreText } from '../../terminal/figure.ts';
import { numberText } from '../../terminal/format.ts';
import type { Style } from '../../terminal/style.ts';
import { truncate, width, wrap } from '../../terminal/text.ts';
import { layoutColumns, type RecordView } from '../../terminal/view.ts';
import { legend, syntheticNote } from './organization/legend.ts';
import { nameColumn, type TableColumn, tableColumns } from './table-columns.ts';
import { readTableRow, type TableRow } from './table-row.ts';

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

/**
 * Renders the rows of such a table.
 * @param order CSV column by which rows are sorted first, which a narrow terminal does not drop
 */
export function renderRows(rows: readonly TableRow[], view: RecordView, order?: string): string {
  const lines = view.terminal
    ? tableLines(rows, view, order)
    : rows.map((row) => tabbed(row, view.synthetic));
  return lines.map((line) => `${line}\n`).join('');
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

function tableLines(
  rows: readonly TableRow[],
  view: RecordView,
  order: string | undefined,
): string[] {
  if (rows.length === 0) return [];
  const { style } = view;
  const columns = layoutColumns(view);
  const measured = tableColumns.map((column) => measure(column, rows, style));
  const { shown, nameWidth } = chooseColumns(measured, columns, order);
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
function chooseColumns(measured: readonly Measured[], columns: number, order: string | undefined) {
  const rankOf = ({ rank, csv = [] }: TableColumn) =>
    order !== undefined && csv.includes(order) ? 0 : rank;
  const maxNameWidth = measured.find(({ column }) => column === nameColumn)?.size ?? 0;
  for (let rank = Math.max(...tableColumns.map((column) => column.rank)); ; rank -= 1) {
    const shown = measured.filter(
      ({ column }) => rankOf(column) <= rank && (column.below === undefined || rank < column.below),
    );
    const others = shown.reduce((sum, { size }) => sum + size + gap, -gap) - maxNameWidth;
    const nameWidth = Math.max(1, columns - others);
    if (rank === 0 || nameWidth >= Math.min(maxNameWidth, minNameWidth))
      return { shown, nameWidth };
  }
}
