import type { OrganizationId } from '../../api/ids.ts';
import type { Query } from '../../query/query.ts';
import { TopRows } from '../../query/top-rows.ts';
import { LatestRecords } from '../../records/latest-records.ts';
import type { CsvSource } from '../output/csv-source.ts';
import type { Selected, Shown } from './read-row.ts';
import { SelectionCounts } from './selection-counts.ts';

/** The latest record of each organization that a query selects, in its order. */
export class LatestRows<Item> {
  readonly #query: Query<CsvSource>;
  readonly #records = new LatestRecords<Selected<Item> | undefined>();
  /** Complete after `rows`. */
  readonly counts: SelectionCounts;

  constructor(query: Query<CsvSource>) {
    this.#query = query;
    this.counts = new SelectionCounts(query);
  }

  /** Adds a record, undefined if the query does not select it. */
  add(
    selected: Selected<Item> | undefined,
    key: OrganizationId | undefined,
    retrievedAt?: string,
  ): void {
    this.#records.add(selected, key, retrievedAt);
  }

  /** Yields the rows in the order of the query. */
  *rows(): Generator<Shown<Item>, void, void> {
    const { order, top } = this.#query;
    const sorted = order && new TopRows<Selected<Item>>(order, top);
    for (const selected of this.#records.values()) {
      const isShown = this.counts.add(selected !== undefined);
      if (selected === undefined) continue;
      if (sorted !== undefined) sorted.add(selected.keys, selected);
      else if (isShown) yield selected;
    }
    yield* sorted?.result() ?? [];
  }
}
