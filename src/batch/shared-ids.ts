/*
 * Finds rows with different names that got one id. Two names of one organization are normal.
 */
import { comparableId, type OrganizationId } from '../api/ids.ts';
import { aliasOf, compareNames } from '../api/names.ts';
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
