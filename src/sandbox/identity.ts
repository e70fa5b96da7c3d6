import { hash } from 'node:crypto';
import type { Identifier } from '../api/schema.ts';
import { type Checked, checkDuns, checkIsin, checkLei } from '../registration/iso-codes.ts';

/*
 * Who an organization is. Two registrations are the same organization when these fields agree after
 * normalisation; industry, kind of name and currency describe it and do not make it another one.
 * The rule and its version never change: an identity that moved would be a second id.
 */
const parts: readonly (readonly [keyof Identifier, (text: string) => string])[] = [
  ['name', folded],
  ['hq_region', folded],
  ['hq_subregion', folded],
  ['hq_fuzzy', folded],
  ['website', site],
  ['external_id', (text) => text.normalize('NFC').trim()],
  ['duns_number', code],
  ['lei_number', code],
  ['isin_number', code],
  ['sp_global_number', code],
];

/**
 * Derives the identity of an organization: 128 bits of SHA-256 over its normalised fields, as 32
 * hex digits.
 */
export function identityOf(identifier: Identifier): string {
  const fields = parts.map(([field, normalise]) => {
    const value = identifier[field];
    return typeof value === 'string' ? normalise(value) : '';
  });
  // As JSON, because it keeps fields apart and lone surrogates distinct, which UTF-8 does not.
  return hash('sha256', JSON.stringify([1, ...fields]), 'hex').slice(0, 32);
}

/** Folds what people vary without meaning another name: Unicode composition, white space, case. */
export function folded(text: string): string {
  return text.normalize('NFC').replace(/\s+/gu, ' ').trim().toLowerCase();
}

function site(text: string): string {
  return folded(text)
    .replace(/^https?:\/\//u, '')
    .replace(/^www\./u, '')
    .replace(/\/+$/u, '');
}

function code(text: string): string {
  return text.replace(/[\s-]+/gu, '').toUpperCase();
}

const registers: readonly (readonly [keyof Identifier, (value: string) => Checked])[] = [
  ['duns_number', checkDuns],
  ['lei_number', checkLei],
  ['isin_number', checkIsin],
];

/**
 * Finds the number of a register that belongs to no organization: a D-U-N-S number that is not nine
 * digits or all zeros, a LEI (ISO 17442) or an ISIN (ISO 6166) whose check digits are wrong.
 */
export function unassignedNumber(identifier: Identifier): keyof Identifier | undefined {
  return registers.find(([field, check]) => {
    const value = identifier[field];
    if (typeof value !== 'string' || value.trim() === '') return false;
    const checked = check(value);
    return 'problem' in checked || /^0+$/u.test(checked.code);
  })?.[0];
}
