/* The searchable table of the register. */
import { type Html, html } from '../../../report/html/html.ts';
import {
  maxRows,
  searchableTable,
  type TableColumn,
} from '../../../report/html/searchable-table.ts';
import { figure } from '../../../terminal/figure.ts';
import { plural } from '../../../terminal/format.ts';
import type { FootprintSummary } from '../../footprint-summary.ts';
import type { RegisterRow } from '../../register-row.ts';
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

const columns: readonly TableColumn[] = [
  { title: 'Supplier', kind: 'text' },
  { title: 'Id', kind: 'number' },
  { title: 'Category', kind: 'text' },
  { title: 'Spend', kind: 'number' },
  { title: 'Currency', kind: 'text' },
  { title: 'Spend year', kind: 'number' },
  { title: 'Factor', kind: 'number' },
  { title: 'Basis', kind: 'text' },
  { title: 'Factor year', kind: 'number' },
  { title: 'Emissions', kind: 'number', isSorted: true },
  { title: 'Share', kind: 'number' },
  { title: 'SBTi near term', kind: 'text' },
  { title: 'Coverage', kind: 'text' },
  { title: 'Revenue', kind: 'number', isWide: true },
  { title: 'Scope 1', kind: 'number', isWide: true },
  { title: 'Scope 2', kind: 'number', isWide: true },
  { title: 'Scope 1+2', kind: 'number', isWide: true },
  { title: 'Upstream', kind: 'number', isWide: true },
  { title: 'Categories', kind: 'number', isWide: true },
  { title: 'Total', kind: 'number', isWide: true },
  { title: 'Factor 1+2', kind: 'number', isWide: true },
  { title: 'Factor upstream', kind: 'number', isWide: true },
  { title: 'Factor total', kind: 'number', isWide: true },
  { title: 'Matched by', kind: 'text', isWide: true },
  { title: 'Lines', kind: 'text', isWide: true },
];

/** Renders the register: the largest emitters first, then rows without emissions. */
export function registerTable(summary: FootprintSummary, rows: Iterable<RegisterRow>): Html {
  const largest = new LargestRows(maxRows, (row: RegisterRow) =>
    row.excluded === null ? (row.emissions ?? -Number.MAX_VALUE) : Number.NEGATIVE_INFINITY,
  );
  for (const row of rows) largest.add(row);
  const shown = largest.result();
  const omitted = largest.omitted;
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
      `One row per supplier, currency, year and category. Emissions (in ${unitText(summary)}) are spend times factor. Scope 2 is * market-based, ‡ location-based. Categories is the number of disclosed upstream categories.${left}`,
      html` <span class="portrait-only">Paper in portrait format leaves out the figures behind the factors: print in landscape format to include them.</span>`,
    ],
    placeholder: 'Supplier, category, basis, reason …',
    columns,
    rows: shown.map(row),
  });
}

function row(one: RegisterRow): Html {
  const { inputs, basis, excluded, uncovered } = one;
  const status =
    excluded !== null
      ? `excluded: ${excludedWords[excluded]}`
      : uncovered !== null
        ? [reasonWords[uncovered], one.uncovered_detail].filter(Boolean).join(': ')
        : 'covered';
  const tone = excluded !== null ? 'open' : uncovered !== null ? 'errored' : 'synced';
  const mark = { 'market-based': '*', 'location-based': '‡' } as const;
  const method = inputs?.scope_2_method;
  return html`<tr><th scope="row">${supplierName(one)}</th><td>${one.id ?? '–'}</td>${text(one.category)}${amount(one.spend)}${text(one.currency)}<td>${one.spend_year ?? '–'}</td>${amount(one.factor)}${text(basis && basisWords[basis].short)}<td>${one.factor_year ?? '–'}</td>${amount(one.emissions)}<td>${shareText(one.share)}</td>${text(one.sbti_near_term.status)}<td class="text ${tone}">${status}</td>${wide(inputs?.revenue)}${wide(inputs?.scope_1)}${wide(inputs?.scope_2, method ? mark[method] : '')}${wide(inputs?.scope_1_and_2)}${wide(inputs?.upstream)}${wide(inputs?.upstream_categories)}${wide(inputs?.total)}${wide(inputs?.scope_1_and_2_emission_factor)}${wide(inputs?.total_upstream_emission_factor)}${wide(inputs?.emission_factor)}<td class="text wide-only">${one.matched_by === null ? '–' : matchWords[one.matched_by]}</td><td class="text wide-only">${lineText(one).replace(/^lines? /, '')}</td></tr>\n`;
}

function text(value: string | null): Html {
  return html`<td class="text">${value || '–'}</td>`;
}

function amount(value: number | null): Html {
  return html`<td>${value === null ? '–' : figure(value).exact}</td>`;
}

function wide(value: number | null | undefined, mark = ''): Html {
  return html`<td class="wide-only">${value == null ? '–' : figure(value).exact + mark}</td>`;
}
