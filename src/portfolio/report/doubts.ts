/* Finds the records that may be of another organization than the one in the list. */
import type { Finding } from '../checks/findings.ts';
import type { Entry } from './entry.ts';

/** What identifies an organization, and the one that it was matched to. */
export type Identified = Pick<Entry, 'id' | 'name' | 'matched' | 'otherNames'>;

/**
 * Returns the errors about matches that organizations share. Records of one matched organization
 * are rare, so that the comparison of names is loaded only with the first ones.
 */
export async function findDoubts<Item extends Identified>(
  entries: Iterable<Item>,
): Promise<ReadonlyMap<Item, Finding>> {
  const byMatch = new Map<string, Item[]>();
  for (const entry of entries) {
    const { matched, id } = entry;
    if (matched === undefined || id === undefined) continue;
    const known = byMatch.get(matched);
    if (known === undefined) byMatch.set(matched, [entry]);
    else known.push(entry);
  }
  const shared = [...byMatch.values()].filter(({ length }) => length > 1).flat();
  if (shared.length === 0) return new Map();
  const { isAliasOfMatch, SharedMatches } = await import('../checks/check-records.ts');
  const matches = new SharedMatches();
  const byId = new Map(shared.map((entry) => [entry.id, entry]));
  for (const { id = '', name, matched: match, otherNames: names } of shared) {
    const isAlias =
      names === undefined || name === undefined ? undefined : isAliasOfMatch(name, names);
    const isSame = name !== undefined && names === undefined ? true : isAlias;
    matches.add(id, { name, matching_organization: names ?? { id: match, name } }, isSame);
  }
  return new Map(
    matches.findings().flatMap((finding): (readonly [Item, Finding])[] => {
      const entry = finding.severity === 'error' ? byId.get(finding.id ?? '') : undefined;
      return entry === undefined ? [] : [[entry, finding]];
    }),
  );
}
