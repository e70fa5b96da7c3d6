/* The footprint as one self-contained HTML page. Everything from files and records is text. */
import { barTable, rankRow } from '../../page/charts.ts';
import { type Content, card, type Html, html, tileList } from '../../page/html.ts';
import { maxRows, searchableTable } from '../../page/searchable-table.ts';
import { renderSkeleton } from '../../page/skeleton.ts';
import type { CsvValue } from '../../table/output-cell.ts';
import { figure, numberFormats } from '../../terminal/figure.ts';
import { count, dateText, plural } from '../../terminal/format.ts';
import { cellText, missingText } from '../../terminal/section.ts';
import { capital } from '../../terminal/text.ts';
import type { LineItem } from '../footprint.ts';
import { matchWords } from '../line-item.ts';
import type { FootprintSummary } from '../totals.ts';
import { type ColumnKind, lineItemColumns } from './line-item-columns.ts';
import { largestItems, type Table, tablesOf } from './tables.ts';
import {
  coverageText,
  coveredShare,
  headline,
  methodOf,
  notesOf,
  rangeText,
  shareText,
  spendText,
  supplierName,
  unitText,
} from './words.ts';

/**
 * Renders the page.
 * @param items all line items; the page lists the largest
 */
export function renderFootprintPage(summary: FootprintSummary, items: Iterable<LineItem>): string {
  const { method, suppliers } = summary;
  const number = plural(suppliers, 'supplier');
  return renderSkeleton({
    title: 'Footprint of purchases',
    subtitle: number,
    lead: [number, `from ${method.files.join(', ')}`, dateText(method.calculated_at)].join(' · '),
    notes: notesOf(summary),
    skip: 'Skip to the line items',
    tiles: tiles(summary),
    cards: [...tablesOf(summary).map(tableCard), methodCard(summary)],
    table: itemTable(summary, items),
    footerTitle: 'How to read this page',
    readingNotes,
  });
}

function tiles(summary: FootprintSummary): Html {
  const { line_items, covered_line_items, sbti_coverage: coverage, boundary, years } = summary;
  const [unit, [, origin = '']] = [unitText(summary), headline(summary)];
  const [currency, ...others] = Object.entries(summary.spend).map(
    ([code, amounts]) =>
      [`${code} ${shareText(coveredShare(amounts))}`, spendText(amounts.total, code)] as const,
  );
  return tileList([
    ...years.map(
      ({ year, emissions: total }) =>
        [
          years.length > 1 ? `Emissions of ${year ?? 'unknown year'}` : 'Total emissions',
          total === null
            ? '–'
            : `${figure(total).compact}${summary.unit === null ? '' : ` ${unit}`}`,
          `${unit} · ${boundary}`,
          total === null ? undefined : `${figure(total).exact} ${unit}`,
        ] as const,
    ),
    [
      'Spend covered',
      currency?.[0] ?? '–',
      [`of ${currency?.[1] ?? 'no spend'}`, ...others.map(([share]) => share)].join(' · '),
    ],
    ['Supplier data', rangeText(summary.supplier_data_share), origin],
    [
      'SBTi near-term target set',
      shareText(coverage.by_emissions),
      `of the emissions · ${plural(coverage.set, 'supplier')}`,
    ],
    [
      'Line items without emissions',
      count.format(line_items - covered_line_items),
      `of ${plural(line_items, 'line item')} with spend`,
    ],
  ]);
}

/* The first column has the details below the name, so that a card needs no width. */
function tableCard<Row>({
  title,
  note,
  head,
  columns,
  rows,
  label,
  bar: shareOf,
}: Table<Row>): Html {
  const [first, ...others] = columns;
  const drawn = rows.map((row) => {
    const name = label(row);
    const details = others.flatMap((column) => {
      const shown = cellText(column, row);
      return shown === missingText ? [] : [`${column.title} ${shown}`];
    });
    const exact = first?.value(row);
    const value = first ? cellText(first, row) : '';
    const mark = { value: shareOf?.(row) ?? 0, tone: 'main', description: `${name}: ${value}` };
    const shown = html`<span title="${typeof exact === 'number' ? figure(exact).exact : value}">${value}</span>`;
    return rankRow(name, details, shown, shareOf && mark);
  });
  const id = title.toLowerCase().replace(/[^a-z]+/g, '-');
  return card(
    id,
    title,
    note === undefined ? '' : `${capital(note)}.`,
    barTable('bars largest', [head, first?.title], drawn),
  );
}

