/*
 * Makes values of the user's file and of records comparable. A value matches only exactly: a
 * similar name may belong to another organization.
 */
import { normalizeCell } from '../../table/cell.ts';
import type { SpendRow } from '../spend/spend-rows.ts';

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

/** Checks whether two countries may be the same: they are equal, or one is unknown. */
export function isSameCountry(row: string | undefined, record: string | null | undefined): boolean {
  return row === undefined || !record || row.toUpperCase() === record.trim().toUpperCase();
}
