/* Finds the records that may be of another organization than the one in the list. */
import type { Finding } from '../checks/findings.ts';
import type { ListedNames } from '../organizations/matches.ts';
import type { Entry } from './entry.ts';

/** What identifies an organization, and the one that it was matched to. */
export type Identified = Pick<Entry, 'id' | 'name' | 'matched' | 'otherNames'> & {
  /** What the rows of a list call it. */
  readonly listed?: Entry['listed'];
};

/**
 * Returns the errors about matches: of those that no row of a list has a name of, and of those that
 * organizations share. Both are rare, so that the comparison of names is loaded only with the first
 * ones.
 */
export async function findDoubts<Item extends Identified>(
  entries: Iterable<Item>,
): Promise<ReadonlyMap<Item, Finding>> {
  const byMatch = new Map<string, Item[]>();
  const listed = new Map<Item, ListedNames>();
  for (const entry of entries) {
    const { matched, id } = entry;
    if (typeof entry.listed === 'object') listed.set(entry, entry.listed);
    if (matched === undefined || id === undefined) continue;
    const known = byMatch.get(matched);
    if (known === undefined) byMatch.set(matched, [entry]);
    else known.push(entry);
  }
  const shared = [...byMatch.values()].filter(({ length }) => length > 1).flat();
  const doubts = new Map<Item, Finding>();
  if (shared.length + listed.size === 0) return doubts;
  const { checkMatches, isAliasOfListed, isAliasOfMatch, SharedMatches } = await import(
    '../checks/check-records.ts'
  );
  for (const [entry, { names, match }] of listed) {
    const record = { id: entry.id, name: entry.name, matching_organization: match };
    const errors = names.map((name) =>
      checkMatches(record, [{ name }]).find(({ severity }) => severity === 'error'),
    );
    // One name that fits is enough.
    const [first] = errors;
    if (first !== undefined && !errors.includes(undefined)) doubts.set(entry, first);
  }
  const matches = new SharedMatches();
  const byId = new Map(shared.map((entry) => [entry.id, entry]));
  const isAlias = ({ name, otherNames: names, listed: rows }: Item) => {
    if (rows === 'equal') return true;
    if (rows !== undefined) {
      const record = { name, matching_organization: rows.match };
      return isAliasOfListed(
        record,
        rows.names.map((each) => ({ name: each })),
      );
    }
    if (name === undefined) return undefined;
    return names === undefined ? true : isAliasOfMatch(name, names);
  };
  for (const entry of shared) {
    const { id = '', name, matched: match, otherNames: names } = entry;
    matches.add(id, { name, matching_organization: names ?? { id: match, name } }, isAlias(entry));
  }
  for (const finding of matches.findings()) {
    const entry = finding.severity === 'error' ? byId.get(finding.id ?? '') : undefined;
    if (entry !== undefined && !doubts.has(entry)) doubts.set(entry, finding);
  }
  return doubts;
}
