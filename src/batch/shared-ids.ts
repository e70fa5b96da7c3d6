/*
 * Finds rows with different names that got one id. Two names of one organization are normal. Many
 * names with one id mean that the service, or a cache in front of it, repeats one response.
 */
import { comparableId, type OrganizationId } from '../api/ids.ts';
import { type Alias, aliasOf, compareNames } from '../checks/names.ts';
import { HintedError } from '../runtime/carbon-error.ts';
import { flattenString } from '../runtime/flatten-string.ts';

/** A row and the name in it. */
export interface NamedRow {
  readonly line: number;
  readonly name: string;
}

/** An id that rows with different names got. */
export interface SharedId {
  readonly id: OrganizationId;
  /** The first rows, one for each name. */
  readonly rows: readonly NamedRow[];
  /** Number of rows whose name differs from the first one, and the first one. */
  readonly count: number;
}

const maxListedRows = 20;
/* The first rows of 200,000 ids take about 20 MB. */
const maxRemembered = 200_000;

/** Collects the rows of each id. */
export class SharedIds {
  /*
   * The first row of each id as text, because a million objects take 200 MB. A negative line is
   * that of an earlier run.
   */
  readonly #first = new Map<OrganizationId, string>();
  readonly #shared = new Map<OrganizationId, { rows: NamedRow[]; count: number; isNew: boolean }>();

  /**
   * Adds a row of this run or, unless `isNew`, of an earlier one.
   *
   * @returns the first row with the same id, if it has another name
   */
  add(id: OrganizationId, line: number, name: string, isNew: boolean): NamedRow | undefined {
    const key = comparableId(id);
    const known = this.#first.get(key);
    if (known === undefined) {
      if (this.#first.size < maxRemembered)
        this.#first.set(key, flattenString(`${isNew ? '' : '-'}${line} ${name}`));
      return undefined;
    }
    const space = known.indexOf(' ');
    const [at, firstName] = [Number(known.slice(0, space)), known.slice(space + 1)];
    const first = { line: Math.abs(at), name: firstName };
    const shared = this.#shared.get(key) ?? { rows: [first], count: 1, isNew: at > 0 };
    shared.isNew ||= isNew;
    if (isOneName(firstName, name)) return undefined;
    this.#shared.set(key, shared);
    shared.count += 1;
    const isListed = shared.rows.some(
      (row) => row.line !== first.line && isOneName(row.name, name),
    );
    if (shared.rows.length < maxListedRows && !isListed)
      shared.rows.push({ line, name: flattenString(name) });
    return first;
  }

  /** Removes an id. */
  delete(id: OrganizationId): void {
    this.#shared.delete(comparableId(id));
  }

  /** Returns the ids that rows with different names got, at least one of them in this run. */
  get shared(): SharedId[] {
    return [...this.#shared]
      .filter(([, { isNew }]) => isNew)
      .map(([id, { rows, count }]) => ({
        id,
        count,
        rows: rows.toSorted((a, b) => a.line - b.line),
      }));
  }
}

function isOneName(first: string, second: string): boolean {
  return first === second || compareNames(aliasOf(first), aliasOf(second)) === 'equal';
}

/* After so many different names with one id in a row, the service repeats one response. */
const maxNames = 10;
/* The last rows with one id; subsidiaries of one organization can be more. */
const maxKept = 20;

/** Finds a service that repeats one response: rows in a row with one id and different names. */
export class RepeatedResponses<Value> {
  #id: OrganizationId | undefined;
  #rows: { readonly row: NamedRow; readonly value: Value }[] = [];
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
  add(given: OrganizationId, row: NamedRow, value: Value): readonly Value[] {
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
      .map(({ row: { line, name } }) => `"${name.slice(0, 60)}" (line ${line})`);
    return new HintedError(
      'unreadable_response',
      `The service sent the same ID ${this.#id} for ${this.#names.length} different organizations in a row, such as ${named.join(' and ')}`,
      {
        id: String(this.#id),
        hint: 'These rows count as not registered. Check the base URL and any cache in front of the service, then run the same command again.',
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
