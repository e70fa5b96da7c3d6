import type { OrganizationId } from '../../api/reference.ts';
import type { Key } from '../../organizations/key.ts';
import { unknownTarget } from '../calculation/target.ts';
import type { FactorChoice, Supplier, Uncovered } from '../ledger.ts';
import type { Match, NearTermTarget } from '../register-row.ts';
import { addDecimals, type Decimal } from '../spend/decimal.ts';

/** Maximum number of line numbers that a group keeps. */
export const maxLines = 20;
/* Above this number, a Map finds the group of a category. */
const maxListed = 16;

/** Lines of one category, with or without spend. */
export interface EntryGroup {
  readonly category: string | null;
  /** Undefined for lines without spend. */
  spend: Decimal | undefined;
  readonly lines: number[];
  lineCount: number;
}

/** Spend in one currency and year, which needs one factor. */
export class EntryNeed {
  readonly currency: string | null;
  readonly year: number | null;
  /* Replaced by its first item: V8 reserves space for 17 items at the first push to a list. */
  groups: readonly EntryGroup[] = none;
  /** The factor under both readings, or why there is none. */
  choice: FactorChoice | undefined;
  /** Currency of the record: 0 without a record, 1 another one, 2 that of the row or unknown. */
  fit: 0 | 1 | 2 = 0;
  /** Whether the record's `emission_factor` contradicts its disclosed figures. */
  isInconsistent = false;
  #byCategory: Map<string, EntryGroup> | undefined;

  constructor(currency: string | null, year: number | null) {
    this.currency = currency;
    this.year = year;
  }

  /** Adds lines with their exact sum; undefined for lines without spend. */
  add(
    category: string | null,
    spend: Decimal | undefined,
    lines: readonly number[],
    count: number,
  ): void {
    const group = this.#find(category, spend !== undefined);
    if (group === undefined) {
      this.#append({ category, spend, lines: lines.slice(0, maxLines), lineCount: count });
      return;
    }
    if (spend !== undefined && group.spend !== undefined) {
      group.spend = addDecimals(group.spend, spend);
    }
    group.lineCount += count;
    for (const line of lines) if (group.lines.length < maxLines) group.lines.push(line);
  }

  /** Adds the groups of another need, whose lines may come earlier. */
  absorb(other: EntryNeed): void {
    if (this.fit < other.fit) {
      this.choice = other.choice;
      this.fit = other.fit;
      this.isInconsistent = other.isInconsistent;
    }
    for (const { category, spend, lines, lineCount } of other.groups) {
      const group = this.#find(category, spend !== undefined);
      const first = [...(group?.lines ?? []), ...lines].sort((a, b) => a - b);
      if (group !== undefined) group.lines.length = 0;
      this.add(category, spend, first, lineCount);
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
    const { groups } = this;
    if (groups.length > maxListed) return this.#indexed().get(groupKey(category, hasSpend));
    return groups.find(
      (group) => group.category === category && (group.spend !== undefined) === hasSpend,
    );
  }

  #append(group: EntryGroup): void {
    this.groups = appended(this.groups, group);
    this.#byCategory?.set(groupKey(group.category, group.spend !== undefined), group);
  }

  #indexed(): Map<string, EntryGroup> {
    this.#byCategory ??= new Map(
      this.groups.map((group) => [groupKey(group.category, group.spend !== undefined), group]),
    );
    return this.#byCategory;
  }
}

const none: readonly never[] = [];

/* Adds to a list that no one else has, except for the empty one. */
function appended<Item>(list: readonly Item[], item: Item): readonly Item[] {
  if (list.length === 0) return [item];
  (list as Item[]).push(item);
  return list;
}

function groupKey(category: string | null, hasSpend: boolean): string {
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
  needs: readonly EntryNeed[] = none;
  /** The organization that external id or name matched. */
  organization: Key | undefined;
  /** All other organizations that matched as well. */
  rivals: Set<Key> | undefined;
  /** Why no factor is possible, whatever the records contain. */
  uncovered: Uncovered | undefined;

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

  /** Returns the need for a currency and a year, which it creates if necessary. */
  need(currency: string | null, year: number | null): EntryNeed {
    const known = this.needs.find((each) => each.currency === currency && each.year === year);
    if (known !== undefined) return known;
    const need = new EntryNeed(currency, year);
    this.needs = appended(this.needs, need);
    return need;
  }

  /** Adds another organization that matches as well as the first one. */
  addRival(organization: Key): void {
    this.rivals ??= new Set();
    this.rivals.add(organization);
  }

  /** Removes the spend, which another list has taken over. */
  release(): void {
    this.needs = none;
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
