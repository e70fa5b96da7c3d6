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

/**
 * Computes the identity of an organization: 128 bits of SHA-256 over its normalized fields, as 32
 * hex digits.
 */
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
  return folded(text)
    .replace(/^https?:\/\//u, '')
    .replace(/^www\./u, '')
    .replace(/\/+$/u, '');
}

function code(text: string): string {
  return text.replace(/[\s-]+/gu, '').toUpperCase();
}

/*
 * Deterministic random numbers. Every synthetic figure comes from a stream that is seeded by an
 * identity and a topic, so that a record never changes and a new topic does not affect other
 * figures.
 */

/**
 * Creates a random number generator (sfc32) with results from 0 to below 1.
 *
 * @param identity 32 hex digits, the seed together with `topic`
 */
export function randomOf(identity: string, topic: string): () => number {
  let a = word(identity, 0);
  let b = word(identity, 1);
  let c = word(identity, 2);
  let counter = word(identity, 3) ^ hashOf(topic);
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
  for (let round = 0; round < 12; round++) next();
  return next;
}

/** Draws a number from `low` to below `high`. */
export function between(random: () => number, low: number, high: number): number {
  return low + random() * (high - low);
}

/** Draws one of the items with equal probability. */
export function pick<Item>(random: () => number, items: readonly [Item, ...Item[]]): Item {
  return items[Math.floor(random() * items.length)] ?? items[0];
}

function word(identity: string, index: number): number {
  return Number.parseInt(identity.slice(index * 8, index * 8 + 8), 16) | 0;
}

/** Computes the 32-bit FNV-1a hash. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash;
}
