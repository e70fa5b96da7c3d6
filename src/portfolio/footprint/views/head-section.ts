/* The first lines of a goal and of a comparison. */
import { type Answering, answerSentences } from '../../../display/terminal/answers.ts';
import { openingSection } from '../../../display/terminal/opening.ts';
import type { Section } from '../../../display/terminal/section.ts';
import type { Labelled } from '../../../lists/table/summary-sheet.ts';
import { datesByName, datesInWords } from '../../records/dates.ts';
import type { FootprintSummary } from '../totals.ts';
import { valueFacts } from './tables.ts';
import { syntheticSuppliers } from './words.ts';

/**
 * Returns the section that begins a goal or a comparison: of what and of when it is, and sentences
 * for a terminal; facts and dates for a pipe.
 */
export function headSection(
  summary: FootprintSummary,
  {
    about,
    alert,
    lookups,
    facts,
    answers,
    isFull = false,
  }: {
    readonly about: readonly string[];
    /** What may make all that it says wrong. */
    readonly alert?: string | undefined;
    /** Of when another source is, after the dates of the records. */
    readonly lookups?: string | undefined;
    readonly facts: Labelled;
    /** The first one is in bold. */
    readonly answers: readonly (Answering & { readonly text: string })[];
    /** Whether a terminal shows all of them. */
    readonly isFull?: boolean;
  },
): Section {
  return {
    ...openingSection({
      about: [...about, ...datesInWords(summary), ...(lookups === undefined ? [] : [lookups])],
      mark: syntheticSuppliers(summary),
      alert,
      statements: answers,
      facts: [],
      isFull,
    }),
    facts: valueFacts([
      ...answerSentences(answers).map((text) => ['statement', text] as const),
      ...facts,
      ...datesByName(summary),
    ]),
  };
}

/** Marks synthetic figures in a pipe, whose last lines are notes. */
export function syntheticNotes(summary: FootprintSummary): readonly string[] {
  const text = syntheticSuppliers(summary);
  return text === undefined ? [] : [text];
}
