/* The footprint as one self-contained HTML page. Everything from files and records is text. */

import { tableCard } from '../../../display/page/charts.ts';
import { type Html, html, type Tile, tileList } from '../../../display/page/html.ts';
import { maxRows, searchableTable } from '../../../display/page/searchable-table.ts';
import { renderSkeleton } from '../../../display/page/skeleton.ts';
import { kindOf } from '../../../display/query/kinds.ts';
import { figure } from '../../../display/terminal/figure.ts';
import { count, plural } from '../../../display/terminal/format.ts';
import { cellText } from '../../../display/terminal/section.ts';
import { capital } from '../../../display/terminal/text.ts';
import { unitInWords } from '../../organizations/statements.ts';
import { datesInWords, writtenInWords } from '../../records/dates.ts';
import type { LineItem } from '../footprint.ts';
import { statements } from '../statements.ts';
import type { FootprintSummary } from '../totals.ts';
import { largestItems, tablesOf } from './tables.ts';
import {
  basisWords,
  coveredShare,
  methodOf,
  notesOf,
  originOf,
  rangeText,
  shareText,
  spendText,
} from './words.ts';
import { lineItemColumns } from './workbook.ts';

/**
 * Renders the page.
 * @param items all line items; the page lists the largest
 */
export function renderFootprintPage(summary: FootprintSummary, items: Iterable<LineItem>): string {
  const { method, suppliers } = summary;
  const number = plural(suppliers, 'supplier');
  const [title, ...others] = statements(summary);
  return renderSkeleton({
    title: title?.text ?? 'Footprint of purchases',
    subtitle: number,
    lead: [
      number,
      `from ${method.files.join(', ')}`,
      ...datesInWords(summary),
      writtenInWords(summary),
      summary.boundary,
      unitInWords(summary.unit),
    ].join(' · '),
    statements: others.map(({ text }) => text),
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
  const origin = originOf(summary).map(
    ({ basis, share }) => `${shareText(share)} from ${basisWords[basis]}`,
  );
  const spend = Object.entries(summary.spend);
  return tileList([
    ...years.map(({ year, emissions }): Tile => {
      const name = years.length > 1 ? `Emissions of ${year ?? 'unknown year'}` : 'Total emissions';
      const unit = summary.unit === null ? '' : ` ${summary.unit}`;
      const note = [year === null ? '' : `spend of ${year}`, boundary].filter(Boolean).join(' · ');
      if (emissions === null) return [name, '–', note];
      const { compact, exact } = figure(emissions);
      return [name, `${compact}${unit}`, note, `${exact}${unit}`];
    }),
    [
      'Spend covered',
      spend.map(([code, amounts]) => `${code} ${shareText(coveredShare(amounts))}`).join(' · ') ||
        '–',
      `of ${spend.map(([code, { total }]) => spendText(total, code)).join(' · ') || 'no spend'}`,
    ],
    ['Supplier data', rangeText(summary.supplier_data_share), origin.join(', ')],
    [
      'SBTi near-term target set',
      shareText(coverage.by_emissions),
      `of the emissions · ${plural(coverage.suppliers, 'supplier')}`,
    ],
    [
      'Line items without emissions',
      count.format(line_items - covered_line_items),
      `of ${plural(line_items, 'line item')} with spend`,
    ],
  ]);
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
  const columns = lineItemColumns.flatMap((column) => {
    const { title, name, value } = column;
    // Figures that no supplier has would only take space.
    const isUsed = !optional.test(name) || shown.some((item) => (value(item) ?? '') !== '');
    if (title === undefined || !isUsed) return [];
    const { type } = kindOf(column.kind);
    const kind = type === 'number' ? ('number' as const) : ('text' as const);
    const tone = (item: LineItem) =>
      name === 'uncovered' ? toneOf(item) : name === 'category' ? 'category' : '';
    const cell = (item: LineItem) => {
      const [text, exact] = [cellText(column, item), cellText(column, item, 'exact')];
      return text === exact ? text : html`<span title="${exact}">${text}</span>`;
    };
    return [{ title, kind, isSorted: name === 'emissions', cell, tone }];
  });
  const left =
    omitted === 0
      ? ''
      : ` The table lists the ${count.format(shown.length)} line items with the largest emissions. The figures above include ${plural(omitted, 'more', 'more')}, which carbon footprint --csv lists.`;
  return searchableTable<LineItem>({
    name: 'register',
    title: 'Line items',
    noun: 'line items',
    note: `One line item per supplier, name, currency, year and category. Emissions${summary.unit === null ? '' : ` (in ${summary.unit})`} are spend times factor. Categories is the number of upstream categories with a value. Point at a figure to see all its digits.${left}`,
    placeholder: 'Supplier, category, reason',
    columns,
    rows: shown,
  });
}

function toneOf({ excluded, uncovered }: LineItem): string {
  return excluded !== null ? 'open' : uncovered !== null ? 'errored' : 'synced';
}

/* Columns that a page leaves out if they have no value. */
const optional = /^(?:inputs_|matched_by$|upstream_factor$|warning$)/;

const readingNotes = [
  'The emissions of a line item are its spend times its factor. The table shows the figures behind the factor, so that you can repeat each multiplication.',
  'The basis “own” divides the emissions in the supplier’s record by its revenue of the same year (GHG Protocol, Scope 3 Standard, chapter 8). A low factor may reflect missing upstream categories.',
  'The basis “service” uses factors that the service calculated. The basis “industry” uses an industry average, whose boundary is not documented.',
  'Supplier data is a range: at least the part from scopes 1 and 2, at most all of the record’s own figures, because upstream emissions are mostly modeled.',
  'Uncovered line items have spend but no factor. The spend includes them, the emissions do not. Excluded ones are in neither.',
];
