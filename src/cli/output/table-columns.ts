import type { ReportedEmissions } from '../../organizations/emissions.ts';
import { renderBar } from '../../terminal/bar.ts';
import { figure, scoreInColumn } from '../../terminal/figure.ts';
import { regionName } from '../../terminal/format.ts';
import { sanitize } from '../../terminal/sanitize.ts';
import { scoreTone } from '../../terminal/score-tone.ts';
import { describeStatus } from '../../terminal/status-style.ts';
import type { Style } from '../../terminal/style.ts';
import { pad, truncate } from '../../terminal/text.ts';
import type { Row } from './table-row.ts';

/** A column of the table on a terminal. */
export interface TableColumn {
  readonly title: string;
  /**
   * When the terminal is narrow, the columns of the highest rank go first; those of rank 0 stay.
   */
  readonly rank: number;
  /** Where the columns up to this rank have room, another column tells the same and more. */
  readonly below?: number;
  readonly align?: 'left' | 'right';
  readonly scope?: keyof ReportedEmissions;
  cell(row: Row, style: Style): string;
}

/** The column that takes the room which the others leave. */
export const nameColumn: TableColumn = {
  title: 'Name',
  rank: 0,
  cell: (row, style) => told(row.name, 200, style),
};

/** The columns of the table on a terminal, in their order. */
export const tableColumns: readonly TableColumn[] = [
  { title: 'Id', rank: 0, align: 'right', cell: ({ id }, style) => told(id, 16, style) },
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
    cell: ({ region }, style) => told(sanitize(regionName(region) ?? ''), 20, style),
  },
  { title: 'Industry', rank: 5, cell: ({ industry }, style) => told(industry, 28, style) },
  { title: 'Year', rank: 4, cell: ({ year }, style) => told(year, 6, style) },
  amountColumn('Scope 1', 'scope1', 6),
  amountColumn('Scope 2', 'scope2', 6),
  amountColumn('Scope 3', 'scope3', 6),
  amountColumn('Total', 'total', 4),
];

const statusColumns = 12;
/* As wide as 100.0, so that decimals and bars stand below each other. */
const scoreColumns = 5;
const scoreBarColumns = 8;

function told(text: string, columns: number, style: Style): string {
  return text === '' ? style.dim('–') : truncate(text, columns);
}

function statusCell({ status }: Row, style: Style): string {
  const { glyph, tone, word } = describeStatus(status);
  return style[tone](`${glyph} ${truncate(word, statusColumns)}`);
}

function scoreCell({ score }: Row, style: Style): string {
  const text = scoreNumber(score, style);
  if (score === undefined || score < 0 || score > 1) return text;
  return `${pad(text, scoreColumns, 'left')} ${renderBar(score, scoreBarColumns, style, scoreTone(score), '·')}`;
}

function scoreNumber(score: number | undefined, style: Style): string {
  if (score === undefined) return style.dim('–');
  return score < 0 || score > 1 ? `${figure(score).compact}?` : scoreInColumn(score);
}

function amountColumn(title: string, scope: keyof ReportedEmissions, rank: number): TableColumn {
  const cell = ({ emissions }: Row, style: Style) => {
    const reading = emissions[scope];
    if (!reading) return `${style.dim('–')} `;
    return figure(reading.value).rounded + (reading.mark ? style.dim(reading.mark) : ' ');
  };
  return { title: `${title} `, rank, align: 'right', scope, cell };
}
