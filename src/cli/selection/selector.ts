import type { RowKeys } from '../../query/order.ts';
import type { Query } from '../../query/query.ts';
import { TopRows } from '../../query/top-rows.ts';
import { SortedTexts } from '../../report/input/sorted-texts.ts';
import { count, plural } from '../../terminal/format.ts';
import type { CsvSource } from '../output/csv-source.ts';
import type { Session } from '../session.ts';
import { readItem, writeItem } from './item-text.ts';
import type { Selected } from './read-row.ts';

/**
 * Selects records by a query, and brings them into its order.
 *
 * Without an order, each record has its turn at once. With --top, memory holds only that many
 * records; with --sort alone, a temporary file holds their texts. Items must survive JSON.
 */
export class Selector<Item> {
  readonly #query: Query<CsvSource>;
  readonly #top: TopRows<Item> | undefined;
  readonly #sorted: SortedTexts<RowKeys> | undefined;
  #organizations = 0;
  #matches = 0;
  #isSynthetic = false;

  /** @param signal aborts reading what waits for its turn */
  constructor(query: Query<CsvSource>, signal: AbortSignal) {
    this.#query = query;
    const { order, top } = query;
    if (order === undefined) return;
    if (Number.isFinite(top)) this.#top = new TopRows(order, top);
    else this.#sorted = new SortedTexts(order.compare, { signal });
  }

  /** Whether a selected record is one of the sandbox. */
  get isSynthetic(): boolean {
    return this.#isSynthetic;
  }

  /** Number of organizations that were added. */
  get organizations(): number {
    return this.#organizations;
  }

  /** Number of organizations that the query selects of those that were added. */
  get selected(): number {
    return Math.min(this.#matches, this.#query.top);
  }

  /** Whether all items wait for the last record. */
  get isWaiting(): boolean {
    return this.#query.order !== undefined;
  }

  /**
   * Adds an organization: what a `ReadSelected` returned for its record. Returns the item if it is
   * its turn.
   * @throws LocalError when the disk of the temporary file is full
   */
  add(selected: Selected<Item> | undefined): Item | Promise<undefined> | undefined {
    this.#organizations += 1;
    if (selected === undefined) return undefined;
    this.#matches += 1;
    const { keys, item, isSynthetic } = selected;
    this.#isSynthetic ||= isSynthetic;
    if (this.#top) this.#top.add(keys, item);
    else if (this.#sorted) return this.#sorted.add(keys, writeItem(item))?.then(() => undefined);
    else if (this.#matches <= this.#query.top) return item;
    return undefined;
  }

  /** Yields the items that waited for the last record, in their order. */
  async *waiting(): AsyncGenerator<Item, void, void> {
    yield* this.#top?.result() ?? [];
    if (this.#sorted === undefined) return;
    for await (const text of this.#sorted.sorted()) yield readItem(text);
  }

  /**
   * Reports how many organizations the query selected, unless it selected all.
   * @param verb what carbon does with them
   */
  report({ messages, flags }: Session, verb: 'shows' | 'writes'): void {
    const { conditions, order } = this.#query;
    const [organizations, matches, shown] = [this.#organizations, this.#matches, this.selected];
    if (flags.progress === false || (conditions.length === 0 && shown === matches)) return;
    const of = plural(organizations, 'organization');
    const found =
      conditions.length === 0
        ? ''
        : `${matches === 0 ? 'None' : count.format(matches)} of ${of} ${matches <= 1 ? 'meets' : 'meet'} the conditions. `;
    const first = shown < matches ? `carbon ${verb} the first ${count.format(shown)}.` : '';
    const all = conditions.length === 0 ? `${first.slice(0, -1)} of ${of}.` : found + first;
    messages.note(all.trim(), { event: 'selected', organizations, matches, shown });
    if (shown < matches && order === undefined)
      messages.hint('They are the first of the input. --sort -emissions selects the largest.');
  }

  /** Frees the disk space. */
  async close(): Promise<void> {
    await this.#sorted?.close();
  }
}
