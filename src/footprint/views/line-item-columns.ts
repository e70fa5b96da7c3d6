/*
 * The columns of the line items: members of the JSON object, nested ones flattened. One list feeds
 * CSV, workbook and page.
 */
import { type CsvValue, renderCsvLine } from '../../table/output-cell.ts';
import type { FactorInputs, LineItem } from '../line-item.ts';
import { coverageText, matchWords, supplierName } from './words.ts';

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

function column(
  name: string,
  description: string,
  value: LineItemColumn['value'],
  page?: PageColumn,
): LineItemColumn {
  return { name, description, value, page };
}

function input(
  name: keyof FactorInputs,
  description: string,
  title?: string,
  kind: PageColumn['kind'] = 'amount',
): LineItemColumn {
  const page = title === undefined ? undefined : { title, kind, isWide: true };
  return column(`inputs_${name}`, description, ({ inputs }) => inputs?.[name], page);
}

/** The columns in their order. An empty cell is a null in JSON. */
export const lineItemColumns: readonly LineItemColumn[] = [
  column('lines', 'Line numbers in the input file, joined by `; `', ({ lines }) =>
    lines.join('; '),
  ),
  column('supplier', 'Name of the supplier in the input file', ({ supplier }) => supplier, {
    title: 'Supplier',
    kind: 'text',
    value: supplierName,
  }),
  column('id', 'ID of the organization', ({ id }) => id, { title: 'ID', kind: 'plain' }),
  column('name', 'Name of the organization in the record', ({ name }) => name),
  column(
    'matched_by',
    'How the record was found: `journal`, `id`, `external_id`, `name` or `alias` (another spelling of the name)',
    (item) => item.matched_by,
    {
      title: 'Matched by',
      kind: 'text',
      isWide: true,
      value: ({ matched_by: match }) => match && matchWords[match],
    },
  ),
  column('category', 'Purchasing category in the input file', ({ category }) => category, {
    title: 'Category',
    kind: 'text',
  }),
  column('spend', 'Sum of the lines; credit notes are negative', ({ spend }) => spend, {
    title: 'Spend',
    kind: 'cents',
  }),
  column('currency', 'Currency of the spend, ISO 4217 code', ({ currency }) => currency, {
    title: 'Currency',
    kind: 'text',
  }),
  column('spend_year', 'Year of the spend', (item) => item.spend_year, {
    title: 'Spend year',
    kind: 'plain',
  }),
  column(
    'boundary',
    'Emissions that the factor contains: `cradle-to-gate`, `scope-1-2`, `total`, or `undocumented` for an industry average',
    ({ boundary }) => boundary,
  ),
  column(
    'basis',
    "Origin of the factor: `own` (the record's own figures), `service` or `industry`; empty if there is none",
    ({ basis }) => basis,
    { title: 'Basis', kind: 'text' },
  ),
  column('factor', 'Emissions per unit of `currency`', ({ factor }) => factor, {
    title: 'Factor',
    kind: 'factor',
  }),
  column('factor_year', 'Year of the figures behind the factor', (item) => item.factor_year, {
    title: 'Factor year',
    kind: 'plain',
  }),
  column('factor_region', 'Region of these figures', (item) => item.factor_region),
  column('factor_note', 'Why a better basis was not used', (item) => item.factor_note, {
    title: 'Note on the factor',
    kind: 'text',
    isWide: true,
  }),
  column(
    'upstream_factor',
    'Reading of the upstream factor, if `factor` contains it: `additive` or `nested`',
    (item) => item.upstream_factor,
    { title: 'Upstream factor', kind: 'text', isWide: true },
  ),
  input('revenue', 'Revenue of `factor_year` in `currency`', 'Revenue'),
  input('scope_1', 'Scope 1 emissions in the record', 'Scope 1'),
  input('scope_2', 'Scope 2 emissions in the record', 'Scope 2'),
  column(
    'inputs_scope_2_method',
    'Method of scope 2: `market-based` or `location-based`',
    ({ inputs }) => inputs?.scope_2_method,
    { title: 'Scope 2 method', kind: 'text', isWide: true },
  ),
  input('scope_1_and_2', 'Scope 1 and 2 emissions, if only together in the record', 'Scope 1+2'),
  input('upstream', 'Sum of the upstream categories (1 to 8) of scope 3', 'Upstream'),
  input(
    'upstream_categories',
    'Number of upstream categories with a value, 0 to 8',
    'Categories',
    'plain',
  ),
  input('total', 'Total emissions in the record', 'Total'),
  input(
    'scope_1_and_2_emission_factor',
    'Emission factor of scopes 1 and 2',
    'Factor 1+2',
    'factor',
  ),
  input(
    'total_upstream_emission_factor',
    'Emission factor of all upstream activities',
    'Factor upstream',
    'factor',
  ),
  input('emission_factor', 'Emission factor', 'Factor total', 'factor'),
  column(
    'emissions',
    '`spend` times `factor`; empty for an uncovered item',
    (item) => item.emissions,
    {
      title: 'Emissions',
      kind: 'cents',
    },
  ),
  column('share', "Share of the emissions of the spend's year, 0 to 1", ({ share }) => share, {
    title: 'Share',
    kind: 'share',
  }),
  column(
    'sbti_near_term_status',
    'Status of the near-term target: `set`, `committed`, `removed`, `none` or `other`; only `set` counts as coverage',
    (item) => item.sbti_near_term.status,
    { title: 'SBTi near term', kind: 'text' },
  ),
  column(
    'sbti_near_term_wording',
    'The status as in the record',
    (item) => item.sbti_near_term.wording,
  ),
  column(
    'sbti_near_term_created_at',
    'Date of the SBTi target record',
    (item) => item.sbti_near_term.created_at,
  ),
  column(
    'sbti_near_term_retrieved_at',
    'Date when the service retrieved that record',
    (item) => item.sbti_near_term.retrieved_at,
  ),
  column('retrieved_at', 'Time when the record was retrieved', (item) => item.retrieved_at),
  column(
    'synthetic',
    'Whether the figures are synthetic ones of the sandbox',
    (item) => item.synthetic,
  ),
  column('warning', 'Why the figure may be wrong', ({ warning }) => warning, {
    title: 'Warning',
    kind: 'text',
    isWide: true,
  }),
  column('uncovered', 'Why an item with spend has no emissions', ({ uncovered }) => uncovered, {
    title: 'Coverage',
    kind: 'text',
    value: coverageText,
  }),
  column(
    'uncovered_detail',
    'Explanation of `uncovered` in words',
    (item) => item.uncovered_detail,
  ),
  column(
    'excluded',
    'Why the item counts in no total: `negative_net_spend` or `no_spend`',
    ({ excluded }) => excluded,
  ),
];

/** Renders the header line of the line items. */
export function renderItemHeader(): string {
  return renderCsvLine(lineItemColumns.map(({ name }) => name));
}

/** Renders one line item as CSV. */
export function renderItem(item: LineItem): string {
  return renderCsvLine(lineItemColumns.map(({ value }) => value(item)));
}
