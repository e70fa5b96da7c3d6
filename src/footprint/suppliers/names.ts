/*
 * Makes names and codes of the user's file and of records comparable. A value matches only exactly,
 * or as an alias in another spelling: a similar name may belong to another organization.
 */
import type { OrganizationId } from '../../api/ids.ts';
import { aliasOf, compareNames } from '../../checks/names.ts';
import { normalizeCell } from '../../table/cell.ts';
import type { SpendRow } from '../spend/spend-file.ts';

/**
 * Returns the keys under which a row's external id, LEI, ISIN and D-U-N-S number match the
 * `external_id` of a record. Codes match with and without spaces, dots and hyphens.
 */
export function externalKeysOfRow({ externalId, lei, isin, duns }: SpendRow): string[] {
  const keys = new Set<string>();
  if (externalId !== undefined) keys.add(exactKey(externalId));
  for (const code of [lei, isin, duns]) if (code !== undefined) keys.add(codeKey(code));
  return [...keys];
}

/** Returns the keys under which rows match an `external_id` of a record. */
export function externalKeysOfRecord(externalId: string | null): readonly string[] {
  const own = normalizeCell(externalId ?? '');
  return own === '' ? [] : [exactKey(own), codeKey(own)];
}

function exactKey(value: string): string {
  return `=${value.toUpperCase()}`;
}

function codeKey(value: string): string {
  return `#${value.toUpperCase().replace(/[\s.-]+/g, '')}`;
}

/** Returns the key under which equal names match: without case and superfluous white space. */
export function nameKey(name: string | null | undefined): string | undefined {
  return normalizeCell(name ?? '').toLowerCase() || undefined;
}

/** Checks whether two names are spellings of one; a missing legal form does not matter. */
export function isSameName(first: string, second: string | null): boolean {
  return compareNames(aliasOf(first), aliasOf(second ?? '')) === 'equal';
}

/** Checks whether two countries may be the same: they are equal, or one is unknown. */
export function isSameCountry(row: string | undefined, record: string | null | undefined): boolean {
  return row === undefined || !record || row.toUpperCase() === record.trim().toUpperCase();
}

/**
 * Returns the key under which spellings of one name match: without marks, case, punctuation, spaces
 * and the word "and", with one spelling of each legal form.
 */
export function aliasKey(name: string | null | undefined): string | undefined {
  const { words, form } = aliasOf(name ?? '');
  return words.length === 0 ? undefined : `${words.join('')} ${form}`;
}

function plainName(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .replaceAll('.', '')
    .toLowerCase();
}

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
  readonly matched_by: 'id' | 'journal';
}

/** A supplier whose rows have different names and one ID. */
export interface SharedSupplier {
  readonly id: OrganizationId | null;
  readonly names: readonly string[];
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
  return (plainName(name).match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !commonWords.has(word));
}
