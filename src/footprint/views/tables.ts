/*
 * The tables of a footprint. One list of columns for each feeds the terminal, the pipe, the page
 * and the workbook.
 */
import type { CsvValue } from '../../table/output-cell.ts';
import { figure } from '../../terminal/figure.ts';
import type { LineItem } from '../footprint.ts';
import type { FootprintSummary, SpendByCurrency, Totals } from '../totals.ts';
import {
  basisWords,
  concentrationText,
  coverageText,
  evidenceText,
  rangeText,
  shareText,
  spendText,
  supplierName,
  unitText,
} from './words.ts';

/** A column of a table after the first, which names the row. */
export interface Column<Row> {
  /** Key in a pipe and in a workbook. */
  readonly name: string;
  readonly title: string;
  /** The exact value; null leaves it out. */
  value(row: Row): CsvValue;
  /** The text on a terminal and on the page. */
  text(row: Row): string;
}

/** A table of rows. */
export interface Table<Row> {
  /** Title, and name of the sheet. */
  readonly title: string;
  readonly note: string | undefined;
  /** The start of each line in a pipe. */
  readonly prefix: string;
  /** Title of the column that names the rows. */
  readonly head: string;
  label(row: Row): string;
  /** The label in a pipe if it differs. */
  readonly key?: (row: Row, index: number) => string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** The share from 0 to 1 that a bar shows. */
  readonly bar?: (row: Row) => number | null;
}

type NumberOf<Row> = (row: Row) => number | null | undefined;

function amount<Row>(name: string, title: string, value: NumberOf<Row>): Column<Row> {
  const text = (row: Row) => {
    const number = value(row) ?? null;
    return number === null ? '–' : figure(number).rounded;
  };
  return { name, title, value, text };
}

function share<Row>(name: string, title: string, value: NumberOf<Row>): Column<Row> {
  return { name, title, value, text: (row) => shareText(value(row)) };
}

function text<Row>(name: string, title: string, value: (row: Row) => CsvValue): Column<Row> {
  return { name, title, value, text: (row) => String(value(row) ?? '–') };
}

/* One column for each currency, so that a workbook can add up the amounts. */
function spendColumns<Row>(
  rows: readonly Row[],
  spendOf: (row: Row) => Readonly<Record<string, number>>,
): Column<Row>[] {
  const currencies = [...new Set(rows.flatMap((row) => Object.keys(spendOf(row))))].sort();
  return currencies.map((currency) =>
    amount(`spend_${currency}`, `Spend ${currency}`, (row) => spendOf(row)[currency]),
  );
}

function totalsByCurrency(spend: SpendByCurrency): Record<string, number> {
  return Object.fromEntries(Object.entries(spend).map(([code, { total }]) => [code, total]));
}

function coveredRows<Row extends Pick<Totals, 'rows' | 'covered_rows'>>(): Column<Row>[] {
  return [
    amount('covered_rows', 'Covered', ({ covered_rows }) => covered_rows),
    amount('rows', 'Items', ({ rows }) => rows),
  ];
}

/** The tables of a summary; those without rows are empty. */
export function tablesOf(summary: FootprintSummary): readonly Table<never>[] {
  const tables = [
    years(summary),
    spend(summary),
    origin(summary),
    sensitivity(summary),
    targets(summary),
    categories(summary),
    largest(summary),
    uncovered(summary),
  ];
  return tables.filter(({ rows }) => rows.length > 0) as unknown as readonly Table<never>[];
}

function years(summary: FootprintSummary): Table<FootprintSummary['years'][number]> {
  const rows = summary.years;
  return {
    title: 'Years of spend',
    note: `emissions in ${unitText(summary)}`,
    prefix: 'year',
    head: 'Year',
    label: ({ year }) => String(year ?? 'unknown'),
    columns: [
      amount('emissions', 'Emissions', ({ emissions }) => emissions),
      amount('industry_emissions', 'Of these industry', (row) => row.emissions_by_basis.industry),
      ...spendColumns(rows, (row) => totalsByCurrency(row.spend)),
      ...coveredRows<(typeof rows)[number]>(),
      share('completeness', 'Completeness', ({ completeness }) => completeness),
    ],
    rows: rows.length > 1 ? rows : [],
  };
}

