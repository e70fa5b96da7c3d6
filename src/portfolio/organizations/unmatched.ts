/* Tells which records have no match; apart, because a run of a list reads nothing else of them. */
import type { Organization } from '../../client/api/schema.ts';

/**
 * Checks whether research has ended without a matched organization, so that nothing is known of
 * what the one that was meant discloses.
 */
export function isUnmatched({ status, matching_organization: match }: Organization): boolean {
  const isNamed = typeof match?.name === 'string' && match.name.trim() !== '';
  return status === 'synced' && match?.id == null && !isNamed;
}
