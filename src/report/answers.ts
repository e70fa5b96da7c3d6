/** How many organizations gave each answer. */
export interface Answers {
  /** By answer; the expected ones first, in their order, also where nobody gave them. */
  readonly counts: Readonly<Record<string, number>>;
  /** Organizations of which nothing is known. */
  readonly missing: number;
}

/* Answers that were not expected are counted by name, as long as they are few. */
const mostNames = 40;

/** Counts answers; what is undefined or empty is missing. */
export function countAnswers(
  answers: Iterable<string | undefined>,
  expected: readonly string[] = [],
): Answers {
  const counts = new Map(expected.map((answer) => [answer, 0]));
  let missing = 0;
  for (const answer of answers) {
    if (answer === undefined || answer === '') {
      missing += 1;
      continue;
    }
    const name = counts.has(answer) || counts.size < mostNames ? answer : 'other';
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return { counts: Object.fromEntries(counts), missing };
}

/** Counts yes and no. */
export function countFlags(flags: Iterable<boolean | undefined>, yes: string, no: string): Answers {
  const words = Array.from(flags, (flag) => (flag === undefined ? undefined : flag ? yes : no));
  return countAnswers(words, [yes, no]);
}
