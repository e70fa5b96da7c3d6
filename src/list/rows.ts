import { hash } from 'node:crypto';
import { countryCode } from '../registration/countries.ts';
import {
  type Field,
  identifierFields,
  type Problem,
  type Registration,
} from '../registration/fields.ts';
import type { Checked } from '../registration/iso-codes.ts';
import { isTotalRow } from '../registration/total-label.ts';
import { cellValue, normalizeCell, readBoolean } from '../table/cell.ts';
import type { CsvDialect } from '../table/header.ts';
import type { InputFile } from '../table/input-file.ts';
import { type Row, readRows } from '../table/rows.ts';
import type { Mapping } from './columns.ts';

/** A row with its identity. */
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

/** A group of identified rows in the order of the file. */
export interface IdentifiedGroup {
  readonly rows: readonly IdentifiedRow[];
  /** Lines that repeat the header. */
  readonly headers: readonly number[];
  /** Rows that are left out, because they add up others. */
  readonly totals: readonly { readonly line: number; readonly name: string }[];
}

/** An input file with its CSV dialect and its mapping. */
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
  const { source, dialect, mapping, service, leavesOutTotals } = table;
  const indexes = { name: indexOf(mapping, 'name'), duns: indexOf(mapping, 'duns_number') };
  for await (const { rows, headers } of readRows(source, dialect)) {
    const identified: IdentifiedRow[] = [];
    const totals: { line: number; name: string }[] = [];
    for (const row of rows) {
      const values = readValues(row.exported ?? row.cells, mapping);
      const sent = withoutMissing(values);
      if (leavesOutTotals && isTotalRow(sent)) {
        totals.push({ line: row.line, name: values.name ?? '' });
        continue;
      }
      const key = identityKey(service, values);
      identified.push(identify(row, key, sent, table, indexes));
    }
    yield { rows: identified, headers, totals };
  }
}

function indexOf({ columns }: Mapping, name: Field): number {
  return columns.find(({ field }) => field === name)?.index ?? -1;
}

function identify(
  row: Row,
  key: string,
  sent: Values,
  { mapping, dropsInvalidIds }: IdentifiedTable,
  indexes: { readonly name: number; readonly duns: number },
): IdentifiedRow {
  const { line, cells, problem, kinds, exported } = row;
  const restored = kinds?.[indexes.duns] === 'number' ? restoreDuns(sent) : undefined;
  const complete = restored?.values ?? sent;
  const kept = dropsInvalidIds ? dropInvalidIds(complete) : undefined;
  return {
    line,
    cells,
    problem,
    kinds,
    exported,
    key,
    mapping,
    values: kept?.values ?? complete,
    dropped: kept?.dropped,
    restored: restored?.restored,
    missingName:
      sent.name === undefined ? normalizeCell((exported ?? cells)[indexes.name] ?? '') : undefined,
  };
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

/** The registration of a row with all its problems. */
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

/** Version of the key format, which journals record. */
export const keyVersion = 1;

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
  let text = `carbon row ${keyVersion}\n${service}\n`;
  for (const field of keyFields) {
    const value = values[field];
    if (value !== undefined) text += `${field} ${value.length} ${value}\n`;
  }
  return hash('sha256', text, 'hex').slice(0, 32);
}
