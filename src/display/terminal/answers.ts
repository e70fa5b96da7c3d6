/*
 * What a reader asks of every result, in the order in which every view answers it. The statement
 * that is the title has no question.
 */
const questions = {
  amount: 'How much',
  way: 'Trend',
  why: 'Why',
  who: 'Who',
  targets: 'Targets',
  missing: 'Missing',
  sure: 'How sure',
  steps: 'First steps',
  when: 'As of',
} as const;

export type Question = keyof typeof questions;

/** A statement that answers a question of a reader; a title answers none. */
export interface Answering {
  readonly question?: Question | undefined;
  /** Whether it only explains another answer, so that the first screen is without it. */
  readonly isDetail?: boolean;
}

const order = Object.keys(questions);

/** Returns what stands before an answer. */
export function labelOf(question: Question): string {
  return questions[question];
}

/** Puts answers in the order of their questions: those without one are first. */
export function inOrder<Each extends Answering>(all: readonly Each[]): readonly Each[] {
  const place = ({ question }: Each) => (question === undefined ? -1 : order.indexOf(question));
  return all.toSorted((a, b) => place(a) - place(b));
}

/** An answer as a line: after its question, and after its number if it is one of several steps. */
export interface AnswerLine {
  /** Empty after the first answer to a question, and for a title. */
  readonly label: string;
  readonly text: string;
  /** Whether the text begins with its number, below which further lines stand. */
  readonly isNumbered: boolean;
}

/* Returns what stands before an answer: the number of a step if there are several. */
function numbersOf<Each extends Answering>(all: readonly Each[]): (each: Each) => string {
  const steps = all.filter(({ question }) => question === 'steps');
  return (each) => {
    const at = steps.indexOf(each);
    return steps.length > 1 && at >= 0 ? `${at + 1}. ` : '';
  };
}

const firstSteps = 3;

/**
 * Returns the answers of a first screen: those that are no detail, and the first steps, unless only
 * one more would be left out.
 */
export function inBrief<Each extends Answering>(all: readonly Each[]) {
  const steps = all.filter(({ question }) => question === 'steps');
  const shown = steps.length > firstSteps + 1 ? steps.slice(0, firstSteps) : steps;
  return {
    answers: all.filter(
      (each) => each.isDetail !== true && (each.question !== 'steps' || shown.includes(each)),
    ),
    laterSteps: steps.length - shown.length,
  };
}

/** Writes answers as lines, in the order of their questions; several steps have numbers. */
export function answerLines(
  all: readonly (Answering & { readonly text: string })[],
): readonly AnswerLine[] {
  const number = numbersOf(all);
  const sorted = inOrder(all);
  return sorted.map((each, at) => {
    const { question } = each;
    const isFirst = question !== undefined && sorted[at - 1]?.question !== question;
    const start = number(each);
    return {
      label: isFirst ? labelOf(question) : '',
      text: `${start}${each.text}`,
      isNumbered: start !== '',
    };
  });
}

/**
 * Writes answers as sentences that stand alone, in the order of their questions; several steps have
 * numbers.
 */
export function answerSentences(
  all: readonly (Answering & { readonly text: string })[],
): readonly string[] {
  const number = numbersOf(all);
  return inOrder(all).map((each) => withQuestion(each.question, `${number(each)}${each.text}`));
}

/** Writes an answer as a sentence that stands alone: "How sure: 71% from industry averages". */
function withQuestion(question: Question | undefined, text: string): string {
  return question === undefined ? text : `${labelOf(question)}: ${text}`;
}

/**
 * Gives statements their questions.
 * @param questions those of the rules of the statements
 * @param hasTitle whether the first statement is a title, which answers none
 */
export function asAnswers<Each extends { readonly rule: string }>(
  all: readonly Each[],
  questionsOf: Readonly<Partial<Record<Each['rule'], Question>>>,
  hasTitle = true,
): readonly (Each & Answering)[] {
  return all.map((each, at) => {
    const question = questionsOf[each.rule as Each['rule']];
    return hasTitle && at === 0 ? each : { ...each, question };
  });
}
