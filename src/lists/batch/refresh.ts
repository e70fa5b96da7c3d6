/*
 * Decides which records of a list to retrieve, and keeps what a retrieval found: a new record, a
 * new version, the same one, or that the service no longer has it.
 */
import type { OrganizationId, RecordReference } from '../../client/api/ids.ts';
import type { CarbonError } from '../../runtime/carbon-error.ts';
import type { Clock } from '../../runtime/clock.ts';
import { isInProgress, keyOf, type RecordKey } from '../kept/lines.ts';
import type { RecordStore, StoredEntry } from '../kept/store.ts';

/*
 * A record counts as old a little before its maximum age: two hours before one day. Otherwise a job
 * that runs every night would refresh it every second night, because a run takes some minutes and a
 * day has 23 hours when summer time begins.
 */
const oldShare = 11 / 12;

export class Refresh {
  readonly store: RecordStore;
  /** The currencies to keep, that of the views first; null for the service's default. */
  readonly currencies: readonly (string | null)[];
  /** Number of records that are due, and that this run has not come to. */
  remaining = 0;
  /** Organizations with a record whose earlier version was replaced. */
  readonly changed = new Set<OrganizationId>();
  /** Organizations that the service no longer has, since this run. */
  readonly removed = new Set<OrganizationId>();
  /** Organizations whose research failed, since this run, with their names. */
  readonly errored = new Map<OrganizationId, string>();
  readonly failed: (RecordKey & { readonly error: CarbonError })[] = [];
  /** Keys of the records that this run retrieved. */
  readonly retrieved = new Set<string>();
  readonly #maxAgeMs: number;
  readonly #clock: Clock;
  /* A record that gets old during the run is not due. */
  readonly #startedMs: number;
  /* Keys of the records that this run could not retrieve. */
  readonly #tried = new Set<string>();

  /**
   * @param given the currencies that the user chose, besides those of the store
   * @param maxAgeMs maximum age of a record; Infinity for records that never get old
   */
  constructor(store: RecordStore, given: readonly string[], maxAgeMs: number, clock: Clock) {
    this.store = store;
    this.#maxAgeMs = maxAgeMs;
    this.#clock = clock;
    this.#startedMs = clock.now();
    const stored = store.currencies;
    const wanted = given.length > 0 || stored.length > 0 ? given : [null];
    this.currencies = [...new Set([...wanted, ...stored])];
  }

  /** Checks whether a record is due, and this run has not retrieved it. */
  isDue(record: RecordKey): boolean {
    if (this.retrieved.has(keyOf(record))) return false;
    const head = this.store.head(record.id, record.currency);
    if (head?.hasRecord !== true || isInProgress(head)) return true;
    return isOld(this.#startedMs - Date.parse(head.retrievedAt), this.#maxAgeMs);
  }

  heads(ids: readonly OrganizationId[]): StoredEntry[] {
    return ids.flatMap((id) =>
      this.currencies.flatMap((currency) => this.store.head(id, currency) ?? []),
    );
  }

  /**
   * Returns the records to retrieve: those that the store has not, then those retrieved longest
   * ago, without those that this run has come to. All of them remain.
   * @param ids the organizations of the list, each once
   */
  findDue(ids: readonly OrganizationId[]): readonly RecordKey[] {
    const missing: RecordKey[] = [];
    const known: StoredEntry[] = [];
    for (const id of ids)
      for (const currency of this.currencies) {
        const key = keyOf({ id, currency });
        if (this.#tried.has(key) || !this.isDue({ id, currency })) continue;
        const head = this.store.head(id, currency);
        if (head?.hasRecord === true) known.push(head);
        else missing.push({ id, currency });
      }
    known.sort((a, b) => Date.parse(a.retrievedAt) - Date.parse(b.retrievedAt));
    this.remaining = missing.length + known.length;
    return [...missing, ...known];
  }

  /**
   * Keeps a retrieved record.
   * @param received status of the research and name in it
   * @param json the record as received, on one line
   * @throws LocalError if the store cannot be written
   */
  async take(
    record: RecordKey,
    { status, name = '' }: RecordReference,
    json: string,
  ): Promise<void> {
    const head = this.store.head(record.id, record.currency);
    const isChanged = await this.store.put(record, this.#now(), { status, json });
    this.retrieved.add(keyOf(record));
    // The end of the first research is no change of what was known.
    if (isChanged && head !== undefined && !isInProgress(head)) this.changed.add(record.id);
    if (status === 'errored' && head?.status !== 'errored') this.errored.set(record.id, name);
  }

  /**
   * Keeps that the service has no such record, or only counts another failure.
   * @throws LocalError if the store cannot be written
   */
  async fail(record: RecordKey, error: CarbonError): Promise<void> {
    const head = this.store.head(record.id, record.currency);
    const isMissing = error.code === 'not_found';
    this.#tried.add(keyOf(record));
    if (isMissing) await this.store.remove(record, this.#now());
    if (!isMissing || head === undefined) this.failed.push({ ...record, error });
    else if (!head.isRemoved) this.removed.add(record.id);
  }

  #now(): string {
    return new Date(this.#clock.now()).toISOString();
  }
}

/* A clock that was wrong may have written a time in the future. */
function isOld(ageMs: number, maxAgeMs: number): boolean {
  return maxAgeMs !== Number.POSITIVE_INFINITY && (ageMs < 0 || ageMs >= maxAgeMs * oldShare);
}
