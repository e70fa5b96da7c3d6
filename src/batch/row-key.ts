import { hash } from 'node:crypto';
import type { Field } from '../registration/header-words.ts';

/** Version of the key format, which journals record. */
export const keyVersion = 1;

/*
 * Append new fields and never reorder: rows without a new field keep their keys. The currency does
 * not identify an organization.
 */
const keyFields = [
  'name',
  'hq_region',
  'hq_subregion',
  'hq_fuzzy',
  'industry_id',
  'industry_name',
  'website',
  'external_id',
  'is_legal_entity_name',
  'duns_number',
  'lei_number',
  'isin_number',
  'sp_global_number',
] as const satisfies readonly Field[];

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
