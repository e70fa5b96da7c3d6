/*
 * Finds a service, or a cache in front of it, that sends one response for many registrations.
 */

import { HintedError } from '../../runtime/carbon-error.ts';
import { comparableId, type OrganizationId } from './ids.ts';
import { type Alias, aliasOf } from './names.ts';

/* After so many different names with one id in a row, the service repeats one response. */
const maxNames = 10;
/* The last rows with one id; subsidiaries of one organization can be more. */
const maxKept = 20;

interface SentRow {
  readonly name: string;
  readonly line?: number;
}

/** Finds a service that repeats one response: rows in a row with one id and different names. */
export class RepeatedResponses<Value> {
  #id: OrganizationId | undefined;
  #rows: { readonly row: SentRow; readonly value: Value }[] = [];
  /* Names with this id that differ clearly from each other; empty for a single row. */
  #names: Alias[] = [];

  get #isRepeated(): boolean {
    return this.#names.length >= maxNames;
  }

  /** Returns whether the service repeats the response with this id. */
  has(id: OrganizationId): boolean {
    return this.#isRepeated && comparableId(id) === this.#id;
  }

  /** Adds a registration; returns those that do not count, once the service repeats a response. */
  add(given: OrganizationId, row: SentRow, value: Value): readonly Value[] {
    if (this.#isRepeated) return [];
    const id = comparableId(given);
    if (id !== this.#id) {
      this.#id = id;
      this.#rows = [];
      this.#names = [];
    }
    const [first] = this.#rows;
    this.#rows.push({ row, value });
    if (this.#rows.length > maxKept) this.#rows.shift();
    if (first === undefined) return [];
    if (this.#names.length === 0) this.#names.push(aliasOf(first.row.name));
    const alias = aliasOf(row.name);
    if (this.#names.every((other) => areDifferent(other, alias))) this.#names.push(alias);
    return this.#isRepeated ? this.#rows.map((each) => each.value) : [];
  }

  /** The error of a service that repeats one response; undefined otherwise. */
  get error(): HintedError | undefined {
    if (!this.#isRepeated) return undefined;
    const named = this.#rows
      .slice(0, 2)
      .map(({ row: { line, name } }) => `"${name.slice(0, 60)}"${line ? ` (line ${line})` : ''}`);
    return new HintedError(
      'unreadable_response',
      `The service sent the same ID ${this.#id} for ${this.#names.length} different organizations in a row, such as ${named.join(' and ')}`,
      {
        id: String(this.#id),
        hint: 'These rows are treated as not registered. Check the base URL and any cache in front of the service, then run the same command again.',
      },
    );
  }
}

/* Words that names of different organizations have in common. */
const genericWords = new Set(
  'supplier vendor company organization organisation customer firma lieferant group holding test'.split(
    ' ',
  ),
);

/* Subsidiaries have a word of their group in common; the names of a numbered list do, too. */
function areDifferent(first: Alias, second: Alias): boolean {
  const [a, b] = [first, second].map(({ words }) =>
    words.filter((word) => !genericWords.has(word) && !/^\d+$/.test(word)),
  ) as [string[], string[]];
  if (a.join('') === b.join('')) return first.words.join('') !== second.words.join('');
  return !a.some((word) => b.includes(word));
}
