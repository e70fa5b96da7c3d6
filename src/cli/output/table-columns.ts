/* The columns of the table of organizations on a terminal. */
import type { ReportedEmissions } from '../../organizations/emissions.ts';
import { renderBar } from '../../terminal/bar.ts';
import { figure, scoreInColumn } from '../../terminal/figure.ts';
import { regionName } from '../../terminal/format.ts';
import { sanitize } from '../../terminal/sanitize.ts';
import type { Style } from '../../terminal/style.ts';
import { describeStatus, scoreTone } from '../../terminal/style.ts';
import { pad, truncate } from '../../terminal/text.ts';
import type { TableRow } from './table-row.ts';

/** A column of the table on a terminal. */
export interface TableColumn {
  readonly title: string;
  /** A narrow terminal drops the columns of the highest rank first; rank 0 always stays. */
  readonly rank: number;
  /** The column only shows while columns of this rank do not fit; one of them replaces it. */
  readonly below?: number;
  readonly align?: 'left' | 'right';
  readonly scope?: keyof ReportedEmissions;
  /** The CSV columns whose order keeps this column. */
  readonly csv?: readonly string[];
  cell(row: TableRow, style: Style): string;
}

/** The column that takes the width which the others leave. */
export const nameColumn: TableColumn = {
  title: 'Name',
  rank: 0,
  cell: (row, style) => textCell(row.name, 200, style),
};

/** The columns of the table on a terminal, in their order. */
export const tableColumns: readonly TableColumn[] = [
  { title: 'Id', rank: 0, align: 'right', cell: ({ id }, style) => textCell(id, 16, style) },
  nameColumn,
  { title: 'Status', rank: 0, cell: statusCell },
  {
    title: 'Score',
    rank: 1,
    below: 2,
    align: 'right',
    csv: ['score'],
    cell: ({ score }, style) => scoreNumber(score, style),
  },
  { title: 'Score', rank: 2, cell: scoreCell },
  {
    title: 'Country',
    rank: 3,
    csv: ['hq_region'],
    cell: ({ region }, style) => textCell(sanitize(regionName(region) ?? ''), 20, style),
  },
  {
    title: 'Industry',
    rank: 5,
    csv: ['industry_name'],
    cell: ({ industry }, style) => textCell(industry, 28, style),
  },
  {
    title: 'Year',
    rank: 4,
    csv: ['performance_year'],
    cell: ({ year }, style) => textCell(year, 6, style),
  },
  amountColumn('Scope 1', 'scope1', 6, ['emissions_scope_1']),
  amountColumn('Scope 2', 'scope2', 6, ['emissions_scope_2']),
  amountColumn('Scope 3', 'scope3', 6, ['emissions_scope_3']),
  amountColumn('Total', 'total', 4, ['emissions', 'emissions_total', 'emissions_sum']),
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

function amountColumn(
  title: string,
  scope: keyof ReportedEmissions,
  rank: number,
  csv: readonly string[],
): TableColumn {
  const cell = ({ emissions }: TableRow, style: Style) => {
    const reported = emissions[scope];
    if (!reported) return `${style.dim('–')} `;
    return figure(reported.value).rounded + (reported.mark ? style.dim(reported.mark) : ' ');
  };
  return { title: `${title} `, rank, align: 'right', scope, csv, cell };
}
