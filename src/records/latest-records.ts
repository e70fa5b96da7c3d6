import { isDeepStrictEqual } from 'node:util';
import type { OrganizationId } from '../api/ids.ts';

interface Kept<Value> {
  readonly value: Value;
  readonly retrievedAt: string | undefined;
}

/**
 * Keeps a value for the latest record of each organization: the one that was retrieved last, never
 * the one that the input has last. Without both times, the later one of the input replaces an
 * earlier one that differs, and `undecided` names the organization.
 */
export class LatestRecords<Value> {
  readonly #kept = new Map<OrganizationId | symbol, Kept<Value>>();
  readonly #undecided = new Set<OrganizationId>();
  readonly #isSame: (a: Value, b: Value) => boolean;

  /** @param isSame checks whether two records of one organization differ in nothing that matters */
  constructor(isSame: (a: Value, b: Value) => boolean = isDeepStrictEqual) {
    this.#isSame = isSame;
  }

  /**
   * Adds a record; one without a key is a separate organization.
   * @param retrievedAt the time in ISO 8601, undefined if unknown
   */
  add(value: Value, key: OrganizationId | undefined, retrievedAt?: string): void {
    const earlier = key === undefined ? undefined : this.#kept.get(key);
    if (key !== undefined && earlier !== undefined) {
      const isTimed = earlier.retrievedAt !== undefined && retrievedAt !== undefined;
      if (isTimed && Date.parse(retrievedAt) < Date.parse(earlier.retrievedAt)) return;
      if (!isTimed && !this.#isSame(value, earlier.value)) this.#undecided.add(key);
      // The organization moves to the place of its latest record.
      this.#kept.delete(key);
    }
    this.#kept.set(key ?? Symbol(), { value, retrievedAt });
  }

  /** Number of organizations. */
  get size(): number {
    return this.#kept.size;
  }

  /** The ids of organizations with different records whose order is unknown. */
  get undecided(): readonly OrganizationId[] {
    return [...this.#undecided];
  }

  /** Yields the value of each organization, in the order of the latest records. */
  *values(): Generator<Value, void, void> {
    for (const { value } of this.#kept.values()) yield value;
  }

  /** Yields each organization with an id. */
  *entries(): Generator<readonly [OrganizationId, Value], void, void> {
    for (const [key, { value }] of this.#kept) if (typeof key !== 'symbol') yield [key, value];
  }
}
