/*
 * Collects what was spent with each supplier. A supplier is all rows with one ID; rows without an
 * ID that have the same key are one supplier too.
 */
import { comparableId, type OrganizationId } from '../../api/ids.ts';
import type { FindingSummary } from '../../checks/findings.ts';
import { aliasOf, compareNames } from '../../checks/names.ts';
import { flattenString } from '../../runtime/flatten-string.ts';
import { normalizeCell } from '../../table/cell.ts';
import { type Decimal, sumOf } from '../decimal.ts';
import type { FactorChoice } from '../factors/choose.ts';
import type { Evidence } from '../factors/figures.ts';
import { type Match, matchWords, type NearTermTarget, type Uncovered } from '../line-item.ts';
import type { SpendRow } from '../spend/spend-file.ts';

/** What a footprint needs of a record besides its factor. */
export interface RecordFacts {
  readonly id: OrganizationId | null;
  readonly name: string | null;
  readonly target: NearTermTarget;
  /** Time when the record was retrieved, ISO 8601. */
  readonly retrievedAt: string | null;
  readonly isSynthetic: boolean;
  readonly evidence: Evidence;
  /** What the rules of `carbon check` find in the figures, if a factor comes from them. */
  checks: FindingSummary | undefined;
}

/** The lines of one supplier, currency, year and category, with or without spend. */
export interface SpendGroup {
  supplier: Supplier;
  /** The name in these lines; that of the supplier unless it is clearly another one. */
  name: string | null;
  readonly currency: string | null;
  readonly year: number | null;
  category: string | null;
  /** Exact sum of the lines; null without spend. */
  spend: Decimal | null;
  lines: number[];
  /** The least certain way in which a line was matched. */
  matchedBy: Match | null;
  /** The factor, or why there is none; undefined without a record. */
  choice: FactorChoice | undefined;
  /** The record of the factor. */
  record: RecordFacts | undefined;
  /** Currency of the record: 0 without a record, 1 another one, 2 that of the group or unknown. */
  fit: 0 | 1 | 2;
}

/** All rows of one supplier. */
export interface Supplier {
  /** Name in the user's file, on the first row. */
  readonly name: string | null;
  /** Country in the user's file, as a code where possible. */
  readonly country: string | undefined;
  id: OrganizationId | null;
  /** All spellings of the name, and the keys of external IDs, of a supplier without an ID. */
  names: string[];
  externalKeys: string[];
  readonly groups: Map<string, SpendGroup>;
  /** How a record without the ID of the file matched: by external ID or name. */
  way: 'external_id' | 'name' | undefined;
  /** The organizations that matched in this way; several are ambiguous. */
  organizations: readonly OrganizationId[];
  /** Why no factor is possible, whatever the records contain. */
  uncovered: Uncovered | undefined;
}

/** What was spent with each supplier. */
export class SpendLedger {
  /** All suppliers in the order of their first rows. */
  suppliers: Supplier[] = [];
  readonly #byId = new Map<OrganizationId, Supplier>();
  /* The suppliers without an ID. */
  readonly #byKey = new Map<string, Supplier>();

  /** Adds a row. */
  add(row: SpendRow): void {
    const { currency = null, year = null, category = null } = row;
    const supplier = this.#supplierOf(row);
    addToGroup(supplier, {
      supplier,
      name: row.name ?? null,
      currency,
      year,
      category,
      spend: row.spend ?? null,
      lines: [row.line],
      matchedBy: row.id === undefined ? null : row.isRecorded ? 'journal' : 'id',
      choice: undefined,
      record: undefined,
      fit: 0,
    });
  }

  /** Returns the supplier with an ID; undefined if no row has it. */
  find(id: OrganizationId): Supplier | undefined {
    return this.#byId.get(id);
  }

  /**
   * Joins each supplier without an ID with the only supplier that has an equal alias, in the same
   * or an unknown country. Suppliers with different IDs are never joined.
   *
   * @returns the spellings that joined another
   */
  joinAliases(): readonly Joined[] {
    if (this.suppliers.every(({ id }) => id !== null)) return [];
    const byAlias = new Map<string, Supplier[]>();
    for (const supplier of this.suppliers) {
      const key = aliasKey(supplier.name);
      if (key === undefined) continue;
      const same = byAlias.get(key);
      if (same === undefined) byAlias.set(key, [supplier]);
      else same.push(supplier);
    }
    const joined: Joined[] = [];
    const gone = new Set<Supplier>();
    for (const same of byAlias.values()) {
      if (same.length === 1) continue;
      const identified = same.filter(({ id }) => id !== null);
      for (const supplier of same) {
        if (supplier.id !== null) continue;
        const fitting = (identified.length > 0 ? identified : same.slice(0, 1)).filter((each) =>
          isSameCountry(supplier.country, each.country),
        );
        const [first] = fitting;
        if (first === undefined || first === supplier || fitting.length > 1) continue;
        join(first, supplier);
        gone.add(supplier);
        joined.push({ name: supplier.name ?? '', to: first.name ?? '' });
      }
    }
    if (gone.size > 0) this.suppliers = this.suppliers.filter((supplier) => !gone.has(supplier));
    return joined;
  }

