/*
 * Decides which records of a list to retrieve, and keeps what a retrieval found: a new record, a
 * new version, the same one, or that the service no longer has it.
 */
import type { OrganizationId } from '../api/ids.ts';
import type { CarbonError } from '../runtime/carbon-error.ts';
import type { Clock } from '../runtime/clock.ts';
import { isInProgress, keyOf, type RecordStore, type StoredHead } from './store.ts';

/** A record to retrieve: an organization, in a currency or in the service's default. */
export type DueRecord = Pick<StoredHead, 'id' | 'currency'>;

/** The records to retrieve, by the reason. */
export interface DueRecords {
  /** Records that the store has not, then those retrieved longest ago. */
  readonly records: readonly DueRecord[];
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
  const missing: DueRecord[] = [];
  const known: { readonly record: DueRecord; readonly at: number }[] = [];
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
      if (isOpen || nowMs - at >= maxAgeMs * oldShare) known.push({ record: { id, currency }, at });
    }
  }
  known.sort((a, b) => a.at - b.at);
  return {
    records: [...missing, ...known.map(({ record }) => record)],
    missing: missing.length,
    inProgress,
    old: known.length - inProgress,
  };
}

/** What the service answered: a record on one line, that it has none, or another failure. */
export type Answer =
  | { readonly status: string | undefined; readonly json: string }
  | { readonly isMissing: true; readonly error: CarbonError }
  | { readonly isMissing: false; readonly error: CarbonError };

/** A record that was not retrieved. */
export interface FailedRetrieval extends DueRecord {
  readonly error: CarbonError;
}

/** Puts the answers of the service into a store, and counts them. */
export class Refresh {
  readonly counts = { retrieved: 0, changed: 0 };
  /** Organizations that the service no longer has, since this run. */
  readonly removed: OrganizationId[] = [];
  /** Organizations whose research failed, since this run. */
  readonly errored: OrganizationId[] = [];
  readonly failed: FailedRetrieval[] = [];
  /* Keys of the records that this run retrieved, and of all that the service answered for. */
  readonly #retrieved = new Set<string>();
  readonly #answered = new Set<string>();
  readonly #store: RecordStore;
  readonly #clock: Clock;

  constructor(store: RecordStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Number of records that the service answered for. */
  get answered(): number {
    return this.#answered.size;
  }

  /** Checks whether this run retrieved a record. */
  has(record: DueRecord): boolean {
    return this.#retrieved.has(keyOf(record));
  }

  /**
   * Keeps one answer.
   * @throws LocalError if the store cannot be written
   */
  async take(record: DueRecord, answer: Answer): Promise<void> {
    const { id, currency } = record;
    const head = this.#store.head(id, currency);
    this.#answered.add(keyOf(record));
    const at = new Date(this.#clock.now()).toISOString();
    if ('json' in answer) {
      const stored = await this.#store.put(record, at, answer);
      this.#retrieved.add(keyOf(record));
      this.counts.retrieved = this.#retrieved.size;
      // The end of the first research is no change of what was known.
      const isKnown = head !== undefined && !isInProgress(head);
      if (stored === 'changed' && isKnown) this.counts.changed += 1;
      if (answer.status === 'errored' && head?.status !== 'errored') this.errored.push(id);
      return;
    }
    if (answer.isMissing) await this.#store.remove(record, at);
    if (answer.isMissing && head !== undefined) {
      if (!head.isRemoved) this.removed.push(id);
    } else this.failed.push({ ...record, error: answer.error });
  }
}
