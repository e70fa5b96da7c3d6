import type { OrganizationId } from '../../api/ids.ts';
import { unknownTarget } from '../calculation/target.ts';
import type { UpstreamEvidence } from '../calculation/upstream-evidence.ts';
import type { FactorChoice, Supplier, Uncovered } from '../ledger.ts';
import type { Match, NearTermTarget } from '../register-row.ts';
import type { Decimal } from '../spend/decimal.ts';
import { EntryGroup, type GroupNeed } from './entry-group.ts';

/* Above this number, a Map finds the group of a category. */
const maxListed = 16;

/** Spend in one currency and year, which needs one factor. */
export class EntryNeed implements GroupNeed {
  readonly supplier: Supplier;
  readonly currency: string | null;
  readonly year: number | null;
  /* The only group, or a list of several: most needs have one. */
  #groups: EntryGroup | EntryGroup[] | undefined;
  /** The factor under both readings, or why there is none. */
  choice: FactorChoice | undefined;
  /** Currency of the record: 0 without a record, 1 another one, 2 that of the row or unknown. */
  fit: 0 | 1 | 2 = 0;
  /** Whether the record's `emission_factor` contradicts its disclosed figures. */
  isInconsistent = false;
  #byCategory: Map<string, EntryGroup> | undefined;

  constructor(supplier: Supplier, currency: string | null, year: number | null) {
    this.supplier = supplier;
    this.currency = currency;
    this.year = year;
  }

  get groups(): readonly EntryGroup[] {
    return listed(this.#groups);
  }

  get factors(): FactorChoice {
    if (this.choice === undefined) throw new Error('The factor is not chosen yet');
    return this.choice;
  }

  /** Adds a line with its spend; undefined for a line without spend. */
  add(category: string | null, spend: Decimal | undefined, line: number): void {
    const group = this.#find(category, spend !== undefined);
    if (group !== undefined) group.add(spend, line);
    else this.#append(new EntryGroup(this, category, spend, [line], 1));
  }

  /** Adds the groups of another need, whose lines may come earlier. */
  absorb(other: EntryNeed): void {
    if (this.fit < other.fit) {
      this.choice = other.choice;
      this.fit = other.fit;
      this.isInconsistent = other.isInconsistent;
    }
    for (const group of other.groups) {
      const { category, amount, lines, lineCount } = group;
      const known = this.#find(category, group.hasSpend);
      if (known !== undefined) known.absorb(group);
      else this.#append(new EntryGroup(this, category, amount, lines, lineCount));
    }
  }

  /** Sets the reason of a failed request. A record in another currency does not replace it. */
  fail(choice: FactorChoice): void {
    this.choice = choice;
    this.fit = 2;
  }

  /** Removes the factor. */
  reset(): void {
    this.choice = undefined;
    this.fit = 0;
    this.isInconsistent = false;
  }

  #find(category: string | null, hasSpend: boolean): EntryGroup | undefined {
    const groups = this.#groups;
    const isSame = (group: EntryGroup) =>
      group.category === category && group.hasSpend === hasSpend;
    if (!Array.isArray(groups)) return groups && isSame(groups) ? groups : undefined;
    if (groups.length <= maxListed) return groups.find(isSame);
    this.#byCategory ??= new Map(groups.map((group) => [groupKey(group), group]));
    return this.#byCategory.get(groupKeyOf(category, hasSpend));
  }

  #append(group: EntryGroup): void {
    this.#groups = appended(this.#groups, group);
    this.#byCategory?.set(groupKey(group), group);
  }
}

function listed<Item extends object>(items: Item | Item[] | undefined): readonly Item[] {
  if (items === undefined) return [];
  return Array.isArray(items) ? items : [items];
}

function appended<Item extends object>(items: Item | Item[] | undefined, item: Item) {
  if (items === undefined) return item;
  if (!Array.isArray(items)) return [items, item];
  items.push(item);
  return items;
}

function groupKey({ category, hasSpend }: EntryGroup): string {
  return groupKeyOf(category, hasSpend);
}

function groupKeyOf(category: string | null, hasSpend: boolean): string {
  return `${hasSpend ? 1 : 0}${category === null ? '' : `=${category}`}`;
}

/** A supplier while records are read. */
export class SupplierEntry implements Supplier {
  readonly name: string | null;
  /** Country in the user's file, as a code where possible. */
  readonly country: string | undefined;
  id: OrganizationId | null;
  recordName: string | null = null;
  matchedBy: Match | null;
  target: NearTermTarget = unknownTarget;
  retrievedAt: string | null = null;
  isSynthetic = false;
  /** The organization that external id or name matched. */
  organization: OrganizationId | undefined;
  /** All other organizations that matched as well. */
  rivals: Set<OrganizationId> | undefined;
  /** Why no factor is possible, whatever the records contain. */
  uncovered: Uncovered | undefined;
  /** What the latest record with the supplier's id shows about the upstream factor. */
  evidence: UpstreamEvidence | undefined;
  /* The only need, or a list of several. */
  #needs: EntryNeed | EntryNeed[] | undefined;

  constructor(
    name: string | null,
    country: string | undefined,
    id: OrganizationId | null,
    matchedBy: Match | null,
  ) {
    this.name = name;
    this.country = country;
    this.id = id;
    this.matchedBy = matchedBy;
  }

  get needs(): readonly EntryNeed[] {
    return listed(this.#needs);
  }

  /** Returns the need for a currency and a year, which it creates if necessary. */
  need(currency: string | null, year: number | null): EntryNeed {
    const known = this.needs.find((each) => each.currency === currency && each.year === year);
    if (known !== undefined) return known;
    const need = new EntryNeed(this, currency, year);
    this.#needs = appended(this.#needs, need);
    return need;
  }

  /** Adds another organization that matches as well as the first one. */
  addRival(organization: OrganizationId): void {
    this.rivals ??= new Set();
    this.rivals.add(organization);
  }

  /** Removes a match, because a record matches in a more certain way. */
  reset(): void {
    this.organization = undefined;
    this.rivals = undefined;
    this.forget();
    for (const need of this.needs) need.reset();
  }

  /** Removes what a record states about the supplier. */
  forget(): void {
    this.id = null;
    this.matchedBy = null;
    this.recordName = null;
    this.target = unknownTarget;
    this.retrievedAt = null;
    this.isSynthetic = false;
  }
}
