import type { Entry } from './digest.ts';

/** How many organizations gave each answer. */
export interface Answers {
  /** By answer; the expected ones first, in their order, also where nobody gave them. */
  readonly counts: Readonly<Record<string, number>>;
  /** Organizations of which nothing is known. */
  readonly missing: number;
}

/* Answers that were not expected are counted by name, as long as they are few. */
const mostNames = 40;

/** Counts the answers to one question. */
export class AnswerCount {
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
    const name = counts.has(answer) || counts.size < mostNames ? answer : 'other';
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }

  result(): Answers {
    return { counts: Object.fromEntries(this.#counts), missing: this.#missing };
  }
}

/** Counts yes and no. */
export function countFlags(
  flagOf: (entry: Entry) => boolean | undefined,
  yes: string,
  no: string,
): AnswerCount {
  const answerOf = (entry: Entry) => {
    const flag = flagOf(entry);
    return flag === undefined ? undefined : flag ? yes : no;
  };
  return new AnswerCount(answerOf, [yes, no]);
}
