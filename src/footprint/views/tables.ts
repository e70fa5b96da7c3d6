/*
 * The tables of a footprint. One list of columns for each feeds the terminal, the pipe, the page
 * and the workbook.
 */
import type { Column } from '../../query/query.ts';
import { methodSheet, outputSheet } from '../../table/output-sheet.ts';
import { naming, plural } from '../../terminal/format.ts';
import { amount, type FactTable, text } from '../../terminal/section.ts';
import type { SheetContent } from '../../workbook/write-workbook.ts';
import type { LineItem } from '../footprint.ts';
import type { FootprintSummary, Totals } from '../totals.ts';
import { lineItemColumns } from './line-item-columns.ts';
import {
  basisWords,
  coverageText,
  coveredShare,
  evidenceText,
  methodOf,
  notesOf,
  originOf,
  rangeText,
  shareText,
  spendText,
  supplierName,
  unitText,
} from './words.ts';

/** A table with an optional bar for each row. */
export interface Table<Row> extends FactTable<Row> {
  /** The share from 0 to 1 that a bar shows. */
  readonly bar?: (row: Row) => number | null;
}

function share<Row>(name: string, title: string, value: (row: Row) => number | null): Column<Row> {
  return {
    name,
    title,
    description: '',
    type: 'number',
    value,
    text: (row) => shareText(value(row)),
  };
}

/* One column for each currency, so that a workbook can add up the amounts. */
function spendColumns<Row extends { readonly spend: object }>(
  rows: readonly Row[],
  spendIn: (row: Row, currency: string) => number | undefined,
): Column<Row>[] {
  const currencies = [...new Set(rows.flatMap(({ spend }) => Object.keys(spend)))].sort();
  return currencies.map((currency) =>
    amount(`spend_${currency}`, `Spend ${currency}`, (row) => spendIn(row, currency)),
  );
}

/* Columns of the totals of a year or a category. */
function totalColumns<Row extends Pick<Totals, 'line_items' | 'covered_line_items' | 'spend'>>(
  rows: readonly Row[],
): Column<Row>[] {
  return [
    ...spendColumns(rows, (row, currency) => row.spend[currency]?.total),
    amount('covered_line_items', 'Covered', (row) => row.covered_line_items),
    amount('line_items', 'Items', (row) => row.line_items),
  ];
}

function table<Row>(rows: readonly Row[], others: Omit<Table<Row>, 'rows'>): Table<never> {
  return { ...others, rows } as unknown as Table<never>;
}

/** The tables of a summary; those without rows are left out. */
export function tablesOf(summary: FootprintSummary): readonly Table<never>[] {
  const { years, categories, largest, alternatives, sbti_coverage: coverage } = summary;
  const unit = `emissions in ${unitText(summary)}`;
  const bases = summary.emissions_by_basis;
  const base = bases.own + bases.service + bases.industry;
  const isCategorized = categories.some(({ category }) => category !== null);
  const unshared = { by_emissions: null, by_spend: null };
  const tables = [
    table(years.length > 1 ? years : [], {
      title: 'Years of spend',
      note: unit,
      head: 'Year',
      label: ({ year }) => String(year ?? 'unknown'),
      columns: [
        amount('emissions', 'Emissions', ({ emissions }) => emissions),
        amount('industry_emissions', 'Of these industry', (row) => row.emissions_by_basis.industry),
        ...totalColumns(years),
      ],
    }),
    table(Object.entries(summary.spend), {
      title: 'Spend covered',
      head: 'Currency',
      label: ([currency]) => currency,
      columns: [
        amount('covered', 'Covered', ([, amounts]) => amounts.covered),
        amount('total', 'Total', ([, { total }]) => total),
        share('covered_share', 'Share', ([, amounts]) => coveredShare(amounts)),
      ],
      bar: ([, amounts]) => coveredShare(amounts),
    }),
    table(originOf(summary), {
      title: 'Origin of the emissions',
      note: `supplier data: ${rangeText(summary.supplier_data_share)} of the emissions, at least scopes 1 and 2`,
      head: 'Basis',
      label: ({ basis }) => basisWords[basis],
      columns: [
        amount('emissions', 'Emissions', ({ emissions }) => emissions),
        share('share', 'Share', (row) => row.share),
      ],
      bar: (row) => row.share,
    }),
    table(alternatives, {
      title: 'Sensitivity',
      note: 'the total with another choice wherever a record allows it',
      head: 'Choice',
      label: ({ choice }) => choice,
      columns: [
        amount('emissions', 'Emissions', ({ emissions }) => emissions),
        share('change', 'Change', ({ emissions }) => (base === 0 ? null : emissions / base - 1)),
        amount('line_items', 'Items changed', ({ line_items }) => line_items),
      ],
    }),
    table(
      (
        [
          ['set', coverage.set, coverage],
          ['committed', coverage.committed, coverage.committed_share],
          ['removed', coverage.removed, coverage.removed_share],
          ['no target', coverage.none, unshared],
          ['other status', coverage.other, unshared],
          ['no data', coverage.unknown, unshared],
        ] as const
      ).filter(([, suppliers]) => suppliers > 0),
      {
        title: 'SBTi near-term targets',
        note: `only targets that are set count; ${evidenceText(coverage.evidence)}`,
        head: 'Target',
        label: ([label]) => label,
        columns: [
          amount('suppliers', 'Suppliers', ([, suppliers]) => suppliers),
          share('share_of_emissions', 'Emissions', ([, , shares]) => shares.by_emissions),
          ...(coverage.by_spend === null
            ? []
            : [share<Status>('share_of_spend', 'Spend', ([, , shares]) => shares.by_spend)]),
        ],
        bar: ([, , shares]) => shares.by_emissions,
      },
    ),
    table(isCategorized ? categories : [], {
      title: 'Categories',
      note: `purchasing categories, ${unit}`,
      head: 'Category',
      label: ({ category }) => category ?? 'no category',
      isNumbered: true,
      columns: [
        amount('emissions', 'Emissions', ({ emissions }) => emissions),
        share('share', 'Share', (row) => row.share),
        {
          name: 'supplier_data_share',
          title: 'Supplier data',
          description: '',
          type: 'number',
          value: ({ supplier_data_share: range }) => range.to,
          text: ({ supplier_data_share: range }) => rangeText(range),
        },
        ...totalColumns(categories),
      ],
      bar: (row) => row.share,
    }),
    table(largest, {
      title: 'Largest suppliers',
      note: unit,
      head: 'Supplier',
      label: supplierName,
      isNumbered: true,
      columns: [
        amount('emissions', 'Emissions', ({ emissions }) => emissions),
        share('share', 'Share', (row) => row.share),
        text('basis', 'Basis', ({ basis }) => basis),
        text('sbti_near_term', 'SBTi', (row) => row.sbti_near_term),
        ...spendColumns(largest, (row, currency) => row.spend[currency]),
        text('id', 'ID', ({ id }) => id),
      ],
      bar: (row) => row.share,
    }),
  ];
  return tables.filter(({ rows }) => rows.length > 0);
}