  #supplierOf(row: SpendRow): Supplier {
    if (row.id !== undefined) {
      const id = comparableId(row.id);
      const supplier = this.#byId.get(id) ?? this.#create(row, id);
      this.#byId.set(id, supplier);
      return supplier;
    }
    const known = this.#byKey.get(row.key);
    if (known !== undefined) return known;
    const supplier = this.#create(row, null);
    this.#byKey.set(row.key, supplier);
    if (row.isRefused) supplier.uncovered = rejected;
    supplier.names = supplier.name === null ? [] : [supplier.name];
    supplier.externalKeys = externalKeysOfRow(row);
    return supplier;
  }

  #create({ name, region }: SpendRow, id: OrganizationId | null): Supplier {
    const supplier: Supplier = {
      // The string is a part of the text of the file, which it would keep in memory.
      name: name === undefined ? null : flattenString(name),
      country: region,
      id,
      names: [],
      externalKeys: [],
      groups: new Map(),
      way: undefined,
      organizations: [],
      uncovered: undefined,
    };
    this.suppliers.push(supplier);
    return supplier;
  }
}

/** A spelling of a name that joined another. */
export interface Joined {
  readonly name: string;
  readonly to: string;
}

function join(first: Supplier, other: Supplier): void {
  for (const group of other.groups.values()) {
    group.matchedBy = first.id === null ? null : 'alias';
    group.name = first.name;
    addToGroup(first, group);
  }
  if (first.id !== null) return;
  first.names.push(...other.names);
  first.externalKeys.push(...other.externalKeys);
  first.uncovered ??= other.uncovered;
}

/** Adds lines to the group of a supplier with their currency, year and category. */
export function addToGroup(supplier: Supplier, lines: SpendGroup): void {
  const { currency, year, category, spend } = lines;
  const isOther =
    lines.name !== null && lines.name !== supplier.name && !isSameName(lines.name, supplier.name);
  // The string is a part of the text of the file, which it would keep in memory.
  lines.name = isOther ? flattenString(lines.name ?? '') : supplier.name;
  const other = isOther ? `\n\n${aliasKey(lines.name)}` : '';
  const key = `${currency ?? ''}\n${year ?? ''}\n${spend === null ? 0 : 1}${category ?? '\n'}${other}`;
  const group = supplier.groups.get(key);
  if (group === undefined) {
    lines.supplier = supplier;
    if (category !== null) lines.category = flattenString(category);
    supplier.groups.set(key, lines);
    return;
  }
  if (group.spend !== null && spend !== null) group.spend = sumOf(group.spend, spend);
  if (lines.lines[0] !== undefined && lines.lines[0] < (group.lines.at(-1) ?? 0))
    group.lines = [...group.lines, ...lines.lines].sort((a, b) => a - b);
  else for (const line of lines.lines) group.lines.push(line);
  group.matchedBy = lessCertain(group.matchedBy, lines.matchedBy);
  if (group.fit < lines.fit) {
    group.choice = lines.choice;
    group.record = lines.record;
    group.fit = lines.fit;
  }
}

function lessCertain(a: Match | null, b: Match | null): Match | null {
  if (a === b || a === null || b === null) return a ?? b;
  const order = Object.keys(matchWords);
  return order.indexOf(a) > order.indexOf(b) ? a : b;
}

const rejected: Uncovered = {
  reason: 'not_registered',
  detail: 'the service rejected the registration of this row',
};

/* Names and codes match only exactly, or as an alias in another spelling. */

/**
 * Returns the keys under which a row's external id, LEI, ISIN and D-U-N-S number match the
 * `external_id` of a record. Codes match with and without spaces, dots and hyphens.
 */
function externalKeysOfRow({ externalId, lei, isin, duns }: SpendRow): string[] {
  const keys = new Set<string>();
  if (externalId !== undefined) keys.add(exactKey(externalId));
  for (const code of [lei, isin, duns]) if (code !== undefined) keys.add(codeKey(code));
  return [...keys];
}

/** Returns the keys under which rows match an `external_id` of a record. */
export function externalKeysOfRecord(externalId: string | null | undefined): readonly string[] {
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
export function nameKey(name: string | null | undefined): string {
  return normalizeCell(name ?? '').toLowerCase();
}

/** Checks whether two names are spellings of one; a missing legal form does not matter. */
function isSameName(first: string, second: string | null): boolean {
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
function aliasKey(name: string | null | undefined): string | undefined {
  const { words, form } = aliasOf(name ?? '');
  return words.length === 0 ? undefined : `${words.join('')} ${form}`;
}
