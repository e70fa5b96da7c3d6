import type { Query } from '../../query/query.ts';
import { count, plural } from '../../terminal/format.ts';
import type { CsvSource } from '../output/csv-source.ts';
import type { Session } from '../session.ts';

/** Counts the organizations of a selection. */
export class SelectionCounts {
  readonly #query: Query<CsvSource>;
  #organizations = 0;
  #matches = 0;

  constructor(query: Query<CsvSource>) {
    this.#query = query;
  }

  /** Number of organizations that were added. */
  get organizations(): number {
    return this.#organizations;
  }

  /** Number of organizations that the query selects of those that were added. */
  get selected(): number {
    return Math.min(this.#matches, this.#query.top);
  }

  /**
   * Adds an organization. Returns whether it meets the conditions and fewer than --top did before.
   */
  add(meetsConditions: boolean): boolean {
    this.#organizations += 1;
    if (!meetsConditions) return false;
    this.#matches += 1;
    return this.#matches <= this.#query.top;
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
    const which = shown === 1 ? 'the first' : `the first ${count.format(shown)}`;
    const first = shown < matches ? `carbon ${verb} ${which}.` : '';
    const all = conditions.length === 0 ? `${first.slice(0, -1)} of ${of}.` : found + first;
    messages.print({
      level: 'progress',
      text: all.trim(),
      event: { event: 'selected', organizations, matches, shown },
    });
    if (shown < matches && order === undefined)
      messages.hint('They are the first of the input. --sort -emissions selects the largest.');
  }
}
