import type { Organization } from '../../api/schema.ts';
import { TopRows } from '../../query/top-rows.ts';
import type { QueryOptions } from '../option-parsers.ts';
import type { Session } from '../session.ts';
import { LatestRows } from './latest-rows.ts';
import { readQuery } from './read-query.ts';
import { type Item, type ReadSelected, rowReader, type Shown } from './read-row.ts';
import { type RowFormat, rowForm, rowFormat } from './row-format.ts';
import { SelectionCounts } from './selection-counts.ts';

/* Rows that wait for the last record: with --top in memory, otherwise in a temporary file. */
type WaitingRows = TopRows<Shown<Item>> | LatestRows<Item>;

/** Prints the records that a query selects: each at once, or with --sort all at the end. */
export class RecordSelection {
  readonly #session: Session;
  readonly #format: RowFormat;
  readonly #read: ReadSelected<Item>;
  readonly #counts: SelectionCounts;
  /* Undefined without an order. */
  readonly #rows: WaitingRows | undefined;

  private constructor(
    session: Session,
    format: RowFormat,
    read: ReadSelected<Item>,
    rows: WaitingRows | undefined,
    counts: SelectionCounts,
  ) {
    this.#session = session;
    this.#format = format;
    this.#read = read;
    this.#rows = rows;
    this.#counts = counts;
  }

  /** @throws UsageError for an invalid query */
  static async open(session: Session, options: QueryOptions): Promise<RecordSelection> {
    const query = await readQuery(options, session.format);
    const { order, top } = query;
    const format = await rowFormat(session, query);
    const read = rowReader(query, await rowForm(session));
    if (order === undefined || Number.isFinite(top)) {
      const rows = order && new TopRows<Shown<Item>>(order, top);
      return new RecordSelection(session, format, read, rows, new SelectionCounts(query));
    }
    const rows = new LatestRows<Item>(query);
    return new RecordSelection(session, format, read, rows, rows.counts);
  }

  /** Prints the header of CSV. */
  begin(): void {
    this.#format.begin();
  }

  /**
   * Adds an organization.
   * @param json returns the text of the record as received
   */
  async add(record: Organization, json: () => string): Promise<void> {
    const rows = this.#rows;
    const selected = this.#read(record, json);
    if (rows instanceof LatestRows) return rows.add(selected, undefined);
    const isShown = this.#counts.add(selected !== undefined);
    if (selected === undefined) return;
    if (rows) rows.add(selected.keys, selected);
    else if (isShown) await this.#format.add(selected);
  }

  /**
   * Prints what waits for the last record, and reports how many organizations were selected.
   * @throws the reason of the signal after an abort, if rows are in the temporary file
   */
  async end(): Promise<void> {
    const rows = this.#rows instanceof TopRows ? this.#rows.result() : this.#rows?.rows();
    for (const row of rows ?? []) {
      this.#session.context.signal.throwIfAborted();
      await this.#format.add(row);
    }
    this.#format.end();
    this.#counts.report(this.#session, 'shows');
  }
}
