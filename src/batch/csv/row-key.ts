import { hash } from 'node:crypto';
import type { Field } from './column-aliases.ts';

/** Version of the way in which keys are made; journals name it. */
export const keyVersion = 1;

/*
 * Never reordered, so that a new field leaves the keys of rows without it as they were. The
 * currency is no part of who an organization is.
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

/** The values of a row by field, as the cells have them, folded (`cellValue`). */
export type Values = Readonly<Partial<Record<Field, string>>>;

/**
 * The identity of a row: the first 128 bits of SHA-256 over the service and the row's values, as 32
 * hexadecimal digits. It stands for what is written, not for what is made of it, so it is the same
 * with every version of Node.
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
