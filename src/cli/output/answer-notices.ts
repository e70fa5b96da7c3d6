/* What a result on standard output means, on standard error: in a terminal under its questions. */
import { type Answering, inOrder, labelOf } from '../../display/terminal/answers.ts';
import { sentences } from '../../portfolio/records/dates.ts';
import type { NoticeLevel } from '../messages.ts';
import type { Session } from '../session.ts';

/** Whether a person reads the answers in lines of their own; a pipe has them in one line. */
export function hasAnswerLines({ context, messages }: Session): boolean {
  return context.stderr.isTerminal && messages.isForPeople;
}

/**
 * Prints a summary: what answers no question is its title, and each question has a line.
 * @param numbers the summary of JSON
 */
export function summarizeAnswers(
  session: Session,
  level: NoticeLevel,
  all: readonly (Answering & { readonly text: string })[],
  numbers: object,
): void {
  const questions = new Set(inOrder(all).map(({ question }) => question));
  const [title = { level, text: '' }, ...answers] = [...questions].map((question) => {
    const text = sentences(all.filter((each) => each.question === question));
    return { level, text, label: question && labelOf(question) };
  });
  session.summarize(title, numbers);
  session.messages.print(...answers);
}
