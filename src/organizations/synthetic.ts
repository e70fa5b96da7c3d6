import type { Organization } from '../api/schema.ts';

/** Checks whether a record is synthetic data from the sandbox. */
export function isSynthetic(record: Organization): boolean {
  return 'sandbox' in record && record.sandbox === 'synthetic';
}