type Status = readonly [label: string, suppliers: number, shares: Shares];
type Shares = Pick<FootprintSummary['sbti_coverage'], 'by_emissions' | 'by_spend'>;

/** Returns the largest items, the largest first; equal ones stay in their order. */
export function largestItems(
  items: Iterable<LineItem>,
  maxCount: number,
  size: (item: LineItem) => number,
): { readonly shown: readonly LineItem[]; readonly omitted: number } {
  // Equal sizes may be infinite, whose difference is not a number.
  const all = [...items].sort((a, b) => (size(a) === size(b) ? 0 : size(b) - size(a)));
  return { shown: all.slice(0, maxCount), omitted: Math.max(0, all.length - maxCount) };
}

/** The largest items without emissions by their share of the spend in their currency. */
export function leftOutTable(
  summary: FootprintSummary,
  items: Iterable<LineItem>,
): Table<LineItem> {
  const size = ({ spend: value, currency, excluded }: LineItem) =>
    excluded === null
      ? Math.abs(value ?? 0) / (summary.spend[currency ?? 'unknown']?.total || 1)
      : -1;
  const isLeftOut = (item: LineItem) => item.uncovered !== null || item.excluded !== null;
  const { shown, omitted } = largestItems([...items].filter(isLeftOut), 10, size);
  return {
    title: 'Left out',
    note: `never counted as 0${omitted === 0 ? '' : `; --csv lists ${plural(omitted, 'more', 'more')}`}`,
    head: 'Supplier',
    label: supplierName,
    isNumbered: true,
    columns: [
      {
        name: 'spend',
        title: 'Spend',
        description: '',
        type: 'number',
        value: ({ spend: value }) => value,
        text: ({ spend: value, currency }) =>
          value === null ? '' : spendText(value, currency ?? 'unknown'),
      },
      text('lines', 'Lines', ({ lines }) => naming(lines.map(String), 5)),
      text('reason', 'Reason', coverageText),
    ],
    rows: shown,
  };
}

/** Returns the sheets after the line items: summary with all warnings, tables and method. */
export function footprintSheets(summary: FootprintSummary): readonly SheetContent[] {
  const notes = notesOf(summary).map((note) => ['warning', note] as const);
  const perYear = summary.years.map(
    ({ year, emissions }) => [`emissions of ${year ?? 'no year'}`, emissions] as const,
  );
  return [
    outputSheet({
      name: 'Summary',
      columns: ['figure', 'value'],
      rows: [...notes, ...(perYear.length > 1 ? perYear : []), ...keyFigures(summary)],
    }),
    ...tablesOf(summary).map(({ title, head, label, columns, rows }) =>
      outputSheet({
        name: title,
        columns: [head.toLowerCase(), ...columns.map(({ name }) => name)],
        rows: rows.map((row) => [label(row), ...columns.map(({ value }) => value(row))]),
      }),
    ),
    methodSheet([
      ...notes,
      ...methodOf(summary),
      ...lineItemColumns.map(({ name, description }) => [name, description] as const),
    ]),
  ];
}

/** Lists the key figures by name. */
export function keyFigures(
  summary: FootprintSummary,
): readonly (readonly [label: string, value: string | number | null])[] {
  const { emissions, years, emissions_by_basis: bases, supplier_data_share: data } = summary;
  return [
    ['total emissions', emissions ?? (years.length > 1 ? 'see the years' : 'none')],
    ['unit', unitText(summary)],
    ['boundary', summary.boundary],
    ['of these from industry averages', emissions && bases.industry],
    ['suppliers', summary.suppliers],
    ['covered suppliers', summary.covered_suppliers],
    ['line items with spend', summary.line_items],
    ['covered line items', summary.covered_line_items],
    ['supplier data share, at least', data.from],
    ['supplier data share, at most', data.to],
  ];
}
