/* The rows of a file that are found together, and which of them a record matches. */
import { comparableId, type OrganizationId } from '../../client/api/ids.ts';
import type { Organization } from '../../client/api/schema.ts';
import { normalizeCell } from '../../lists/table/cell.ts';
import { flattenString } from '../../runtime/flatten-string.ts';
import type { Match } from './line-item.ts';
import type { SpendRow } from './spend/spend-file.ts';
import type { Group, Supplier } from './supplier-groups.ts';

/** Rows that are found together. */
export interface Candidate extends Supplier {
  /** What distinguishes it from others with its first key: identifiers, or a name's country. */
  readonly identity: string;
  readonly country: string | undefined;
  readonly way: Match;
  /** Whether the service rejected all its rows; the next run sends the others. */
  isRejected: boolean;
  groups: Group[];
  /** The organizations whose records match. */
  found: readonly OrganizationId[];
}

const nobody: readonly never[] = [];

/** Finds candidates by the ID, the identifiers or the name and country of a row or a record. */
export class Candidates {
  /** In the order of their first rows. */
  readonly all: Candidate[] = [];
  /* Those without ID and identifiers, and those with one. */
  readonly #byName = new Map<OrganizationId, Candidate[]>();
  readonly #byKey = new Map<OrganizationId, Candidate[]>();

  /** Returns the candidate of a row: a new one unless it is known. */
  of(row: SpendRow, nameKey: string): Candidate {
    const { id, name, region: country } = row;
    const codes = id === undefined ? codeKeys(row.externalId, row.identifiers) : [];
    const isNamed = id === undefined && codes.length === 0;
    const all = codes.join('\n');
    const named = nameKey === '' ? [] : [nameKey];
    const coded = codes.length > 1 ? [all, ...codes] : codes;
    const keys = id !== undefined ? [idKey(id)] : isNamed ? named : coded;
    const identity = (isNamed ? country : all) ?? '';
    const [first = ''] = keys;
    const candidates = isNamed ? this.#byName : this.#byKey;
    const known = candidates.get(first)?.find((each) => each.identity === identity);
    if (known !== undefined) {
      known.isRejected &&= row.isRejected;
      return known;
    }
    const byId = row.isRecorded ? 'journal' : 'id';
    const candidate: Candidate = {
      identity,
      id: id === undefined ? null : comparableId(id),
      name: name === undefined ? null : flattenString(name),
      country,
      way: id !== undefined ? byId : isNamed ? 'name' : 'external_id',
      isRejected: row.isRejected,
      groups: [],
      found: nobody,
    };
    this.all.push(candidate);
    for (const key of keys) {
      const found = candidates.get(key);
      const kept = typeof key === 'string' ? flattenString(key) : key;
      if (found === undefined) candidates.set(kept, [candidate]);
      else found.push(candidate);
    }
    return candidate;
  }

  /** Finds those that a record matches. */
  matching(record: Organization, key: OrganizationId | undefined): Iterable<Candidate> {
    const own = normalizeCell(record.external_id ?? '');
    // So it is in most files of 100,000 rows, and an ID has one candidate.
    if (own === '' && this.#byName.size === 0)
      return (key === undefined ? undefined : this.#byKey.get(idKey(key))) ?? nobody;
    const codes = own === '' ? [] : codeKeys(own, [own]);
    const keys = [key === undefined ? '' : idKey(key), ...codes];
    const hasNames = this.#byName.size > 0;
    const named = (hasNames && this.#byName.get(nameKeyOf(record.name))) || [];
    return new Set([
      ...keys.flatMap((each) => this.#byKey.get(each) ?? []),
      ...named.filter(({ country }) => isSameCountry(country, record.hq_region)),
    ]);
  }

  /** Finds the candidates of others that are the same suppliers. */
  pairsWith(others: Candidates): ReadonlyMap<Candidate, Candidate> {
    const pairs = new Map<Candidate, Candidate>();
    for (const [own, theirs] of [
      [this.#byName, others.#byName],
      [this.#byKey, others.#byKey],
    ] as const)
      for (const [key, candidates] of theirs)
        for (const other of candidates) {
          const same = own.get(key)?.find(({ identity }) => identity === other.identity);
          if (same !== undefined) pairs.set(same, other);
        }
    return pairs;
  }
}

/* A number takes less memory than a text. */
function idKey(id: OrganizationId): OrganizationId {
  const key = comparableId(id);
  return typeof key === 'number' ? key : `id ${key}`;
}

/** Names match without case and superfluous white space. Upper case makes "ß" and "SS" one. */
export function nameKeyOf(name: string | null | undefined): string {
  return normalizeCell(name ?? '').toUpperCase();
}

/* LEI, ISIN and other codes match with and without spaces, dots and hyphens. */
function codeKeys(externalId: string | undefined, identifiers: readonly string[]): string[] {
  const own = externalId === undefined ? [] : [`own ${externalId.toUpperCase()}`];
  const codes = identifiers.map((code) => `code ${code.toUpperCase().replace(/[\s.-]+/g, '')}`);
  return [...own, ...codes];
}

/* Two countries may be the same if one is unknown. */
function isSameCountry(row: string | undefined, record: string | null | undefined): boolean {
  return row === undefined || !record || row.toUpperCase() === record.trim().toUpperCase();
}
