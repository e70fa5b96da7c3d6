/* Records of one matched organization have its figures, which a sum counts once. */
import type { Organization } from '../../client/api/schema.ts';
import { hasEmissions } from './history.ts';
import { isUnmatched } from './unmatched.ts';

/** What a sum needs to know of a record. */
export interface Summed {
  /** The matched organization; undefined without one. */
  readonly matched: string | undefined;
  /** Whether it has any figure to add up. */
  readonly hasFigures: boolean;
}

/** Returns what identifies the matched organization of a record. */
export function matchOf({ matching_organization: match }: Organization): string | undefined {
  return match?.id === null || match?.id === undefined ? undefined : String(match.id);
}

/**
 * Checks whether nothing tells whose record it is: neither a matched organization nor emissions.
 * What it says of targets may then be another organization's.
 */
export function isOfUnknown(record: Organization): boolean {
  return isUnmatched(record) && !hasEmissions(record);
}

/** What a name is compared with; undefined if it is the name of the match letter by letter. */
export type MatchNames = Organization['matching_organization'];

/**
 * Returns the names of the matched organization if the name of the record may be another one, so
 * that few are kept until all records are read.
 */
export function otherNames({ name, matching_organization: match }: Organization): MatchNames {
  if (match?.id == null || name === match.name) return undefined;
  const { id, names } = match;
  if (names?.some(({ value }) => value === name)) return undefined;
  return { id, name: match.name, names };
}

/** What rows of a list call an organization, and the names of its match to compare them with. */
export interface ListedNames {
  readonly names: readonly string[];
  readonly match: MatchNames;
}

/**
 * Returns what rows of a list call the organization of a record: `equal` if a name is one of the
 * match letter by letter, so that few are kept until all records are read; undefined without names.
 */
export function listedNames(
  { name, matching_organization: match }: Organization,
  rows: readonly { readonly name: string | undefined }[],
): ListedNames | 'equal' | undefined {
  const listed = rows.flatMap((row) => row.name ?? []);
  if (listed.length === 0) return undefined;
  const names = [match?.name, ...(match?.names ?? []).map(({ value }) => value)];
  const known = names.some(Boolean) ? names : [name];
  if (listed.some((each) => known.includes(each))) return 'equal';
  return { names: listed, match: match && { id: match.id, name: match.name, names: match.names } };
}

/**
 * Finds the records whose figures the newest record of the same matched organization has as well.
 * Without both times, the later one of the input is the newer one; a record without figures
 * replaces none.
 *
 * @param records the records with the times of their retrieval, ISO 8601
 */
export function repeatedRecords<Item extends Summed>(
  records: Iterable<readonly [item: Item, retrievedAt: string | undefined]>,
): ReadonlySet<Item> {
  const newest = new Map<string, readonly [Item, string | undefined]>();
  const repeated = new Set<Item>();
  for (const record of records) {
    const [item, time] = record;
    if (item.matched === undefined || !item.hasFigures) continue;
    const known = newest.get(item.matched);
    const isOlder = Date.parse(time ?? '') < Date.parse(known?.[1] ?? '');
    if (known !== undefined) repeated.add(isOlder ? item : known[0]);
    if (!isOlder) newest.set(item.matched, record);
  }
  return repeated;
}
