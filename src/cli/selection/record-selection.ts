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
  #selector: Selector<Item>;
  readonly #newSelector: () => Selector<Item>;
  readonly #rows: Item[] = [];

  private constructor(
    session: Session,
    format: RowFormat,
    read: ReadSelected<Item>,
    newSelector: () => Selector<Item>,
  ) {
    this.read = read;
    this.#session = session;
    this.#format = format;
    this.#newSelector = newSelector;
    this.#selector = newSelector();
  }

  /** @throws UsageError for an invalid query */
  static async open(session: Session, options: QueryOptions): Promise<RecordSelection> {
    const query = await readQuery(options, session.format);
    const format = await rowFormat(session, query);
    const read = rowReader(query, await rowForm(session));
    const newSelector = () => new Selector<Item>(query, session.context.signal);
    return new RecordSelection(session, format, read, newSelector);
  }

  /** Prints the header of CSV. */
  begin(): void {
    this.#format.begin();
  }

  /** Adds an organization: what `read` returned for its record. */
  add(selected: Selected<Item> | undefined): Promise<void> | undefined {
    const item = this.#selector.add(selected);
    if (item === undefined || item instanceof Promise) return item;
    return this.#print(item);
  }

  /** Whether it prints nothing before `end`. */
  get isWaiting(): boolean {
    return this.#selector.isWaiting;
  }

  /** Removes all organizations. */
  async clear(): Promise<void> {
    await this.#selector.close();
    this.#selector = this.#newSelector();
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
