/*
 * The footprint as text. Tables are columns on a terminal, and lines `label column: value` in a
 * pipe, with plain numbers.
 */
import { renderBar } from '../../terminal/bar.ts';
import { renderFrame } from '../../terminal/columns.ts';
import { figure } from '../../terminal/figure.ts';
import { count, plural } from '../../terminal/format.ts';
import { sanitize } from '../../terminal/sanitize.ts';
import { indent, renderSections, type Section } from '../../terminal/section.ts';
import type { Style } from '../../terminal/style.ts';
import { truncate, width, wrap, wrapList } from '../../terminal/text.ts';
import type { View } from '../../terminal/view.ts';
import type { LineItem } from '../footprint.ts';
import type { FootprintSummary } from '../totals.ts';
import { itemTable, largestItems, type Table, tablesOf } from './tables.ts';
import {
  documentedEmissions,
  keyFigures,
  methodOf,
  notesOf,
  rangeText,
  shareText,
  unitText,
} from './words.ts';

/**
 * Renders a footprint for a terminal of 40 columns or more, or as plain lines `label: value`.
 * @param items the line items without emissions, of which the view lists the largest
 */
export function renderFootprint(
  summary: FootprintSummary,
  items: Iterable<LineItem>,
  view: View,
): string {
  const sections = [
    headline(summary),
    ...tablesOf(summary).map(sectionOf),
    ...leftOut(summary, items).map(sectionOf),
    {
      name: 'method',
      prefix: 'method',
      facts: methodOf(summary).map(([label, text]) => ({ label, details: [['', text] as const] })),
    },
  ];
  return renderSections(sections, notesOf(summary).map(sanitize), view);
}

function headline(summary: FootprintSummary): Section {
  const { boundary } = summary;
  return {
    name: 'footprint of purchases',
    note: `${boundary} · ${unitText(summary)}`,
    facts: keyFigures(summary).map(([label, value]) => ({ label, details: [['', value]] })),
    renderTerminal: (columns, style) => renderHeadline(summary, columns - 2, style).map(indent),
  };
}

function renderHeadline(summary: FootprintSummary, columns: number, style: Style): string[] {
  const { emissions, boundary, rows, covered_rows, suppliers, years, completeness } = summary;
  const { emissions_by_basis: bases, upstream_categories: median } = summary;
  const total =
    years.length > 1
      ? 'Spend of several years: see the total of each.'
      : emissions === null
        ? 'No line item has a factor, so there is no total.'
        : `${figure(emissions).rounded} ${unitText(summary)}`;
  const documented = figure(documentedEmissions(summary) ?? 0).rounded;
  const facts = [
    bases.industry > 0 &&
      emissions !== null &&
      `${documented} within ${boundary} and ${figure(bases.industry).rounded} of undocumented boundary`,
    `${count.format(covered_rows)} of ${plural(rows, 'line item')} with spend covered`,
    plural(suppliers, 'supplier'),
    `supplier data ${rangeText(summary.supplier_data_share)}`,
    completeness !== null && completeness < 1 && `about ${shareText(completeness)} complete`,
    median !== null && `median of ${median} upstream categories`,
  ].filter((fact) => fact !== false);
  return [...wrap(total, columns).map(style.bold), ...wrapList(facts, columns)];
}

const maxListed = 20;

/* The largest have the largest share of the spend in their currency. */
function leftOut(summary: FootprintSummary, items: Iterable<LineItem>): Table<LineItem>[] {
  const size = ({ spend, currency }: LineItem) =>
    Math.abs(spend ?? 0) / (summary.spend[currency ?? 'unknown']?.total || 1);
  const uncovered: LineItem[] = [];
  const excluded: LineItem[] = [];
  for (const item of items) {
    if (item.excluded !== null) excluded.push(item);
    else if (item.uncovered !== null) uncovered.push(item);
  }
  const tables = { Uncovered: uncovered, Excluded: excluded };
  return Object.entries(tables).flatMap(([title, all]) => {
    const { shown, omitted } = largestItems(all, maxListed, size);
    const more = omitted === 0 ? '' : `; --csv lists ${plural(omitted, 'more', 'more')}`;
    return shown.length === 0 ? [] : [itemTable(title, `the largest by spend${more}`, shown)];
  });
}

function sectionOf<Row>(table: Table<Row>): Section {
  const { title, note, prefix, rows, columns, label, key } = table;
  return {
    name: title,
    note,
    prefix,
    facts: rows.map((row, index) => ({
      label: sanitize(key?.(row, index) ?? label(row)),
      details: [
        ...(key === undefined ? [] : [['', sanitize(label(row))] as const]),
        ...columns.map((column) => [sanitize(column.name), plain(column.value(row))] as const),
      ],
    })),
    renderTerminal: (width, style) => renderTable(table, width, style),
  };
}

function plain(value: unknown): string | number | null {
  return typeof value === 'number' || typeof value === 'string' ? value : null;
}

const gap = 2;
const minName = 20;
const maxTitle = 20;
const minBar = 10;
const maxBar = 30;

/* Columns that do not fit move into lines below each row, the last ones first. */
function renderTable<Row>(
  { columns, rows, label, head, bar }: Table<Row>,
  total: number,
  style: Style,
): string[] {
  const headings = columns.map(({ title }) => truncate(sanitize(title).trim(), maxTitle));
  const names = rows.map((row) => sanitize(label(row)).trim());
  const cells = columns.map((column) => rows.map((row) => sanitize(column.text(row)).trim()));
  const used = columns.map((_, at) => cells[at]?.some((cell) => cell !== '–') ?? false);
  const widths = headings.map((title, at) =>
    (cells[at] ?? []).reduce((most, cell) => Math.max(most, width(cell)), width(title)),
  );
  const longest = names.reduce((most, name) => Math.max(most, width(name)), width(head));
  let rest = total - 2 - Math.min(longest, minName);
  let shown = 0;
  for (const [at, size] of widths.entries()) {
    if (used[at] && rest < size + gap) break;
    if (used[at]) rest -= size + gap;
    shown = at + 1;
  }
  const barWidth = bar && rest > minBar + gap + 8 ? Math.min(maxBar, rest - gap - 8) : 0;
  if (barWidth > 0) rest -= barWidth + gap;
  const nameWidth = Math.min(longest, minName) + Math.max(0, rest);
  const visible = columns.flatMap((_, at) => (at < shown && used[at] ? [at] : []));
  const [titles = '', rule = '', ...lines] = renderFrame(
    [
      { title: head },
      ...visible.map((at) => ({ title: headings[at] ?? '', align: 'right' as const })),
      ...(barWidth > 0 ? [{ title: '' }] : []),
    ],
    rows.map((row, index) => [
      truncate(names[index] ?? '', Math.max(4, nameWidth)),
      ...visible.map((at) => cells[at]?.[index] ?? ''),
      ...(barWidth > 0 ? [renderBar(bar?.(row) ?? 0, barWidth, style)] : []),
    ]),
    style,
  );
  const body = lines.flatMap((line, index) => {
    const details = headings.flatMap((title, at) => {
      const cell = cells[at]?.[index] ?? '–';
      return at < shown || cell === '–' ? [] : [`${title}: ${cell}`];
    });
    const below = details.length === 0 ? [] : wrapList(details, total - 4);
    return [line, ...below.map((text) => indent(style.dim(text)))];
  });
  return [titles, rule, ...body].map(indent);
}
