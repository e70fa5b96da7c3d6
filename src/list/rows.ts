/*
 * The rows of a list: their identity, the registration that each one is, and what a run does with
 * it.
 */
import { hash } from 'node:crypto';
import type { OrganizationId } from '../api/ids.ts';
import { countryCode } from '../registration/countries.ts';
import {
  type Field,
  identifierFields,
  isTotalRow,
  type Problem,
  type Registration,
} from '../registration/fields.ts';
import type { Checked } from '../registration/iso-codes.ts';
import { type CarbonError, invalidInput, type UsageError } from '../runtime/carbon-error.ts';
import { cellValue, normalizeCell, readBoolean } from '../table/cell.ts';
import type { CsvDialect } from '../table/dialect.ts';
import type { InputFile } from '../table/input-file.ts';
import { type Row, readRows } from '../table/rows.ts';
import { cut } from '../terminal/format.ts';
import type { Mapping } from './columns.ts';
import { keyVersion, readReason } from './journals.ts';
import type { KnownRow } from './known-rows.ts';

export interface IdentifiedRow extends Row {
  readonly key: string;
  readonly mapping: Mapping;
  /** The values to send. The key is a hash of all mapped cells, including those left out here. */
  readonly values: Values;
  /** Invalid optional identifiers that `--invalid drop-ids` removed from the values. */
  readonly dropped?: readonly Problem[] | undefined;
  /** The number in a D-U-N-S cell of a workbook whose leading zeros were restored. */
  readonly restored?: string | undefined;
  /** The placeholder in the name cell, such as `N/A`, if the name is missing. */
  readonly missingName?: string | undefined;
}

export interface IdentifiedGroup {
  readonly rows: readonly IdentifiedRow[];
  readonly headers: readonly number[];
  /** Rows that are left out, because they add up others. */
  readonly totals: readonly { readonly line: number; readonly name: string }[];
}

export interface IdentifiedTable {
  readonly source: InputFile;
  readonly dialect: CsvDialect;
  readonly mapping: Mapping;
  /** The base URL, or `sandbox`. It is part of each row's key. */
  readonly service: string;
  /** Whether invalid optional identifiers are left out instead of making a row invalid. */
  readonly dropsInvalidIds?: boolean | undefined;
  /** Whether rows with nothing but the label of a total are left out. */
  readonly leavesOutTotals?: boolean | undefined;
}

/**
 * Reads the rows of this run with their identities.
 *
 * @throws UsageError if the text is not a table; LocalError if the file changed since it was first
 * read
 */
export async function* identifyRows(
  table: IdentifiedTable,
): AsyncGenerator<IdentifiedGroup, void, void> {
  const { source, dialect, mapping, service } = table;
  const indexOf = (name: Field) => mapping.columns.find(({ field }) => field === name)?.index ?? -1;
  const [nameAt, dunsAt] = [indexOf('name'), indexOf('duns_number')];
  for await (const { rows, headers } of readRows(source, dialect)) {
    const identified: IdentifiedRow[] = [];
    const totals: { line: number; name: string }[] = [];
    for (const row of rows) {
      const { line, cells, problem, kinds, exported = cells } = row;
      const values = readValues(exported, mapping);
      const sent = withoutMissing(values);
      if (table.leavesOutTotals && isTotalRow(sent)) {
        totals.push({ line, name: values.name ?? '' });
        continue;
      }
      const restored = kinds?.[dunsAt] === 'number' ? restoreDuns(sent) : undefined;
      const complete = restored?.values ?? sent;
      const kept = table.dropsInvalidIds ? dropInvalidIds(complete) : undefined;
      identified.push({
        line,
        cells,
        problem,
        kinds,
        exported: row.exported,
        key: identityKey(service, values),
        mapping,
        values: kept?.values ?? complete,
        dropped: kept?.dropped,
        restored: restored?.restored,
        missingName: sent.name === undefined ? normalizeCell(exported[nameAt] ?? '') : undefined,
      });
    }
    yield { rows: identified, headers, totals };
  }
}

