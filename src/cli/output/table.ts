import type { Organization } from '../../api/schema.ts';
import { basisOf } from '../../organizations/emissions.ts';
import { renderFrame } from '../../terminal/columns.ts';
import { scoreText } from '../../terminal/figure.ts';
import { numberText } from '../../terminal/format.ts';
import { layoutColumns, type RecordView } from '../../terminal/render-options.ts';
import type { Style } from '../../terminal/style.ts';
import { truncate, width } from '../../terminal/text.ts';
import { legend } from './organization/legend.ts';
import { nameColumn, type TableColumn, tableColumns } from './table-columns.ts';
import { type Row, readRow } from './table-row.ts';

const gap = 2;
const minNameWidth = 20;

/**
 * The fields of a line of the table in a pipe, separated by tabs, without a header; missing values
 * are empty.
 */
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
 * Renders organizations as a table: on a terminal with the columns that fit, the most important
 * first, in a pipe as lines of `tableFields`, and a last field `synthetic` for the sandbox's. A
 * figure that is no disclosed total is marked: on a terminal by * market-based, ‡ location-based, †
 * sum of the disclosed parts; in a pipe, where figures are for programs, the field `basis` names
 * it, such as `scope_2 market-based, total sum`.
 */
export function renderOrganizations(records: readonly Organization[], view: RecordView): string {
  const rows = records.map(readRow);
  const lines = view.terminal
    ? tableLines(rows, view)
    : rows.map((row) => tabbed(row, view.synthetic));
  return lines.map((line) => `${line}\n`).join('');
}

function tabbed(row: Row, synthetic: boolean): string {
  const { scope1, scope2, scope3, total } = row.emissions;
  const figures = Object.entries({ scope_1: scope1, scope_2: scope2, scope_3: scope3, total });
  const amounts = figures.map(([, reading]) =>
    reading === undefined ? '' : numberText(reading.value),
  );
  const basis = figures.flatMap(([name, reading]) =>
    reading?.mark ? `${name} ${basisOf(reading)}` : [],
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

function tableLines(rows: readonly Row[], view: RecordView): string[] {
  if (rows.length === 0) return [];
  const { style } = view;
  const columns = layoutColumns(view);
  const measured = tableColumns.map((column) => measure(column, rows, style));
  const { shown, nameRoom } = chooseColumns(measured, columns);
  const cells = rows.map((row, at) =>
    shown.map(({ column, cells }) =>
      column === nameColumn && row.name ? truncate(row.name, nameRoom) : (cells[at] ?? ''),
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
    ...(view.synthetic ? [style.yellow('Synthetic figures, from the sandbox')] : []),
  ];
}

interface Measured {
  readonly column: TableColumn;
  readonly cells: readonly string[];
  readonly size: number;
}

function measure(column: TableColumn, rows: readonly Row[], style: Style): Measured {
  const cells = rows.map((row) => column.cell(row, style));
  return {
    column,
    cells,
    size: cells.reduce((most, cell) => Math.max(most, width(cell)), width(column.title)),
  };
}

/* Drops columns until the name has room; what is left over is the name's. */
function chooseColumns(measured: readonly Measured[], columns: number) {
  const longest = measured.find(({ column }) => column === nameColumn)?.size ?? 0;
  for (let rank = Math.max(...tableColumns.map((column) => column.rank)); ; rank -= 1) {
    const shown = measured.filter(
      ({ column: { rank: own, below } }) => own <= rank && (below === undefined || rank < below),
    );
    const others = shown.reduce((sum, { size }) => sum + size + gap, -gap) - longest;
    const nameRoom = Math.max(1, columns - others);
    if (rank === 0 || nameRoom >= Math.min(longest, minNameWidth)) return { shown, nameRoom };
  }
}
