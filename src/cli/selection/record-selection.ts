import type { Organization } from '../../api/schema.ts';
import type { QueryOptions } from '../option-parsers.ts';
import type { Session } from '../session.ts';
import { writeSelected } from './item-text.ts';
import { LatestRows } from './latest-rows.ts';
import { readQuery } from './read-query.ts';
import { type Item, type ReadSelected, rowReader } from './read-row.ts';
import { type RowFormat, rowForm, rowFormat } from './row-format.ts';
import { SelectionCounts } from './selection-counts.ts';

/** Prints the records that a query selects: each at once, or with --sort all at the end. */
export class RecordSelection {
  readonly #session: Session;
  readonly #format: RowFormat;
  readonly #read: ReadSelected<Item>;
  readonly #counts: SelectionCounts;
  /* Undefined without an order. */
  readonly #rows: LatestRows<Item> | undefined;

  private constructor(
    session: Session,
    format: RowFormat,
    read: ReadSelected<Item>,
    rows: SelectionCounts | LatestRows<Item>,
  ) {
    this.#session = session;
    this.#format = format;
    this.#read = read;
    this.#rows = rows instanceof LatestRows ? rows : undefined;
    this.#counts = rows instanceof LatestRows ? rows.counts : rows;
  }

  /** @throws UsageError for an invalid query */
  static async open(session: Session, options: QueryOptions): Promise<RecordSelection> {
    const query = await readQuery(options, session.format);
    const format = await rowFormat(session, query);
    const read = rowReader(query, await rowForm(session));
    // After Ctrl-C, it prints the records that were received until then.
    const { signal } = new AbortController();
    const rows =
      query.order === undefined ? new SelectionCounts(query) : new LatestRows<Item>(query, signal);
    return new RecordSelection(session, format, read, rows);
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
    const selected = this.#read(record, json);
    if (this.#rows) await this.#rows.add(writeSelected(selected), undefined);
    else if (this.#counts.add(selected !== undefined) && selected) await this.#format.add(selected);
  }

  /** Prints what waits for the last record, and reports how many organizations were selected. */
  async end(): Promise<void> {
    for await (const row of this.#rows?.rows() ?? []) await this.#format.add(row);
    this.#format.end();
    this.#counts.report(this.#session, 'shows');
  }

  /** Frees the disk space. */
  async close(): Promise<void> {
    await this.#rows?.close();
  }
}
