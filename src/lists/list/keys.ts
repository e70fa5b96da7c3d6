/* The identity of a row, which journals keep. */
import { hash } from 'node:crypto';
import { identifierFields } from '../../client/registration/fields.ts';
import { keyVersion } from './columns.ts';
import type { Values } from './rows.ts';

const keyHead = `carbon row ${keyVersion}`;
const keyFields = identifierFields.filter(({ isIdentity }) => isIdentity).map(({ name }) => name);

/**
 * Computes the key of a row: the first 128 bits of SHA-256 over the service and the row's values,
 * as 32 hexadecimal digits. It depends on the cells, not on country codes derived from them, so
 * every version of Node computes the same key.
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
