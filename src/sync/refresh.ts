/*
 * Decides which records of a list to retrieve, and keeps what a retrieval found: a new record, a
 * new version, the same one, or that the service no longer has it.
 */
import type { OrganizationId } from '../api/ids.ts';
import type { CarbonError } from '../runtime/carbon-error.ts';
import type { Clock } from '../runtime/clock.ts';
import { isInProgress, keyOf, type RecordKey, type RecordStore } from './store.ts';

/** The records to retrieve, by the reason. */
export interface DueRecords {
  /** Records that the store has not, then those retrieved longest ago. */
  readonly records: readonly RecordKey[];
  readonly missing: number;
  readonly inProgress: number;
  readonly old: number;
}

/** Which records to retrieve. */
export interface DueOptions {
  /** The organizations of the list, each once. */
  readonly ids: Iterable<OrganizationId>;
  readonly currencies: readonly (string | null)[];
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  /** Maximum age of a record in milliseconds; Infinity for records that never get old. */
  readonly maxAgeMs: number;
}

/*
 * A record counts as old a little before its maximum age: two hours before one day. Otherwise a job
 * that runs every night would refresh it every second night, because a run takes some minutes and a
 * day has 23 hours when summer time begins.
 */
const oldShare = 11 / 12;

/** Finds the records to retrieve. */
export function findDue(
  store: Pick<RecordStore, 'head'>,
  { ids, currencies, nowMs, maxAgeMs }: DueOptions,
): DueRecords {
  const missing: RecordKey[] = [];
  const known: (RecordKey & { readonly at: number })[] = [];
  let inProgress = 0;
  for (const id of ids) {
    for (const currency of currencies) {
      const head = store.head(id, currency);
      if (head?.hasRecord !== true) {
        missing.push({ id, currency });
        continue;
      }
      const at = Date.parse(head.retrievedAt);
      const isOpen = isInProgress(head);
      if (isOpen) inProgress += 1;
      const ageMs = nowMs - at;
      // A clock that was wrong may have written a time in the future.
      const isCurrent =
        maxAgeMs === Number.POSITIVE_INFINITY || (ageMs >= 0 && ageMs < maxAgeMs * oldShare);
      if (isOpen || !isCurrent) known.push({ id, currency, at });
    }
  }
  known.sort((a, b) => a.at - b.at);
  const old = known.length - inProgress;
  return { records: [...missing, ...known], missing: missing.length, inProgress, old };
}

/** A record that was not retrieved. */
export interface FailedRetrieval extends RecordKey {
  readonly error: CarbonError;
}

/** Keeps what a run retrieves in a store, and counts it. */
export class Refresh {
  /** Number of records whose earlier version was replaced. */
  changed = 0;
  /** Organizations that the service no longer has, since this run. */
  readonly removed: OrganizationId[] = [];
  /** Organizations whose research failed, since this run. */
  readonly errored: OrganizationId[] = [];
  readonly failed: FailedRetrieval[] = [];
  /* Keys of the records that this run retrieved. */
  readonly #retrieved = new Set<string>();
  readonly #store: RecordStore;
  readonly #clock: Clock;

  constructor(store: RecordStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Number of records that this run retrieved. */
  get retrieved(): number {
    return this.#retrieved.size;
  }

  /** Checks whether this run retrieved a record. */
  has(record: RecordKey): boolean {
    return this.#retrieved.has(keyOf(record));
  }

  /**
   * Keeps a retrieved record.
   * @param status status of the research in it
   * @param json the record as received, on one line
   * @throws LocalError if the store cannot be written
   */
  async take(record: RecordKey, status: string | undefined, json: string): Promise<void> {
    const { id, currency } = record;
    const head = this.#store.head(id, currency);
    const stored = await this.#store.put(record, this.#now(), { status, json });
    this.#retrieved.add(keyOf(record));
    // The end of the first research is no change of what was known.
    const isKnown = head !== undefined && !isInProgress(head);
    if (stored === 'changed' && isKnown) this.changed += 1;
    if (status === 'errored' && head?.status !== 'errored') this.errored.push(id);
  }

  /**
   * Keeps that the service has no such record, or only counts another failure.
   * @throws LocalError if the store cannot be written
   */
  async fail(record: RecordKey, error: CarbonError): Promise<void> {
    const { id, currency } = record;
    const head = this.#store.head(id, currency);
    const isMissing = error.code === 'not_found';
    if (isMissing) await this.#store.remove(record, this.#now());
    if (!isMissing || head === undefined) this.failed.push({ ...record, error });
    else if (!head.isRemoved) this.removed.push(id);
  }

  #now(): string {
    return new Date(this.#clock.now()).toISOString();
  }
}
