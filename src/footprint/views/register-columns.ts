/* The columns of `carbon footprint --csv`: the members of a register row, nested ones flattened. */
import { type CsvFormat, type CsvValue, renderCsvLine } from '../../table/output-cell.ts';
import type { FactorInputs, RegisterRow } from '../register-row.ts';

/** A column of the register. */
interface RegisterColumn {
  /** The path of the member in the JSON row, joined by `_`. */
  readonly name: string;
  /** One line for the documentation. */
  readonly description: string;
  value(row: RegisterRow): CsvValue;
}

const column = (
  name: string,
  description: string,
  value: RegisterColumn['value'],
): RegisterColumn => ({ name, description, value });

const input = (name: keyof FactorInputs, description: string): RegisterColumn =>
  column(`inputs_${name}`, description, (row) => row.inputs?.[name]);

/** The columns in their order. An empty cell is a null of the JSON row. */
export const registerColumns: readonly RegisterColumn[] = [
  column('lines', 'Line numbers in the input file, at most the first 20, joined by `; `', (row) =>
    row.lines.join('; '),
  ),
  column('line_count', 'Number of lines in the input file', (row) => row.line_count),
  column('supplier', 'Name of the supplier in the input file', (row) => row.supplier),
  column('id', 'Identifier of the organization', (row) => row.id),
  column('name', 'Name of the organization in the record', (row) => row.name),
  column(
    'matched_by',
    'How carbon found the record: `journal`, `id`, `external_id` or `name`',
    (row) => row.matched_by,
  ),
  column('currency', 'Currency of the spend, ISO 4217 code', (row) => row.currency),
  column('spend', 'Sum of the lines; credit notes are negative', (row) => row.spend),
  column('spend_year', 'Year of the spend', (row) => row.spend_year),
  column('category', 'Purchasing category in the input file', (row) => row.category),
  column(
    'boundary',
    'Emissions that the factor contains: `cradle-to-gate`, `scope-1-2` or `total`',
    (row) => row.boundary,
  ),
  column(
    'basis',
    'Origin of the factor: `disclosed`, `factor` or `industry`; empty if there is none',
    (row) => row.basis,
  ),
  column('factor', 'Emissions per unit of `currency`', (row) => row.factor),
  column('factor_year', 'Year of the figures behind the factor', (row) => row.factor_year),
  column('factor_region', 'Region of these figures', (row) => row.factor_region),
  input('revenue', 'Revenue of `factor_year` in `currency`'),
  input('scope_1', 'Scope 1 emissions as disclosed'),
  input('scope_2', 'Scope 2 emissions as disclosed'),
  input('scope_2_method', 'Method of `inputs_scope_2`: `market-based` or `location-based`'),
  input('scope_1_and_2', 'Scope 1 and 2 emissions, if disclosed only together'),
  input('upstream', 'Sum of the disclosed upstream categories (1 to 8) of scope 3'),
  input('upstream_categories', 'Number of disclosed upstream categories, 0 to 8'),
  input('total', 'Total emissions as disclosed'),
  input('scope_1_and_2_emission_factor', 'Emission factor of scopes 1 and 2'),
  input('total_upstream_emission_factor', 'Emission factor of all upstream activities'),
  input('emission_factor', 'Emission factor'),
  column('emissions', '`spend` times `factor`; empty for an uncovered row', (row) => row.emissions),
  column('share', 'Share of the total emissions, 0 to 1', (row) => row.share),
  column(
    'sbti_near_term_status',
    'Status of the near-term target; only `set` counts as coverage',
    (row) => row.sbti_near_term.status,
  ),
  column(
    'sbti_near_term_created_at',
    'Date of the SBTi target record',
    (row) => row.sbti_near_term.created_at,
  ),
  column(
    'sbti_near_term_retrieved_at',
    'Date when the service retrieved that record',
    (row) => row.sbti_near_term.retrieved_at,
  ),
  column('retrieved_at', 'Time when carbon retrieved the record', (row) => row.retrieved_at),
  column(
    'synthetic',
    'Whether the figures are synthetic ones of the sandbox',
    (row) => row.synthetic,
  ),
  column('uncovered', 'Why a row with spend has no emissions', (row) => row.uncovered),
  column('uncovered_detail', 'Explanation of `uncovered` in words', (row) => row.uncovered_detail),
  column(
    'excluded',
    'Why the row counts in no total: `negative_net_spend` or `no_spend`',
    (row) => row.excluded,
  ),
];

/** Renders the header line of the register. */
export function renderRegisterHeader(format?: CsvFormat): string {
  return renderCsvLine(
    registerColumns.map(({ name }) => name),
    format,
  );
}

/** Renders one row of the register as CSV. */
export function renderRegisterRow(row: RegisterRow, format?: CsvFormat): string {
  return renderCsvLine(
    registerColumns.map(({ value }) => value(row)),
    format,
  );
}
