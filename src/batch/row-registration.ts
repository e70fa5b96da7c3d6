/*
 * Converts the values of a row to a registration. An unambiguous country name becomes a code, any
 * other one is sent as `hq_fuzzy`, and `NA` is not sent. Every other invalid value is a problem,
 * because a registration cannot be undone.
 */

import type { Registration } from '../api/schema.ts';
import { countryCode } from '../registration/countries.ts';
import type { Field } from '../registration/fields.ts';
import { identifierFields, type Problem } from '../registration/fields.ts';
import type { Checked } from '../registration/iso-codes.ts';
import { flattenString } from '../runtime/flatten-string.ts';
import { cellValue, readBoolean } from '../table/cell.ts';
import type { Mapping } from './columns.ts';
import type { Values } from './row-key.ts';

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
      const checked = check === undefined ? { code: value } : checkOnce(name, check, value);
      if ('code' in checked) registration[name] = checked.code;
      else problems.push({ field: name, value, ...checked });
    }
  }
  return { registration: registration as Registration, problems };
}

const optionalIds: ReadonlySet<string> = new Set<Field>([
  'duns_number',
  'lei_number',
  'isin_number',
]);

/** Removes an invalid D-U-N-S number, LEI or ISIN from the values of a row. */
export function dropInvalidIds(values: Values): {
  values: Values;
  dropped: readonly Problem[] | undefined;
} {
  const dropped: Problem[] = [];
  for (const { name, check } of identifierFields) {
    const value = values[name];
    if (value === undefined || check === undefined || !optionalIds.has(name)) continue;
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
export function isFreeTextRegion({ hq_region }: Values, { registration }: CheckedRow): boolean {
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
  const checked = checkOnce(field, check, value);
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

/* Fields with few distinct values, whose checks through Intl are slow in a million rows. */
const checkCaches: ReadonlyMap<string, Map<string, Checked>> = new Map([
  ['currency', new Map()],
  ['hq_subregion', new Map()],
]);

function checkOnce(field: Field, check: (value: string) => Checked, value: string): Checked {
  const cache = checkCaches.get(field);
  if (cache === undefined) return check(value);
  const cached = cache.get(value);
  if (cached !== undefined) return cached;
  const flatValue = flattenString(value);
  const checked = check(flatValue);
  if (cache.size < 10_000) cache.set(flatValue, checked);
  return checked;
}
