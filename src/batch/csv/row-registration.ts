/*
 * The values of a row as a registration. A country word becomes a code when it is unmistakable and
 * else travels as `hq_fuzzy`, but `NA` is not sent; every other value that is not what its field
 * wants is a problem, because a registration cannot be undone.
 */

import type { Registration } from '../../api/schema.ts';
import { countryCode } from '../../registration/countries.ts';
import { identifierFields, type Problem } from '../../registration/fields.ts';
import type { Checked } from '../../registration/iso-codes.ts';
import { flattenString } from '../../runtime/detach.ts';
import { cellValue, readBoolean } from './cell.ts';
import type { Field } from './column-aliases.ts';
import type { Mapping } from './columns.ts';
import type { Values } from './row-key.ts';

/** A registration made of a row, and everything that is wrong with it. */
export interface CheckedRow {
  readonly registration: Registration;
  readonly problems: readonly Problem[];
}

/** The values of a row's cells by field, absent ones left out. */
export function readValues(cells: readonly string[], { columns }: Mapping): Values {
  const values: Partial<Record<Field, string>> = {};
  for (const { field, index } of columns) {
    const value = cellValue(field, cells[index] ?? '');
    if (value !== undefined) values[field] = value;
  }
  return values;
}

/**
 * Checks the values of a row. The fields of the registration are in the order of the specification
 * of the command.
 */
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
      const checked = check === undefined ? { code: value } : remember(name, check, value);
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

/**
 * The values of a row without its D-U-N-S number, LEI and ISIN where these are wrong, and what is
 * wrong with them.
 */
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
 * Whether a row says `NA` for its country. pandas and R write that where a value is missing, and it
 * is Namibia's code: it is not sent, and to be told. It stays in the row's identity.
 */
export function hasUnclearRegion({ hq_region }: Values): boolean {
  return hq_region !== undefined && isUnclear(hq_region);
}

/**
 * Whether the country of a row without problems is sent as free text, because no code is
 * unmistakable.
 */
export function isFreeTextRegion({ hq_region }: Values, { registration }: CheckedRow): boolean {
  return hq_region !== undefined && registration.hq_region === undefined && !isUnclear(hq_region);
}

function isUnclear(region: string): boolean {
  return region.toUpperCase() === 'NA';
}

/* Two letters that are no code are a mistyped code, not a word. */
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

const wayOut = '(--map hq_subregion= leaves the column out)';

/*
 * `DE-BY` names the country too: it must be that of the row, and is the row's where this has none.
 */
function readSubregion(
  value: string,
  registration: Record<string, string | boolean>,
  check: (value: string) => Checked = (code) => ({ code }),
): Problem | undefined {
  const field = 'hq_subregion';
  const checked = remember(field, check, value);
  if ('problem' in checked && checked.meant === undefined) {
    return { field, value, problem: `${checked.problem} ${wayOut}` };
  }
  registration[field] = ('code' in checked ? checked.code : checked.meant) ?? '';
  if ('code' in checked) return undefined;
  const prefix = value.trim().slice(0, 2);
  const country = countryCode(prefix);
  const { hq_region: region, hq_fuzzy: text } = registration;
  if (country === undefined)
    return { field, value, problem: `begins with no country code ${wayOut}` };
  if (region === undefined && text === undefined) registration['hq_region'] = country;
  // Some countries are subregions of another one too: Puerto Rico is US-PR.
  if (region === undefined || region === country || region === checked.meant) return undefined;
  return {
    field,
    value,
    problem: `is in ${country}, but the country of the row is ${region} ${wayOut}`,
  };
}

/* The few values of these are asked about a million times, and Intl is slow to answer. */
const repeating: ReadonlyMap<string, Map<string, Checked>> = new Map([
  ['currency', new Map()],
  ['hq_subregion', new Map()],
]);

function remember(field: Field, check: (value: string) => Checked, value: string): Checked {
  const known = repeating.get(field);
  if (known === undefined) return check(value);
  const found = known.get(value);
  if (found !== undefined) return found;
  const own = flattenString(value);
  const checked = check(own);
  if (known.size < 10_000) known.set(own, checked);
  return checked;
}
