/* The line items of a footprint as a table, and the workbook. */
import type { KindName } from '../../../display/query/kinds.ts';
import type { Column } from '../../../display/query/query.ts';
import { figure, numberFormats } from '../../../display/terminal/figure.ts';
import type { CsvValue } from '../../../lists/table/output-cell.ts';
import { outputSheet } from '../../../lists/table/output-sheet.ts';
import type { SummaryContent } from '../../../lists/table/summary-sheet.ts';
import type { SheetContent } from '../../../lists/workbook/sheet-xml.ts';
import { datesOnSheet } from '../../records/dates.ts';
import type { LineItem } from '../footprint.ts';
import { matchWords } from '../line-item.ts';
import { statements } from '../statements.ts';
import type { FootprintSummary } from '../totals.ts';
import { keyFigures, sheetColumns, tablesOf } from './tables.ts';
import { coverageText, methodOf, notesOf, rangeText, shareText, supplierName } from './words.ts';

type Members = Readonly<Record<string, unknown>>;

function column(
  name: string,
  description: string,
  title?: string,
  as: KindName | ((item: LineItem) => string) = 'text',
): Column<LineItem> {
  const [, parent, member = name] = /^(inputs)_(.+)$/.exec(name) ?? [];
  const value = (item: LineItem): CsvValue => {
    const members = item as unknown as Members;
    const holder = parent === undefined ? members : (members[parent] as Members | null);
    const found = holder?.[member];
    return Array.isArray(found) ? found.join('; ') : (found as CsvValue);
  };
  const text = (item: LineItem, length: 'compact' | 'exact') => {
    if (typeof as === 'function') return as(item);
    const found = value(item);
    if (typeof found !== 'number') return String(found ?? '');
    if (as === 'share') return shareText(found);
    if (as !== 'amount' && as !== 'factor') return String(found);
    const short = numberFormats[as](found);
    const isExact = Number(short.replaceAll(',', '')) === found;
    const isEnough = as === 'factor' || Math.abs(found) >= 0.01;
    return isExact || (isEnough && length === 'compact') ? short : figure(found).exact;
  };
  return { name, description, title, kind: typeof as === 'function' ? 'text' : as, value, text };
}

/**
 * The columns of the line items: members of the JSON object, nested ones flattened. An empty cell
 * is a null in JSON. One list feeds CSV, workbook and page.
 */