function spend(summary: FootprintSummary) {
  const rows = Object.entries(summary.spend);
  type Row = (typeof rows)[number];
  const covered = ([, amounts]: Row) =>
    amounts.total > 0 ? amounts.covered / amounts.total : null;
  return {
    title: 'Spend covered',
    note: 'excluded line items do not count',
    prefix: 'spend',
    head: 'Currency',
    label: ([currency]) => currency,
    columns: [
      amount('covered', 'Covered', ([, amounts]) => amounts.covered),
      amount('total', 'Total', ([, { total }]) => total),
      share('covered_share', 'Share', covered),
    ],
    rows,
    bar: covered,
  } satisfies Table<Row>;
}

function origin({
  emissions_by_basis: emissions,
  supplier_data_share: supplierData,
  service_share,
  industry_share,
  covered_rows,
}: FootprintSummary) {
  type Row = readonly [key: string, label: string, emissions: number, share: number | null];
  return {
    title: 'Origin of the emissions',
    note: `supplier data: ${rangeText(supplierData)} of the emissions, at least scopes 1 and 2`,
    prefix: 'origin',
    head: 'Basis',
    label: ([, label]) => label,
    key: ([key]) => key,
    columns: [
      amount('emissions', 'Emissions', ([, , amountOf]) => amountOf),
      share('share', 'Share', ([, , , part]) => part),
    ],
    rows:
      covered_rows === 0
        ? []
        : [
            ['own', basisWords.own, emissions.own, supplierData.to],
            ['service', basisWords.service, emissions.service, service_share],
            [
              'industry',
              `${basisWords.industry}, boundary undocumented`,
              emissions.industry,
              industry_share,
            ],
          ],
    bar: ([, , , part]) => part,
  } satisfies Table<Row>;
}

function sensitivity({ alternatives, emissions_by_basis: bases }: FootprintSummary) {
  const base = bases.own + bases.service + bases.industry;
  type Row = FootprintSummary['alternatives'][number];
  return {
    title: 'Sensitivity',
    note: 'the total with another choice wherever a record allows it',
    prefix: 'sensitivity',
    head: 'Choice',
    label: ({ choice }) => choice,
    columns: [
      amount('emissions', 'Emissions', ({ emissions }) => emissions),
      share('change', 'Change', ({ emissions }) => (base === 0 ? null : emissions / base - 1)),
      amount('rows', 'Items changed', ({ rows }) => rows),
    ],
    rows: alternatives,
  } satisfies Table<Row>;
}

function targets({ sbti_coverage: coverage }: FootprintSummary) {
  const { committed_share, removed_share, other_wordings } = coverage;
  const unshared = { by_emissions: null, by_spend: null };
  const row = (label: string, suppliers: number, shares = unshared as typeof committed_share) => ({
    label,
    suppliers,
    shares,
  });
  type Row = ReturnType<typeof row>;
  return {
    title: 'SBTi near-term targets',
    note: `only targets that are set count; ${evidenceText(coverage.evidence)}`,
    prefix: 'SBTi near-term target',
    head: 'Target',
    label: ({ label }) => label,
    columns: [
      amount('suppliers', 'Suppliers', ({ suppliers }) => suppliers),
      share('share_of_emissions', 'Emissions', ({ shares }) => shares.by_emissions),
      ...(coverage.by_spend === null
        ? []
        : [share<Row>('share_of_spend', 'Spend', ({ shares }) => shares.by_spend)]),
    ],
    rows: [
      row('set', coverage.set, coverage),
      row('committed', coverage.committed, committed_share),
      row('removed', coverage.removed, removed_share),
      row('no target', coverage.none),
      ...Object.entries(other_wordings).map(([wording, number]) => row(`"${wording}"`, number)),
      row('no data', coverage.unknown),
    ],
    bar: ({ shares }) => shares.by_emissions,
  } satisfies Table<Row>;
}

