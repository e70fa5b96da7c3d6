import type { QueryOptions } from '../option-parsers.ts';
import type { Session } from '../session.ts';
import { readQuery } from './read-query.ts';
import { type Item, type ReadSelected, rowReader, type Selected } from './read-row.ts';
import { type RowFormat, rowForm, rowFormat } from './row-format.ts';
import { Selector } from './selector.ts';

/** Prints the records that a query selects, in its order. */
export class RecordSelection {
  readonly #session: Session;
  readonly #format: RowFormat;
  /** Reads a record; returns undefined if it does not meet the conditions. */
  readonly read: ReadSelected<Item>;
  readonly #selector: Selector<Item>;
  readonly #rows: Item[] = [];

  private constructor(
    session: Session,
    format: RowFormat,
    read: ReadSelected<Item>,
    selector: Selector<Item>,
  ) {
    this.read = read;
    this.#session = session;
    this.#format = format;
    this.#selector = selector;
  }

  /** @throws UsageError for an invalid query */
  static async open(session: Session, options: QueryOptions): Promise<RecordSelection> {
    const query = await readQuery(options, session.format);
    const format = await rowFormat(session, query);
    const read = rowReader(query, await rowForm(session));
    const selector = new Selector<Item>(query, session.context.signal);
    return new RecordSelection(session, format, read, selector);
  }

  /** Prints the header of CSV. */
  begin(): void {
    this.#format.begin();
  }

  /** Adds an organization: what `read` returned for its record. */
  async add(selected: Selected<Item> | undefined): Promise<void> {
    const item = await this.#selector.add(selected);
    if (item !== undefined) await this.#print(item);
  }

  /** Prints what waits for its turn, and reports how many organizations the query selected. */
  async end(): Promise<void> {
    for await (const item of this.#selector.waiting()) await this.#print(item);
    if (this.#format.isTable) this.#format.print(this.#rows, this.#selector.isSynthetic);
    this.#selector.report(this.#session, 'shows');
  }

  /** Frees the disk space. */
  close(): Promise<void> {
    return this.#selector.close();
  }

  async #print(item: Item): Promise<void> {
    if (this.#format.isTable) this.#rows.push(item);
    else {
      this.#format.print([item], this.#selector.isSynthetic);
      await this.#session.context.stdout.drained;
    }
  }
}
