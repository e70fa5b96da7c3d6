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

/** Collects the rows of each id. */
export class SharedIds {
  readonly #byId = new Map<
    OrganizationId,
    { id: OrganizationId; rows: NamedRow[]; count: number; isNew: boolean }
  >();

  /**
   * Adds a row of this run or, unless `isNew`, of an earlier one.
   *
   * @returns the first row with the same id, if it has another name
   */
  add(id: OrganizationId, line: number, name: string, isNew: boolean): NamedRow | undefined {
    const key = comparableId(id);
    const known = this.#byId.get(key);
    if (known === undefined) {
      this.#byId.set(key, { id, rows: [{ line, name: flattenString(name) }], count: 1, isNew });
      return undefined;
    }
    known.isNew ||= isNew;
    const [first] = known.rows;
    if (first === undefined || isOneName(first.name, name)) return undefined;
    known.count += 1;
    if (
      known.rows.length < maxListedRows &&
      !known.rows.some((row) => row !== first && isOneName(row.name, name))
    )
      known.rows.push({ line, name: flattenString(name) });
    return first;
  }

  /** Returns the ids that rows with different names got, at least one of them in this run. */
  get shared(): SharedId[] {
    return [...this.#byId.values()]
      .filter(({ count, isNew }) => count > 1 && isNew)
      .map(({ id, rows, count }) => ({
        id,
        count,
        rows: rows.toSorted((a, b) => a.line - b.line),
      }));
  }
}

function isOneName(first: string, second: string): boolean {
  return first === second || compareNames(aliasOf(first), aliasOf(second)) === 'equal';
}

/** Number of recent responses that decide whether the service repeats one. */
const maxRecent = 20;
const minAnswered = 10;

interface Response<Value> extends NamedRow {
  readonly key: OrganizationId;
  readonly value: Value;
  alias?: Alias;
  isHeld: boolean;
}

/**
 * Holds registrations back while their id looks like a repeated response: nothing about a row is
 * recorded before another name got another id, or twenty more rows were answered.
 */
export class RepeatedResponses<Value> {
  #recent: Response<Value>[] = [];
  #repeated: OrganizationId | undefined;

  /** Number of registrations that are held back. */
  get held(): number {
    return this.#recent.filter(({ isHeld }) => isHeld).length;
  }

  /** Adds a registration and returns those that are no longer held back, perhaps with this one. */
  add(id: OrganizationId, row: NamedRow, value: Value): Value[] {
    const key = comparableId(id);
    this.#recent.push({ ...row, key, value, isHeld: true });
    const isRepeated = this.#recent.length > 1 && this.#others(key).length > 0;
    if (this.#repeated !== undefined) return this.#release((other) => other.key !== this.#repeated);
    if (isRepeated) {
      const others = new Map(this.#recent.map((each) => [this.#alias(each).words.join(' '), each]));
      const isMost = (this.#others(key).length + 1) * 2 > others.size;
      if (others.size >= minAnswered && isMost) this.#repeated = key;
    }
    const leaving = this.#recent.length > maxRecent ? this.#recent[0] : undefined;
    const last = this.#recent.at(-1) as Response<Value>;
    const isAlone = this.#recent.every(
      (each) => compareNames(this.#alias(each), this.#alias(last)) === 'equal',
    );
    const released = this.#release((each) => {
      if (each.key === this.#repeated) return false;
      return each === leaving || (!isAlone && this.#others(each.key).length === 0);
    });
    if (leaving !== undefined && !leaving.isHeld) this.#recent.shift();
    return released;
  }

  /** Returns the registrations held back, except those with the repeated id. */
  release(): Value[] {
    return this.#release(({ key }) => key !== this.#repeated);
  }

  /** The error of a service that repeats one response; undefined otherwise. */
  get error(): HintedError | undefined {
    const rows = this.#recent.filter(({ key }) => key === this.#repeated);
    const [first, second] = rows;
    if (first === undefined || second === undefined) return undefined;
    const named = [first, second].map(({ line, name }) => `"${name.slice(0, 60)}" (line ${line})`);
    return new HintedError(
      'unreadable_response',
      `The service sent the same ID ${first.key} for ${rows.length} of the last ${this.#recent.length} organizations, such as ${named.join(' and ')}`,
      {
        id: String(first.key),
        hint: 'carbon did not record these rows. Check the base URL and any cache in front of the service, then run the same command again.',
      },
    );
  }

  /* Returns one response for each name that differs clearly from the first one with this id. */
  #others(key: OrganizationId): Response<Value>[] {
    const same = this.#recent.filter((each) => each.key === key);
    return same.filter(
      (each, index) =>
        index > 0 &&
        same.slice(0, index).every((other) => areDifferent(this.#alias(other), this.#alias(each))),
    );
  }

  #alias(response: Response<Value>): Alias {
    response.alias ??= aliasOf(response.name);
    return response.alias;
  }

  #release(isFree: (response: Response<Value>) => boolean): Value[] {
    const free = this.#recent.filter((each) => each.isHeld && isFree(each));
    for (const each of free) each.isHeld = false;
    return free.map(({ value }) => value);
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
