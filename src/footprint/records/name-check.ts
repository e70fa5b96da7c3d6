/*
 * Compares the names of suppliers with those of the records that an id column selected: numbers of
 * the user's own would select other organizations.
 */
import type { OrganizationId } from '../../api/ids.ts';

/** Suppliers whose record has another name. */
export interface NameDifferences {
  readonly suppliers: number;
  readonly example?: NameDifference | undefined;
}

/** A supplier and the name in the record with its id. */
export interface NameDifference {
  readonly supplier: string;
  readonly id: OrganizationId | null;
  readonly name: string;
}

/** Legal forms and other words that names of different organizations share. */
const commonWords = new Set(
  (
    'ab ag and as asa bv co company corp corporation de gmbh group gruppe holding inc kg kgaa ' +
    'limited llc llp lp ltd mbh nv of oy oyj plc pte pty sa sarl sas se sl spa srl the und'
  ).split(' '),
);

/**
 * Checks whether two names have no word in common, except for legal forms. Neither has to be
 * complete: `Nordwind` and `Nordwind Stahl GmbH` may be one organization.
 */
export function areOtherNames(first: string, second: string): boolean {
  const [a, b] = [wordsOf(first), wordsOf(second)];
  if (a.length === 0 || b.length === 0) return false;
  // Names without spaces, as in Japanese, and names with other spaces.
  const [joinedA, joinedB] = [a.join(''), b.join('')];
  if (joinedA.includes(joinedB) || joinedB.includes(joinedA)) return false;
  return !a.some((word) => b.includes(word));
}

function wordsOf(name: string): string[] {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('.', '').toLowerCase();
  return (plain.match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !commonWords.has(word));
}