/*
 * A spreadsheet stores a D-U-N-S number as a number without leading zeros. The key of the row does
 * not change, because a CSV export lacks them too. Fewer than five digits are no such number.
 */
function restoreDuns(values: Values): { values: Values; restored: string } | undefined {
  const { duns_number: duns = '' } = values;
  if (!/^[1-9]\d{4,7}$/.test(duns)) return undefined;
  return { values: { ...values, duns_number: duns.padStart(9, '0') }, restored: duns };
}

/* Excel's errors of failed formulas in English, German, French, Spanish and Italian. */
const excelError =
  /^#(?:REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!|SPILL!|CALC!|FIELD!|BLOCKED!|CONNECT!|UNKNOWN!|GETTING_DATA|NV|WERT!|BEZUG!|ZAHL!|N\/D|VALEUR!|NOM\?|NOMBRE!|NUL!|¡VALOR!|¡REF!|¿NOMBRE\?|¡DIV\/0!|¡NUM!|¡NULO!|VALORE!|RIF!|NOME\?)$/i;
/* German for "not stated". As a name only in its usual spelling: K.A. may be an organization. */
const noStatement = /^k\. ?a\.?$/i;
const noStatementAsName = /^k\. ?A\.$/;
const plainNumber = /^[+-]?\d[\d.,'\s]*$/;

/*
 * Drops placeholders that `cellValue` keeps because they are part of keys in existing journals: a
 * row's key depends on its cells (`identityKey`).
 */
function withoutMissing(values: Values): Values {
  const entries = Object.entries(values);
  const kept = entries.filter(([field, value]) => !isMissing(field, value));
  return kept.length === entries.length ? values : Object.fromEntries(kept);
}

function isMissing(field: string, value: string): boolean {
  if (field === 'hq_region' && plainNumber.test(value)) return true;
  return excelError.test(value) || (field === 'name' ? noStatementAsName : noStatement).test(value);
}

/*
 * Converts the values of a row to a registration. An unambiguous country name becomes a code, any
 * other one is sent as `hq_fuzzy`, and `NA` is not sent. Every other invalid value is a problem,
 * because a registration cannot be undone.
 */

export interface CheckedRow {
  readonly registration: Registration;
  readonly problems: readonly Problem[];
}

/** Reads the values of a row's cells by field, without absent ones. */
export function readValues(cells: readonly string[], { columns }: Mapping): Values {
  const values: Partial<Record<Field, string>> = {};
  for (const { field, index } of columns) {
    const value = cellValue(field, cells[index] ?? '');
    if (value !== undefined) values[field] = value;
  }
  return values;
}

/** Checks the values of a row and converts them to a registration. */
export function checkRow(values: Values): CheckedRow {
  const registration: Record<string, string | boolean> = {};
  const problems: Problem[] = [];
  for (const { name, check } of identifierFields) {
    const value = values[name] ?? (name === 'name' ? '' : undefined);
    if (value === undefined) continue;
    if (name === 'hq_region') {
      const region = readRegion(value, registration);
      if (region !== undefined) problems.push(region);
    } else if (name === 'hq_fuzzy') {
      registration[name] = [value, registration[name]].filter(Boolean).join(', ');
    } else if (name === 'is_legal_entity_name') {
      const flag = readBoolean(value);
      if (flag === undefined)
        problems.push({ field: name, value, problem: 'is neither yes nor no' });
      else registration[name] = flag;
    } else if (name === 'hq_subregion') {
      const subregion = readSubregion(value, registration, check);
      if (subregion !== undefined) problems.push(subregion);
    } else {
      const checked = check === undefined ? { code: value } : check(value);
      if ('code' in checked) registration[name] = checked.code;
      else problems.push({ field: name, value, ...checked });
    }
  }
  return { registration: registration as Registration, problems };
}

/** Removes invalid identifiers, such as an LEI, from the values of a row. */
export function dropInvalidIds(values: Values): {
  values: Values;
  dropped: readonly Problem[] | undefined;
} {
  const dropped: Problem[] = [];
  for (const { name, check, isUnique } of identifierFields) {
    const value = values[name];
    if (value === undefined || check === undefined || !isUnique) continue;
    const checked = check(value);
    if ('problem' in checked) dropped.push({ field: name, value, ...checked });
  }
  if (dropped.length === 0) return { values, dropped: undefined };
  const wrong = new Set(dropped.map(({ field }) => field));
  const kept = Object.entries(values).filter(([field]) => !wrong.has(field));
  return { values: Object.fromEntries(kept), dropped };
}

/**
 * Checks whether the country of a row is `NA`: the code of Namibia, and what pandas and R write for
 * a missing value. carbon does not send it and warns about it. It stays part of the row's key.
 */
export function hasUnclearRegion({ hq_region }: Values): boolean {
  return hq_region !== undefined && isUnclear(hq_region);
}

/** Checks whether a valid row sends its country as free text, because it has no certain code. */
export function isFreeTextRegion(
  { hq_region }: Values,
  { registration }: Pick<CheckedRow, 'registration'>,
): boolean {
  return hq_region !== undefined && registration.hq_region === undefined && !isUnclear(hq_region);
}

function isUnclear(region: string): boolean {
  return region.length === 2 && region.toUpperCase() === 'NA';
}

/* Two letters that are not a code are a mistyped code, not free text. */
function readRegion(
  value: string,
  registration: Record<string, string | boolean>,
): Problem | undefined {
  if (isUnclear(value)) return undefined;
  const code = countryCode(value);
  if (code !== undefined) registration['hq_region'] = code;
  else if (!/^[A-Za-z]{2}$/.test(value)) registration['hq_fuzzy'] = value;
  else
    return { field: 'hq_region', value, problem: 'is not an ISO 3166-1 two-letter country code' };
  return undefined;
}

const leaveOutHint = '(--map hq_subregion= leaves the column out)';

/*
 * Parses a subregion. The country prefix of `DE-BY` must match the row's country, and becomes the
 * country of a row without one.
 */
function readSubregion(
  value: string,
  registration: Record<string, string | boolean>,
  check: (value: string) => Checked = (code) => ({ code }),
): Problem | undefined {
  const field = 'hq_subregion';
  const checked = check(value);
  if ('problem' in checked && checked.meant === undefined) {
    return { field, value, problem: `${checked.problem} ${leaveOutHint}` };
  }
  registration[field] = ('code' in checked ? checked.code : checked.meant) ?? '';
  if ('code' in checked) return undefined;
  const prefix = value.trim().slice(0, 2);
  const country = countryCode(prefix);
  const { hq_region: region, hq_fuzzy: text } = registration;
  if (country === undefined)
    return { field, value, problem: `does not begin with a country code ${leaveOutHint}` };
  if (region === undefined && text === undefined) registration['hq_region'] = country;
  // Some countries are also subregions of another country: Puerto Rico is US-PR.
  if (region === undefined || region === country || region === checked.meant) return undefined;
  return {
    field,
    value,
    problem: `is in ${country}, but the row's country is ${region} ${leaveOutHint}`,
  };
}

const keyHead = `carbon row ${keyVersion}`;
const keyFields = identifierFields.filter(({ isIdentity }) => isIdentity).map(({ name }) => name);

/** The values of a row by field, normalized with `cellValue`. */
export type Values = Readonly<Partial<Record<Field, string>>>;

/**
 * Computes the key of a row: the first 128 bits of SHA-256 over the service and the row's values,
 * as 32 hexadecimal digits.
 *
 * The key depends on the cells, not on country codes derived from them, so every version of Node
 * computes the same key.
 *
 * @param service the base URL, or `sandbox`
 */
export function identityKey(service: string, values: Values): string {
  let text = `${keyHead}\n${service}\n`;
  for (const field of keyFields) {
    const value = values[field];
    if (value !== undefined) text += `${field} ${value.length} ${value}\n`;
  }
  return hash('sha256', text, 'hex').slice(0, 32);
}

/** Describes what a run does with one row: `new` is sent, the others are not. */
export type RowPlan = {
  readonly line: number;
  readonly row: IdentifiedRow;
  /** Why an earlier attempt failed, if it may succeed later; `judgeRow` does not set it. */
  readonly postponed?: CarbonError | undefined;
} & (
  | {
      readonly step: 'new';
      readonly registration: Registration;
      /** Values that the registration leaves out. */
      readonly dropped: readonly RowProblem[];
    }
  /** Registered, whatever else is known about the row. */
  | { readonly step: 'done'; readonly id: OrganizationId }
  /** Equal to the row at `firstLine`, which is sent for both. */
  | { readonly step: 'duplicate'; readonly firstLine: number }
  | { readonly step: 'rejected'; readonly error: CarbonError }
  | { readonly step: 'invalid'; readonly problems: readonly RowProblem[] }
);

export type RowAction = RowPlan['step'];

export type RowActionCounts = Record<RowAction, number>;

export interface RowActionOptions {
  /** Sends rows again that the service refused in an earlier run. */
  readonly retryFailed?: boolean | undefined;
}

export interface RowProblem extends Omit<Problem, 'field'> {
  /** Physical line of the file, from 1. */
  readonly line: number;
  /** Undefined when the complete row is wrong. */
  readonly field: string | undefined;
  readonly column: string | undefined;
  /** Whether the row is sent without the value. */
  readonly isDropped?: true;
}

/**
 * Decides what to do with a row. `identifyRows` has left out totals.
 *
 * This rule is all there is to resuming a run: a row that a journal calls done is skipped, even
 * when the file has changed, and every other row is sent once.
 * @param known undefined if nothing is known about the key
 */
export function judgeRow(
  row: IdentifiedRow,
  known: KnownRow | undefined,
  { retryFailed = false }: RowActionOptions = {},
): RowPlan {
  const { line } = row;
  if (known?.id !== undefined) return { line, row, step: 'done', id: known.id };
  const { registration, problems } = checkRow(row.values);
  if (row.problem !== undefined || problems.length > 0)
    return { line, row, step: 'invalid', problems: describeInvalid(row, problems) };
  const { refusal, isRefusedNow } = known?.failures ?? {};
  if (refusal !== undefined && (isRefusedNow || !retryFailed))
    return { line, row, step: 'rejected', error: readReason(refusal) };
  const firstLine = known?.line || line;
  if (firstLine !== line) return { line, row, step: 'duplicate', firstLine };
  return { line, row, step: 'new', registration, dropped: describeDropped(row) };
}

/** Returns what is wrong with a row: why it is invalid, or what is left out of it. */
export function problemsOf(plan: RowPlan): readonly RowProblem[] {
  if (plan.step === 'invalid') return plan.problems;
  return plan.step === 'new' ? plan.dropped : [];
}

function describeInvalid(row: IdentifiedRow, problems: readonly Problem[]): readonly RowProblem[] {
  const { line, problem } = row;
  if (problem === undefined) return problems.map((each) => describe(row, each));
  return [{ line, field: undefined, column: undefined, value: '', problem }];
}

function describeDropped(row: IdentifiedRow): readonly RowProblem[] {
  return (row.dropped ?? []).map((each) => ({ ...describe(row, each), isDropped: true }));
}

function describe({ line, mapping, missingName }: IdentifiedRow, problem: Problem): RowProblem {
  const { field } = problem;
  const column = mapping.columns.find((each) => each.field === field)?.column;
  const missing = field === 'name' &&
    missingName && { problem: `is missing: the cell contains "${missingName}"` };
  return { line, column, ...problem, ...missing };
}

export function invalidRow(problems: readonly RowProblem[]): UsageError {
  return invalidInput(problems.map(reportProblem).join('; '));
}

/** Describes one problem with the user's header, such as `LEI Code "529" is not an LEI`. */
export function reportProblem({ field, column, value, problem, meant }: RowProblem): string {
  const named = /^\d+$/.test(column ?? '') ? `column ${column}` : column || field;
  const subject = `${cut(named ?? 'the row', 60)}${value === '' ? '' : ` "${cut(value, 60)}"`}`;
  return `${subject} ${problem}${meant === undefined ? '' : `; did you mean ${meant}?`}`;
}
