import { setImmediate } from 'node:timers/promises';
import type { OrganizationId } from '../../api/ids.ts';
import type { Order, RowKeys } from '../../query/order.ts';
import type { Query } from '../../query/query.ts';
import { TopRows } from '../../query/top-rows.ts';
import { LatestRecords } from '../../records/latest-records.ts';
import type { CsvSource } from '../output/csv-source.ts';
import { notSelected, readKeys, readShown } from './item-text.ts';
import type { Shown } from './read-row.ts';
import { SelectionCounts } from './selection-counts.ts';

const maxRowsPerTurn = 256;

/**
 * The latest record of each organization that a query selects, in its order. Memory holds keys; a
 * temporary file holds the items, which must survive JSON.
 */
export class LatestRows<Item> {
  readonly #query: Query<CsvSource>;
  readonly #signal: AbortSignal;
  readonly #records: LatestRecords;
  /* The keys of each record, with an order; undefined for a record that is not selected. */
  readonly #keys: (RowKeys | undefined)[] = [];
  /** Complete after `rows`. */
  readonly counts: SelectionCounts;

  /** @param signal aborts `rows` */
  constructor(query: Query<CsvSource>, signal: AbortSignal) {
    this.#query = query;
    this.#signal = signal;
    this.#records = new LatestRecords({ signal, withPositions: query.order !== undefined });
    this.counts = new SelectionCounts(query);
  }

  /**
   * Adds a record, which replaces an earlier one of its key. A record that the query does not
   * select replaces an earlier one, too.
   * @param text what `writeSelected` returned
   * @throws LocalError when the disk of the temporary file is full
   */
  add(text: string, key: OrganizationId | undefined): Promise<void> | undefined {
    const hasKeys = this.#query.order !== undefined;
    if (hasKeys) this.#keys.push(text === notSelected ? undefined : readKeys(text));
    return this.#records.add(text, key);
  }

  /**
   * Yields the rows in the order of the query.
   * @throws the reason of the signal after an abort
   */
  async *rows(): AsyncGenerator<Shown<Item>, void, void> {
    const { order } = this.#query;
    const texts = order === undefined ? this.#first() : this.#ordered(order);
    for await (const text of texts) yield readShown(text);
  }

  /** Frees the disk space. */
  close(): Promise<void> {
    return this.#records.close();
  }

  async *#first(): AsyncGenerator<string> {
    for await (const text of this.#records.latest())
      if (this.counts.add(text !== notSelected)) yield text;
  }

  async *#ordered(order: Order<CsvSource>): AsyncGenerator<string> {
    const rows = new TopRows<number>(order, this.#query.top);
    for (const [index, keys] of this.#keys.entries()) {
      if (!this.#records.isLatest(index)) continue;
      this.counts.add(keys !== undefined);
      if (keys !== undefined) rows.add(keys, index);
    }
    for (const [count, index] of rows.result().entries()) {
      // Yields to the event loop, so that it can handle a signal.
      if (count % maxRowsPerTurn === 0) await setImmediate();
      this.#signal.throwIfAborted();
      yield this.#records.at(index);
    }
  }
}
