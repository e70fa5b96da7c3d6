/*
 * What every view of one record begins with: its name, what it says, and whether the research has
 * ended.
 */
import type { Organization } from '../../client/api/schema.ts';
import { answerSentences } from '../../display/terminal/answers.ts';
import { labelledLines } from '../../display/terminal/opening.ts';
import { sanitize } from '../../display/terminal/sanitize.ts';
import {
  describeStatus,
  paintMark,
  type RecordView,
  syntheticNote,
} from '../../display/terminal/style.ts';
import { wrap, wrapList, wrapWords } from '../../display/terminal/text.ts';
import { recordStatement } from '../../portfolio/organizations/record-statement.ts';

/** What a view says of a record, wherever it shows it. */
export type OpeningView = Pick<RecordView, 'synthetic' | 'unit' | 'day'>;

/** Returns the first lines of a pipe, a label and its text. */
export function openingFacts(
  record: Organization,
  { synthetic, unit = null, day }: OpeningView,
): readonly (readonly [label: string, text: string | null | undefined])[] {
  const status = describeStatus(record.status);
  const { text, answers } = recordStatement(record, { unit, isSynthetic: synthetic, day });
  return [
    ['name', record.name],
    ['statement', text],
    ...answerSentences(answers).map((each) => ['statement', each] as const),
    ['status', status.word],
    ['research', status.research],
    ['figures', synthetic ? syntheticNote() : undefined],
  ];
}

/** Returns the first lines of a terminal. */
export function openingLines(
  record: Organization,
  { synthetic, unit = null, day, columns, style }: RecordView,
): string[] {
  const title = sanitize(record.name ?? '').trim();
  const status = describeStatus(record.status);
  const { text = '', answers } = recordStatement(record, { unit, isSynthetic: synthetic, day });
  const state = [`${status.glyph} ${sanitize(status.word)}`, `research ${status.research}`];
  return [
    ...wrap(title || 'no name', columns).map((line) => (title ? style.bold(line) : line)),
    ...wrapWords(sanitize(text), columns).filter(Boolean),
    ...wrapList(state, columns).map((line, index) =>
      index === 0 ? paintMark(line, status.tone, style) : line,
    ),
    ...(synthetic ? wrap(syntheticNote(), columns).map(style.bold) : []),
    ...labelledLines(answers, columns, style),
  ];
}
