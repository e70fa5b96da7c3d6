/* The searchable table of the register. */
import { type Content, type Html, html } from '../../../page/html.ts';
import { maxRows, searchableTable, type TableColumn } from '../../../page/searchable-table.ts';
import { figure } from '../../../terminal/figure.ts';
import { plural } from '../../../terminal/format.ts';
import type { FootprintSummary } from '../../footprint-summary.ts';
import type { FactorInputs, RegisterRow } from '../../register-row.ts';
import { LargestRows } from '../largest-rows.ts';
import {
  basisWords,
  excludedWords,
  lineText,
  matchWords,
  reasonWords,
  shareText,
  supplierName,
  unitText,
} from '../words.ts';

interface RegisterColumn extends TableColumn {
  cell(row: RegisterRow): Content;
  /** The class of the style sheet that colors the cell. */
  tone?(row: RegisterRow): string;
}

const scope2Marks = { 'market-based': '*', 'location-based': '‡' } as const;

function text(title: string, cell: (row: RegisterRow) => string | null): RegisterColumn {
  return { title, kind: 'text', cell: (row) => cell(row) || '–' };
}

function number(title: string, cell: RegisterColumn['cell']): RegisterColumn {
  return { title, kind: 'number', cell };
}

function input(title: string, name: keyof FactorInputs, format = amount): RegisterColumn {
  const value = (row: RegisterRow) => row.inputs?.[name];
  const cell: RegisterColumn['cell'] = (row) => {
    const figures = value(row);
    return typeof figures === 'number' ? format(figures) : '–';
  };
  return { title, kind: 'number', isWide: true, cell };
}

const columns: readonly RegisterColumn[] = [
  text('Supplier', supplierName),
  number('Id', ({ id }) => id ?? '–'),
  text('Category', ({ category }) => category),
  number('Spend', ({ spend }) => cents(spend)),
  text('Currency', ({ currency }) => currency),
  number('Spend year', (row) => row.spend_year ?? '–'),
  number('Factor', (row) => factor(row.factor)),
  text('Basis', ({ basis }) => basis && basisWords[basis].short),
  number('Factor year', (row) => row.factor_year ?? '–'),
  { ...number('Emissions', ({ emissions }) => cents(emissions)), isSorted: true },
  number('Share', ({ share }) => shareText(share)),
  text('SBTi near term', (row) => row.sbti_near_term.status),
  { ...text('Coverage', coverage), tone },
  input('Revenue', 'revenue'),
  input('Scope 1', 'scope_1'),
  {
    ...input('Scope 2', 'scope_2'),
    isAmount: true,
    cell: ({ inputs }) => {
      const method = inputs?.scope_2_method;
      const value = inputs?.scope_2 ?? null;
      if (value === null) return '–';
      const mark = method ? html`<i title="${method}">${scope2Marks[method]}</i>` : html`<i></i>`;
      return [amount(value), mark];
    },
  },
  input('Scope 1+2', 'scope_1_and_2'),
  input('Upstream', 'upstream'),
  input('Categories', 'upstream_categories'),
  input('Total', 'total'),
  input('Factor 1+2', 'scope_1_and_2_emission_factor', factor),
  input('Factor upstream', 'total_upstream_emission_factor', factor),
  input('Factor total', 'emission_factor', factor),
  { ...text('Matched by', ({ matched_by: match }) => match && matchWords[match]), isWide: true },
  { ...text('Lines', (row) => lineText(row).replace(/^lines? /, '')), isWide: true },
];

/** Renders the register: the largest emitters first, then rows without emissions. */
export function registerTable(summary: FootprintSummary, rows: Iterable<RegisterRow>): Html {
  const largest = new LargestRows(maxRows, (row: RegisterRow) =>
    row.excluded === null ? (row.emissions ?? -Number.MAX_VALUE) : Number.NEGATIVE_INFINITY,
  );
  for (const row of rows) largest.add(row);
  const shown = largest.result();
  const omitted = largest.omitted;
  // Figures that no supplier has would only take space.
  const used = columns.filter(
    ({ isWide, cell }) => !isWide || shown.some((row) => cell(row) !== '–'),
  );
  const count = figure(shown.length).exact;
  const left =
    omitted === 0
      ? ''
      : ` The table lists the ${count} rows with the largest emissions. The figures above include ${plural(omitted, 'more row')}, which carbon footprint --csv lists.`;
  return searchableTable({
    name: 'register',
    title: 'Register',
    noun: 'rows',
    note: [
      `One row per supplier, currency, year and category. Emissions (in ${unitText(summary)}) are spend times factor. Marks of scope 2: * market-based, ‡ location-based. Categories is the number of disclosed upstream categories. Point at a figure to see all its digits.${left}`,
      html` <span class="portrait-only">Paper in portrait format leaves out the figures behind the factors: print in landscape format to include them.</span>`,
    ],
    placeholder: 'Supplier, category, reason',
    columns: used,
    rows: shown.map((row) => rowOf(row, used)),
  });
}

function rowOf(row: RegisterRow, used: readonly RegisterColumn[]): Html {
  const [head, ...cells] = used.map((column, index) => {
    const content = column.cell(row);
    return index === 0
      ? html`<th scope="row">${content}</th>`
      : cellOf(column, content, column.tone?.(row));
  });
  return html`<tr>${head}${cells}</tr>\n`;
}

function cellOf({ kind, isWide }: TableColumn, content: Content, tone?: string): Html {
  const names = [kind === 'text' ? kind : '', isWide ? 'wide-only' : '', tone]
    .filter(Boolean)
    .join(' ');
  return names === '' ? html`<td>${content}</td>` : html`<td class="${names}">${content}</td>`;
}

function coverage({ excluded, uncovered, uncovered_detail: detail }: RegisterRow): string {
  if (excluded !== null) return `excluded: ${excludedWords[excluded]}`;
  if (uncovered === null) return 'covered';
  return [reasonWords[uncovered], detail].filter(Boolean).join(': ');
}

function tone({ excluded, uncovered }: RegisterRow): string {
  return excluded !== null ? 'open' : uncovered !== null ? 'errored' : 'synced';
}

/* Ten digits of a factor repeat a multiplication to the cent; a pointer shows all digits. */
const factorFormat = new Intl.NumberFormat('en', { maximumSignificantDigits: 10 });
const amountFormat = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });
const centFormat = new Intl.NumberFormat('en', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

function factor(value: number | null): Content {
  return rounded(value, factorFormat, 1e-9);
}

function amount(value: number | null): Content {
  return rounded(value, amountFormat, 0.01);
}

/* Both decimals, so that the decimal points of a column stand below each other. */
function cents(value: number | null): Content {
  return rounded(value, centFormat, 0.01);
}

function rounded(value: number | null, format: Intl.NumberFormat, min: number): Content {
  if (value === null) return '–';
  const size = Math.abs(value);
  const { exact } = figure(value);
  const shown = value === 0 || (size >= min && size < 1e15) ? format.format(value) : exact;
  return Number(shown.replaceAll(',', '')) === value
    ? shown
    : html`<span title="${exact}">${shown}</span>`;
}
