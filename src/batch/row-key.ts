import { hash } from 'node:crypto';
import { type Field, identifierFields } from '../registration/fields.ts';

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
