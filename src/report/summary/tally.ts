import type { Entry } from './digest.ts';

/** The number of organizations with each value of a field. */
export interface TallyResult {
  /** Counts by value. The expected values come first, in their order, even if their count is 0. */
  readonly counts: Readonly<Record<string, number>>;
  /** Organizations without data. */
  readonly missing: number;
}

/* Further unexpected values count as `other`. */
const maxValues = 40;

/** Counts organizations by the value of a field. */
export class Tally {
  readonly #readValue: (entry: Entry) => string | undefined;
  readonly #counts: Map<string, number>;
  #missing = 0;

  /** @param readValue returns the value of an organization; undefined or empty counts as missing */
  constructor(readValue: (entry: Entry) => string | undefined, expected: readonly string[] = []) {
    this.#readValue = readValue;
    this.#counts = new Map(expected.map((value) => [value, 0]));
  }

  add(entry: Entry): void {
    const value = this.#readValue(entry);
    const counts = this.#counts;
    if (value === undefined || value === '') {
      this.#missing += 1;
      return;
    }
    const name = counts.has(value) || counts.size < maxValues ? value : 'other';
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }

  result(): TallyResult {
    return { counts: Object.fromEntries(this.#counts), missing: this.#missing };
  }
}

/** Creates a tally of a flag. */
export function countFlags(
  flagOf: (entry: Entry) => boolean | undefined,
  yes: string,
  no: string,
): Tally {
  const readValue = (entry: Entry) => {
    const flag = flagOf(entry);
    return flag === undefined ? undefined : flag ? yes : no;
  };
  return new Tally(readValue, [yes, no]);
}
