/* What the first sheet of a workbook of records says. */
import { answerLines } from '../../display/terminal/answers.ts';
import { count } from '../../display/terminal/format.ts';
import type { Labelled, SummaryContent } from '../../lists/table/summary-sheet.ts';
import { quotingLimit } from '../organizations/quoting.ts';
import { companies, type NextCommands, reportStep } from '../organizations/statements.ts';
import { type ListStatement, listAnswers } from './list-statements.ts';

/** What a list found, and what its reader can do. */
export interface ListOnSheet {
  readonly said: readonly ListStatement[];
  readonly organizations: number;
  /** Organizations with emissions. */
  readonly disclosing: number;
  /** Rows of the sheet. */
  readonly rows: number;
  /** What is missing in the records, besides figures. */
  readonly missing: readonly string[];
  readonly isSynthetic: boolean;
  /** Whether it has emissions in a unit that nobody declared. */
  readonly isUnitUnknown: boolean;
  /** Undefined if the records are from standard input. */
  readonly commands: NextCommands | undefined;
}

/** Returns what the first sheet says. */
export function listSummary({
  said,
  organizations,
  disclosing,
  rows,
  missing,
  isSynthetic,
  isUnitUnknown,
  commands,
}: ListOnSheet): Pick<SummaryContent, 'answers' | 'figures'> {
  const silent = organizations - disclosing;
  const without = `${count.format(silent)} of ${companies(organizations)} ${silent === 1 ? 'has' : 'have'} no emissions`;
  const isSaid = said.some(({ rule }) => rule === 'missing');
  const limit = [quotingLimit(isSynthetic, 'known') ?? []].flat();
  const unit = isUnitUnknown ? ['Unit of emissions unknown: the service documents none'] : [];
  const steps =
    commands === undefined
      ? []
      : [reportStep(commands.report), `Check the figures before you quote them: ${commands.check}`];
  const figures: Labelled = [
    ['companies', organizations],
    ['of these with emissions', disclosing],
    ['rows of the table', rows === organizations ? null : rows],
  ];
  return {
    answers: answerLines([
      ...said.slice(0, 1),
      ...limit.map((text) => ({ question: 'sure', text }) as const),
      ...listAnswers(said).slice(1),
      ...unit.map((text) => ({ question: 'sure', text }) as const),
      ...[...(silent > 0 && !isSaid ? [without] : []), ...missing].map(
        (text) => ({ question: 'missing', text }) as const,
      ),
      ...steps.map((text) => ({ question: 'steps', text }) as const),
    ]),
    figures,
  };
}
