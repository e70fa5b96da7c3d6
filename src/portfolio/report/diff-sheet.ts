/* What the first sheet of a workbook of differences says. */
import { answerLines, asAnswers } from '../../display/terminal/answers.ts';
import { naming } from '../../display/terminal/format.ts';
import type { SummaryContent } from '../../lists/table/summary-sheet.ts';
import type { NextCommands } from '../organizations/statements.ts';
import type { Difference, SnapshotDiff } from './diff.ts';
import { type MoveStatement, type Moves, moveQuestions } from './movers.ts';

/** What a comparison found, and what its reader can do. */
export interface DiffOnSheet {
  readonly comparison: SnapshotDiff;
  readonly moves: Moves;
  readonly said: readonly MoveStatement[];
  /** What is missing in the records. */
  readonly missing: readonly string[];
  /** Says of which days the compared records are, if the dates do not. */
  readonly days: string;
  readonly dates: SummaryContent['dates'];
  /** The commands for the newer records; undefined if these have no file. */
  readonly commands: NextCommands | undefined;
}

const maxNamed = 10;

/** Returns what the first sheet says. */
export function diffSummary({
  comparison,
  moves,
  said,
  missing,
  days,
  dates,
  commands,
}: DiffOnSheet): SummaryContent {
  const { differences, old, new: now } = comparison;
  const members = [
    ['Joined', 'new'],
    ['Left', 'removed'],
  ] as const;
  const steps =
    commands === undefined || differences.length === 0
      ? []
      : [
          `Check the figures before you use them: ${commands.check}`,
          `See why emissions rose or fell, and whom to ask: ${commands.report}`,
        ];
  return {
    isSynthetic: differences.some(({ synthetic }) => synthetic),
    dates,
    answers: answerLines([
      ...asAnswers(said, moveQuestions),
      ...members.flatMap(([label, change]) => {
        const names = namesOf(differences.filter((each) => each.change === change));
        return names === '' ? [] : [{ question: 'who', text: `${label}: ${names}` } as const];
      }),
      ...missing.map((text) => ({ question: 'missing', text }) as const),
      ...(days === '' ? [] : [{ question: 'when', text: days } as const]),
      ...steps.map((text) => ({ question: 'steps', text }) as const),
    ]),
    figures: [
      ['companies before', old],
      ['companies now', now],
      ['joined', moves.joined || null],
      ['left', moves.left || null],
      ['changed', moves.changed],
      ['of these with another target', moves.kinds.targets || null],
      ['of these with new figures', moves.kinds.new_figures || null],
      ['of these with changed figures', moves.kinds.changed_figures || null],
      ['of these with fewer figures', moves.kinds.fewer_figures || null],
      ['of these with another match', moves.kinds.match || null],
      ['of these in other fields only', moves.kinds.other || null],
    ],
  };
}

function namesOf(differences: readonly Difference[]): string {
  return naming(
    differences.map(({ name, id }) => name ?? `ID ${id}`),
    maxNamed,
  );
}
