import { hash } from 'node:crypto';
import type { Identifier } from '../registration/fields.ts';

/*
 * The fields that identify an organization. Two registrations mean the same organization if these
 * fields agree after normalization. Industry, kind of name and currency do not identify it. Never
 * change this table: an organization would get a second id.
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

/** Computes the identity of an organization: 128 bits of a hash of its fields, as 32 hex digits. */
export function identityOf(identifier: Identifier): string {
  const fields = parts.map(([field, normalize]) => {
    const value = identifier[field];
    return typeof value === 'string' ? normalize(value) : '';
  });
  // JSON separates the fields and keeps lone surrogates distinct; plain UTF-8 does neither.
  return hash('sha256', JSON.stringify([1, ...fields]), 'hex').slice(0, 32);
}

/** Normalizes Unicode composition, white space and case, which do not change a name. */
export function folded(text: string): string {
  return text.normalize('NFC').replace(/\s+/gu, ' ').trim().toLowerCase();
}

function site(text: string): string {
  return folded(text).replace(/^(?:https?:\/\/)?(?:www\.)?|\/+$/gu, '');
}

function code(text: string): string {
  return text.replace(/[\s-]+/gu, '').toUpperCase();
}

/**
 * Draws one of the four numbers of an identity, from 0 to below 1. A record depends only on them,
 * so that it never changes.
 */
export function draw(identity: string, index: 0 | 1 | 2 | 3): number {
  return Number.parseInt(identity.slice(index * 8, index * 8 + 8), 16) / 2 ** 32;
}
