/*
 * The columns of the line items: members of the JSON object, nested ones flattened. One list feeds
 * CSV, workbook and page.
 */
import { type CsvValue, renderCsvLine } from '../../table/output-cell.ts';
import type { LineItem } from '../footprint.ts';
import { matchWords } from '../line-item.ts';
import { coverageText, supplierName } from './words.ts';

/** A column of the line items. */
interface LineItemColumn {
  /** The path of the member in JSON, joined by `_`. */
  readonly name: string;
  /** One line for the documentation. */
  readonly description: string;
  value(item: LineItem): CsvValue;
  /** How the page shows the column; undefined leaves it out. */
  readonly page?: PageColumn | undefined;
}

interface PageColumn {
  readonly title: string;
  readonly kind: 'text' | 'cents' | 'amount' | 'factor' | 'share' | 'plain';
  /** Leaves the column out on paper in portrait format, and if it has no value. */
  readonly isWide?: boolean;
  /** The value on the page if it differs. */
  readonly value?: (item: LineItem) => CsvValue;
}

type Members = Readonly<Record<string, unknown>>;

function column(name: string, description: string, page?: PageColumn): LineItemColumn {
  const [, parent, member = name] = /^(inputs|sbti_near_term)_(.+)$/.exec(name) ?? [];
  const value = (item: LineItem): CsvValue => {
    const members = item as unknown as Members;
    const holder = parent === undefined ? members : (members[parent] as Members | null);
    const found = holder?.[member];
    return Array.isArray(found) ? found.join('; ') : (found as CsvValue);
  };
  return { name, description, value, page };
}

function text(title: string, value?: PageColumn['value']): PageColumn {
  return { title, kind: 'text', ...(value && { value }) };
}

function wide(title: string, kind: PageColumn['kind'], value?: PageColumn['value']): PageColumn {
  return { ...text(title, value), kind, isWide: true };
}

/** The columns in their order. An empty cell is a null in JSON. */
export const lineItemColumns: readonly LineItemColumn[] = [
  column('lines', 'Line numbers in the input file, joined by `; `'),
  column('supplier', 'Name of the supplier in the input file', text('Supplier', supplierName)),
  column('id', 'ID of the organization', { title: 'ID', kind: 'plain' }),
  column('name', 'Name of the organization in the record'),
  column(
    'matched_by',
    'How the record was found: `journal`, `id`, `external_id` or `name`',
    wide('Matched by', 'text', ({ matched_by: match }) => match && matchWords[match]),
  ),
  column('category', 'Purchasing category in the input file', text('Category')),
  column('spend', 'Sum of the lines; credit notes are negative', { title: 'Spend', kind: 'cents' }),
  column('currency', 'Currency of the spend, ISO 4217 code', text('Currency')),
  column('spend_year', 'Year of the spend', { title: 'Spend year', kind: 'plain' }),
  column(
    'boundary',
    'Emissions that the factor contains: `cradle-to-gate`, `scope-1-2`, `total`, or `undocumented` for an industry average',
  ),
  column(
    'basis',
    "Origin of the factor: `own` (the record's own figures), `service` or `industry`; empty if there is none",
    text('Basis'),
  ),
  column('factor', 'Emissions per unit of `currency`', { title: 'Factor', kind: 'factor' }),
  column('factor_year', 'Year of the figures behind the factor', {
    title: 'Factor year',
    kind: 'plain',
  }),
  column('factor_region', 'Region of these figures'),
  column(
    'upstream_factor',
    'Reading of the upstream factor, if `factor` contains it: `additive` or `nested`',
    wide('Upstream factor', 'text'),
  ),
  column('inputs_revenue', 'Revenue of `factor_year` in `currency`', wide('Revenue', 'amount')),
  column('inputs_scope_1', 'Scope 1 emissions in the record', wide('Scope 1', 'amount')),
  column('inputs_scope_2', 'Scope 2 emissions in the record', wide('Scope 2', 'amount')),
  column(
    'inputs_scope_2_method',
    'Method of scope 2: `market-based` or `location-based`',
    wide('Scope 2 method', 'text'),
  ),
  column(
    'inputs_scope_1_and_2',
    'Scope 1 and 2 emissions, if only together in the record',
    wide('Scope 1+2', 'amount'),
  ),
  column(
    'inputs_upstream',
    'Sum of the upstream categories (1 to 8) of scope 3',
    wide('Upstream', 'amount'),
  ),
  column(
    'inputs_upstream_categories',
    'Number of upstream categories with a value, 0 to 8',
    wide('Categories', 'plain'),
  ),
  column('inputs_total', 'Total emissions in the record', wide('Total', 'amount')),
  column(
    'inputs_scope_1_and_2_emission_factor',
    'Emission factor of scopes 1 and 2',
    wide('Factor 1+2', 'factor'),
  ),
  column(
    'inputs_total_upstream_emission_factor',
    'Emission factor of all upstream activities',
    wide('Factor upstream', 'factor'),
  ),
  column('inputs_emission_factor', 'Emission factor', wide('Factor total', 'factor')),
  column('emissions', '`spend` times `factor`; empty for an uncovered item', {
    title: 'Emissions',
    kind: 'cents',
  }),
  column('share', "Share of the emissions of the spend's year, 0 to 1", {
    title: 'Share',
    kind: 'share',
  }),
  column(
    'sbti_near_term_status',
    'Status of the near-term target: `set`, `committed`, `removed`, `none` or `other`; only `set` counts as coverage',
    text('SBTi near term'),
  ),
  column('sbti_near_term_wording', 'The status as in the record'),
  column('sbti_near_term_created_at', 'Date of the SBTi target record'),
  column('sbti_near_term_retrieved_at', 'Date when the service retrieved that record'),
  column('retrieved_at', 'Time when the record was retrieved'),
  column('warning', 'Errors and warnings of `carbon check`', wide('Warning', 'text')),
  column('uncovered', 'Why an item with spend has no emissions', text('Coverage', coverageText)),
  column('uncovered_detail', 'Explanation of `uncovered` in words'),
  column('excluded', 'Why the item counts in no total: `negative_net_spend` or `no_spend`'),
  {
    name: 'synthetic',
    description: 'Whether the figures are synthetic ones of the sandbox; empty if not',
    value: ({ synthetic }) => synthetic || null,
  },
];

/** Renders the header line of the line items. */
export function renderItemHeader(): string {
  return renderCsvLine(lineItemColumns.map(({ name }) => name));
}

/** Renders one line item as CSV. */
export function renderItem(item: LineItem): string {
  return renderCsvLine(lineItemColumns.map(({ value }) => value(item)));
}