export const lineItemColumns: readonly Column<LineItem>[] = [
  column('lines', 'Line numbers in the input file, joined by `; `'),
  column('supplier', 'Name of the supplier in the input file', 'Supplier', supplierName),
  column('id', 'ID of the organization', 'ID', 'id'),
  column('name', 'Name of the organization in the record'),
  column(
    'matched_by',
    'How the record was found: `journal`, `id`, `external_id` or `name`',
    'Matched by',
    ({ matched_by: match }) => (match === null ? '' : matchWords[match]),
  ),
  column('category', 'Purchasing category in the input file', 'Category'),
  column('spend', 'Sum of the lines; credit notes are negative', 'Spend', 'amount'),
  column('currency', 'Currency of the spend, ISO 4217 code', 'Currency'),
  column('spend_year', 'Year of the spend', 'Spend year', 'year'),
  column(
    'boundary',
    'Emissions that the factor contains: `cradle-to-gate`, `scope-1-2`, `total`, or `undocumented` for an industry average',
  ),
  column(
    'basis',
    "Origin of the factor: `own` (the record's own figures), `service` or `industry`; empty if there is none",
    'Basis',
  ),
  column('factor', 'Emissions per unit of `currency`', 'Factor', 'factor'),
  column('factor_year', 'Year of the figures behind the factor', 'Factor year', 'year'),
  column('factor_region', 'Region of these figures'),
  column(
    'upstream_factor',
    'Reading of the upstream factor, if `factor` contains it: `additive` or `nested`',
    'Upstream factor',
  ),
  column('inputs_revenue', 'Revenue of `factor_year` in `currency`', 'Revenue', 'amount'),
  column('inputs_scope_1', 'Scope 1 emissions in the record', 'Scope 1', 'amount'),
  column('inputs_scope_2', 'Scope 2 emissions in the record', 'Scope 2', 'amount'),
  column(
    'inputs_scope_2_method',
    'Method of scope 2: `market-based` or `location-based`',
    'Scope 2 method',
  ),
  column(
    'inputs_scope_1_and_2',
    'Scope 1 and 2 emissions, if only together in the record',
    'Scope 1+2',
    'amount',
  ),
  column(
    'inputs_upstream',
    'Sum of the upstream categories (1 to 8) of scope 3',
    'Upstream',
    'amount',
  ),
  column(
    'inputs_upstream_categories',
    'Upstream categories with a value, such as `1 4 6`',
    'Categories',
  ),
  column('inputs_total', 'Total emissions in the record', 'Total', 'amount'),
  column(
    'inputs_scope_1_and_2_emission_factor',
    'Emission factor of scopes 1 and 2',
    'Factor 1+2',
    'factor',
  ),
  column(
    'inputs_total_upstream_emission_factor',
    'Emission factor of all upstream activities',
    'Factor upstream',
    'factor',
  ),
  column('inputs_emission_factor', 'Emission factor', 'Factor total', 'factor'),
  column('emissions', '`spend` times `factor`; empty for an uncovered item', 'Emissions', 'amount'),
  column(
    'share',
    "Share of the emissions of the spend's year, at most 1; empty if negative items make it larger",
    'Share',
    'share',
  ),
  column(
    'sbti_near_term',
    'Near-term target of the supplier: `set`, `committed`, `removed`, `none`, `with_target` (without a status), or the text as received; empty if unknown; only `set` counts as coverage',
    'SBTi near term',
  ),
  column('retrieved_at', 'Time when the record was retrieved', undefined, 'date'),
  column('warning', 'Errors and warnings of `carbon check`', 'Warning'),
  column('uncovered', 'Why an item with spend has no emissions', 'Coverage', coverageText),
  column('uncovered_detail', 'Explanation of `uncovered` in words'),
  column('excluded', 'Why no total includes the item: `negative_net_spend` or `no_spend`'),
  column('hq_region', 'Country of the supplier in the input file, otherwise in the record'),
  column('matched_id', 'ID of the matched organization in the reference data', undefined, 'id'),
  {
    ...column(
      'synthetic',
      'Whether the figures are synthetic ones of the sandbox; empty if not',
      undefined,
      'synthetic',
    ),
    value: ({ synthetic }) => synthetic || null,
  },
];

/** Returns the sheets after the line items: a sheet for each table. */
export function footprintSheets(summary: FootprintSummary): readonly SheetContent[] {
  return tablesOf(summary).map(({ title, head, label, columns: shown, rows }) => {
    const columns = sheetColumns(shown);
    return outputSheet({
      name: title,
      columns: [{ name: head.toLowerCase(), kind: 'name' as const }, ...columns],
      rows: rows.map((row) => [label(row), ...columns.map(({ value }) => value(row))]),
    });
  });
}

/** Returns what the first sheet of the workbook says: figures, warnings, method and columns. */
export function footprintSummary(summary: FootprintSummary): SummaryContent {
  const perYear = summary.years.map(
    ({ year, emissions }) => [`emissions of ${year ?? 'no year'}`, emissions] as const,
  );
  return {
    isSynthetic: summary.synthetic > 0,
    statements: statements(summary).map((each) => each.text),
    dates: datesOnSheet(summary),
    figures: [
      ...(perYear.length > 1 ? perYear : []),
      ...keyFigures(summary),
      ['supplier data share', rangeText(summary.supplier_data_share)],
    ],
    notes: [
      ...notesOf(summary).map((note) => ['Before you quote it', note] as const),
      ...methodOf(summary),
    ],
    legend: lineItemColumns.map(({ name, description }) => [name, description] as const),
  };
}
