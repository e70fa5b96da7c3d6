import type { Organization } from '../../api/schema.ts';
import type { RowKeys } from '../../query/order.ts';
import type { Query } from '../../query/query.ts';
import { TopRows } from '../../query/top-rows.ts';
import { SortedTexts } from '../../report/input/sorted-texts.ts';
import { count, plural } from '../../terminal/format.ts';
import type { QueryOptions } from '../option-parsers.ts';
import { type CsvSource, csvSource } from '../output/csv-source.ts';
import type { Session } from '../session.ts';
import { readQuery } from './read-query.ts';
import { type Item, type RowFormat, rowFormat } from './row-format.ts';

/** A record that meets the conditions, in the form in which it waits for its turn. */
interface Selected {
  readonly keys: RowKeys;
  readonly item: Item;
  readonly isSynthetic: boolean;
}

/**
 * Prints the records that a query selects, in its order.
 *
 * Without an order, it prints each record at once. With --top, memory holds only that many records;
 * with --sort alone, a temporary file holds their texts.
 */
export class RecordSelection {
  readonly #session: Session;
  readonly #query: Query<CsvSource>;
  readonly #format: RowFormat;
  readonly #top: TopRows<Item> | undefined;
  readonly #sorted: SortedTexts<RowKeys> | undefined;
  readonly #rows: Item[] = [];
  #organizations = 0;
  #matches = 0;
  #isSynthetic = false;

  private constructor(session: Session, query: Query<CsvSource>, format: RowFormat) {
    this.#session = session;
    this.#query = query;
    this.#format = format;
    const { order, top } = query;
    if (order === undefined) return;
    const { signal } = session.context;
    if (Number.isFinite(top)) this.#top = new TopRows(order, top);
    else this.#sorted = new SortedTexts(order.compare, { signal });
  }

  /** @throws UsageError for an invalid query */
  static async open(session: Session, options: QueryOptions): Promise<RecordSelection> {
    const query = await readQuery(options, session.format);
    return new RecordSelection(session, query, await rowFormat(session, query));
  }

  /** Prints the header of CSV. */
  begin(): void {
    this.#format.begin();
  }

  /**
   * Reads a record; undefined if it does not meet the conditions.
   * @param json returns the text of the record as received
   */
  read(record: Organization, json: () => string): Selected | undefined {
    const source = csvSource(record);
    if (!this.#query.matches(source)) return undefined;
    return {
      keys: this.#query.order?.keys(source) ?? [],
      item: this.#format.read(source, json),
      isSynthetic: 'sandbox' in record && record.sandbox === 'synthetic',
    };
  }

  /** Adds an organization: what `read` returned for its record. */
  async add(selected: Selected | undefined): Promise<void> {
    this.#organizations += 1;
    if (selected === undefined) return;
    this.#matches += 1;
    const { keys, item, isSynthetic } = selected;
    this.#isSynthetic ||= isSynthetic;
    if (this.#top) this.#top.add(keys, item);
    else if (this.#sorted) await this.#sorted.add(keys, JSON.stringify(item));
    else if (this.#matches <= this.#query.top) await this.#print(item);
  }

  /** Prints what waits for its turn, and reports how many organizations the query selected. */
  async end(): Promise<void> {
    for (const item of this.#top?.result() ?? []) await this.#print(item);
    if (this.#sorted)
      for await (const text of this.#sorted.sorted()) await this.#print(JSON.parse(text));
    if (this.#format.isTable) this.#format.print(this.#rows, this.#isSynthetic);
    this.#report();
  }

  /** Frees the disk space. */
  async close(): Promise<void> {
    await this.#sorted?.close();
  }

  async #print(item: Item): Promise<void> {
    if (this.#format.isTable) this.#rows.push(item);
    else {
      this.#format.print([item], this.#isSynthetic);
      await this.#session.context.stdout.drained;
    }
  }

  #report(): void {
    const { messages, flags } = this.#session;
    const { conditions, order, top } = this.#query;
    const [organizations, matches] = [this.#organizations, this.#matches];
    const shown = Math.min(matches, top);
    if (flags.progress === false || (conditions.length === 0 && shown === matches)) return;
    const of = plural(organizations, 'organization');
    const found =
      conditions.length === 0
        ? ''
        : `${matches === 0 ? 'None' : count.format(matches)} of ${of} ${matches <= 1 ? 'meets' : 'meet'} the conditions. `;
    const first = shown < matches ? `carbon shows the first ${count.format(shown)}.` : '';
    const all = conditions.length === 0 ? `${first.slice(0, -1)} of ${of}.` : found + first;
    messages.note(all.trim(), { event: 'selected', organizations, matches, shown });
    if (shown < matches && order === undefined)
      messages.hint('They are the first of the input. --sort -emissions shows the largest.');
  }
}