function methodCard(summary: FootprintSummary): Html {
  const statements = methodOf(summary).map(
    ([label, text]) => html`<div><dt>${capital(label)}</dt><dd>${text}</dd></div>\n`,
  );
  return html`<section class="full" aria-labelledby="method"><h2 id="method">Method</h2><dl class="method">${statements}</dl></section>\n`;
}

/* The largest emissions first, then items without emissions. */
function itemTable(summary: FootprintSummary, items: Iterable<LineItem>): Html {
  const { shown, omitted } = largestItems(items, maxRows, ({ excluded, emissions }) =>
    excluded === null ? (emissions ?? -Number.MAX_VALUE) : Number.NEGATIVE_INFINITY,
  );
  const columns = lineItemColumns.flatMap(({ title, name, ...rest }) =>
    title === undefined ? [] : [{ title, name, ...rest, isWide: wide.test(name) }],
  );
  const cellOf = ({ name, value }: (typeof columns)[number], item: LineItem) =>
    (texts[name] ?? value)(item);
  // Figures that no supplier has would only take space.
  const used = columns.filter(
    (column) => !column.isWide || shown.some((item) => (cellOf(column, item) ?? '') !== ''),
  );
  const left =
    omitted === 0
      ? ''
      : ` The table lists the ${count.format(shown.length)} line items with the largest emissions. The figures above include ${plural(omitted, 'more', 'more')}, which carbon footprint --csv lists.`;
  return searchableTable<LineItem>({
    name: 'register',
    title: 'Line items',
    noun: 'line items',
    note: [
      `One line item per supplier, name, currency, year and category. Emissions (in ${unitText(summary)}) are spend times factor. Categories is the number of upstream categories with a value. Point at a figure to see all its digits.${left}`,
      html` <span class="portrait-only">Paper in portrait format leaves out the figures behind the factors: print in landscape format to include them.</span>`,
    ],
    placeholder: 'Supplier, category, reason',
    columns: used.map((column) => ({
      ...column,
      kind: column.kind === 'text' ? 'text' : 'number',
      isSorted: column.name === 'emissions',
      cell: (item) => shownValue(cellOf(column, item), column.kind),
      tone: (item) =>
        column.name === 'uncovered' ? tone(item) : column.name === 'category' ? 'category' : '',
    })),
    rows: shown,
  });
}

function tone({ excluded, uncovered }: LineItem): string {
  return excluded !== null ? 'open' : uncovered !== null ? 'errored' : 'synced';
}

/* Paper in portrait format leaves these columns out, and every page if they have no value. */
const wide = /^(?:inputs_|matched_by$|upstream_factor$|warning$)/;

/* Words in place of values. */
const texts: Readonly<Record<string, (item: LineItem) => CsvValue>> = {
  supplier: supplierName,
  matched_by: ({ matched_by: match }) => match && matchWords[match],
  uncovered: coverageText,
};

/* Ten digits of a factor repeat a multiplication to the cent; a pointer shows all digits. */
const smallest = { factor: 1e-9, amount: 0.01 };

function shownValue(value: CsvValue, kind: ColumnKind): Content {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value !== 'number' || kind === 'plain' || kind === 'text') return String(value);
  if (kind === 'share') return shareText(value);
  const min = smallest[kind];
  const size = Math.abs(value);
  const { exact } = figure(value);
  const shown = value === 0 || (size >= min && size < 1e15) ? numberFormats[kind](value) : exact;
  return Number(shown.replaceAll(',', '')) === value
    ? shown
    : html`<span title="${exact}">${shown}</span>`;
}

const readingNotes = [
  'The emissions of a line item are its spend times its factor. The table shows the figures behind the factor, so that you can repeat each multiplication.',
  'The basis “own” divides the emissions in the supplier’s record by its revenue of the same year (GHG Protocol, Scope 3 Standard, chapter 8). A low factor may reflect missing upstream categories.',
  'The basis “service” uses factors that the service calculated. The basis “industry” uses an industry average, whose boundary is not documented.',
  'Supplier data is a range: at least the part from scopes 1 and 2, at most all of the record’s own figures, because upstream emissions are mostly modeled.',
  'Uncovered line items have spend but no factor. The spend includes them, the emissions do not. Excluded ones are in neither.',
];