function categories(summary: FootprintSummary) {
  const isNamed = summary.categories.some(({ category }) => category !== null);
  const rows = isNamed ? summary.categories : [];
  return {
    title: 'Categories',
    note: `purchasing categories, emissions in ${unitText(summary)}`,
    prefix: 'category',
    head: 'Category',
    label: ({ category }) => category ?? 'no category',
    columns: [
      amount('emissions', 'Emissions', ({ emissions }) => emissions),
      share('share', 'Share', (row) => row.share),
      {
        name: 'supplier_data_share',
        title: 'Supplier data',
        value: ({ supplier_data_share: range }) => range.to,
        text: ({ supplier_data_share: range }) => rangeText(range),
      },
      ...spendColumns(rows, (row) => totalsByCurrency(row.spend)),
      ...coveredRows<(typeof rows)[number]>(),
    ],
    rows,
    bar: (row) => row.share,
  } satisfies Table<(typeof rows)[number]>;
}

function largest(summary: FootprintSummary) {
  const rows = summary.largest;
  return {
    title: 'Largest suppliers',
    note: concentrationText(summary),
    prefix: 'largest supplier',
    head: 'Supplier',
    label: supplierName,
    key: (_, index) => String(index + 1),
    columns: [
      amount('emissions', 'Emissions', ({ emissions }) => emissions),
      share('share', 'Share', (row) => row.share),
      share('cumulative_share', 'Cumulative', (row) => row.cumulative_share),
      text('id', 'ID', ({ id }) => id),
      ...spendColumns(rows, (row) => row.spend),
      amount('factor', 'Factor', ({ factor }) => factor),
      text('basis', 'Basis', ({ basis }) => basis),
      text('factor_year', 'Year', (row) => row.factor_year),
      text('sbti_near_term', 'SBTi', (row) => row.sbti_near_term),
    ],
    rows,
    bar: (row) => row.share,
  } satisfies Table<(typeof rows)[number]>;
}

function uncovered(summary: FootprintSummary) {
  const { negative_net_spend: negative, no_spend } = summary.excluded;
  const rows = [
    ...Object.entries(summary.uncovered),
    ...(negative.rows > 0 ? [['negative_net_spend', negative.rows] as const] : []),
    ...(no_spend.rows > 0 ? [['no_spend', no_spend.rows] as const] : []),
  ];
  return {
    title: 'Left out',
    note: 'without emissions and never counted as 0, or in no total',
    prefix: 'left out',
    head: 'Reason',
    label: ([reason]) => reason.replaceAll('_', ' '),
    columns: [amount('rows', 'Items', ([, number]) => number)],
    rows,
  } satisfies Table<readonly [string, number]>;
}

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

/** The line items of a list, such as the largest without emissions. */
export function itemTable(
  title: string,
  note: string,
  items: readonly LineItem[],
): Table<LineItem> {
  return {
    title,
    note,
    prefix: title.toLowerCase(),
    head: 'Supplier',
    label: supplierName,
    key: (_, index) => String(index + 1),
    columns: [
      {
        name: 'spend',
        title: 'Spend',
        value: ({ spend: value }) => value,
        text: ({ spend: value, currency }) =>
          value === null ? '–' : spendText(value, currency ?? 'unknown'),
      },
      text('lines', 'Lines', ({ lines }) => shortLines(lines)),
      text('reason', 'Reason', coverageText),
    ],
    rows: items,
  };
}

function shortLines(lines: readonly number[]): string {
  const more = lines.length - maxLines;
  return lines.slice(0, maxLines).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

const maxLines = 5;
