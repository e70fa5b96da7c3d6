import type { Entry } from './digest.ts';

/** How many organizations gave each answer. */
export interface TallyResult {
  /** By answer; the expected ones first, in their order, also where nobody gave them. */
  readonly counts: Readonly<Record<string, number>>;
  /** Organizations of which nothing is known. */
  readonly missing: number;
}

/* Answers that were not expected are counted by name, as long as they are few. */
const maxNames = 40;

/** Counts the answers to one question. */
export class Tally {
  readonly #answerOf: (entry: Entry) => string | undefined;
  readonly #counts: Map<string, number>;
  #missing = 0;

  /** @param answerOf what an organization answers; undefined or empty is missing */
  constructor(answerOf: (entry: Entry) => string | undefined, expected: readonly string[] = []) {
    this.#answerOf = answerOf;
    this.#counts = new Map(expected.map((answer) => [answer, 0]));
  }

  add(entry: Entry): void {
    const answer = this.#answerOf(entry);
    const counts = this.#counts;
    if (answer === undefined || answer === '') {
      this.#missing += 1;
      return;
    }
    const name = counts.has(answer) || counts.size < maxNames ? answer : 'other';
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }

  result(): TallyResult {
    return { counts: Object.fromEntries(this.#counts), missing: this.#missing };
  }
}

/** Counts yes and no. */
export function countFlags(
  flagOf: (entry: Entry) => boolean | undefined,
  yes: string,
  no: string,
): Tally {
  const answerOf = (entry: Entry) => {
    const flag = flagOf(entry);
    return flag === undefined ? undefined : flag ? yes : no;
  };
  return new Tally(answerOf, [yes, no]);
}
