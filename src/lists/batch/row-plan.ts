/* What a run does with a row of a list: whether it sends it, and if not, why. */
import type { OrganizationId } from '../../client/api/ids.ts';
import {
  identifierFields,
  type Problem,
  type Registration,
} from '../../client/registration/fields.ts';
import { cut } from '../../display/terminal/format.ts';
import { type CarbonError, invalidInput, type UsageError } from '../../runtime/carbon-error.ts';
import { readReason } from '../kept/journal.ts';
import type { KnownRow } from '../kept/known-rows.ts';
import { checkRow, type IdentifiedRow } from '../list/rows.ts';

const idFields: ReadonlySet<string> = new Set(
  identifierFields.filter(({ isUnique }) => isUnique).map(({ name }) => name),
);

/** Describes what a run does with one row: `new` is sent, the others are not. */
export type RowPlan = {
  readonly line: number;
  readonly row: IdentifiedRow;
  /** Why an earlier attempt failed, if it may succeed later; `judgeRow` does not set it. */
  readonly postponed?: CarbonError | undefined;
  /** Line of the row that this run was to send for this one; `judgeRow` does not set it. */
  readonly sentAs?: number | undefined;
  /** Why this run did not register the row, although it sent it; `judgeRow` does not set it. */
  readonly failed?: CarbonError | undefined;
} & (
  | {
      readonly step: 'new';
      readonly registration: Registration;
      /** Values that the registration leaves out. */
      readonly dropped: readonly RowProblem[];
    }
  | { readonly step: 'done'; readonly id: OrganizationId }
  /** Equal to the row at `firstLine`, which is sent for both. */
  | { readonly step: 'duplicate'; readonly firstLine: number }
  | { readonly step: 'rejected'; readonly error: CarbonError }
  | { readonly step: 'invalid'; readonly problems: readonly RowProblem[] }
);

export type RowActionCounts = Record<RowPlan['step'], number>;

export interface RowActionOptions {
  /** Whether rows are sent again that the service rejected in an earlier run. */
  readonly retryFailed?: boolean | undefined;
  /** Whether invalid optional identifiers are left out instead of making a row invalid. */
  readonly dropInvalidIds?: boolean | undefined;
}

export interface RowProblem extends Omit<Problem, 'field'> {
  /** Physical line of the file, from 1. */
  readonly line: number;
  /** Undefined when the complete row is wrong. */
  readonly field: string | undefined;
  readonly column: string | undefined;
  /** Whether the row is sent without the value. */
  readonly isDropped?: boolean;
}

/**
 * Decides what to do with a row. Resuming a run needs no other rule: a row that a journal
 * calls done is skipped, even when the file has changed, and every other row is sent once.
 * @param known undefined if nothing is known about the key
 */
export function judgeRow(
  row: IdentifiedRow,
  known: KnownRow | undefined,
  { retryFailed = false, dropInvalidIds = false }: RowActionOptions = {},
): RowPlan {
  const { line } = row;
  if (known?.id !== undefined) return { line, row, step: 'done', id: known.id };
  const { registration, problems } = checkRow(row.values);
  const wrong = dropInvalidIds ? problems.filter(({ field }) => !idFields.has(field)) : problems;
  if (row.problem !== undefined || wrong.length > 0)
    return { line, row, step: 'invalid', problems: describeInvalid(row, wrong) };
  const { refusal, isRefusedNow } = known?.failures ?? {};
  if (refusal !== undefined && (isRefusedNow || !retryFailed))
    return { line, row, step: 'rejected', error: readReason(refusal) };
  const firstLine = known?.line || line;
  if (firstLine !== line) return { line, row, step: 'duplicate', firstLine };
  const dropped = problems.map((each) => ({ ...describe(row, each), isDropped: true }));
  return { line, row, step: 'new', registration, dropped };
}

/** Whether `dropInvalidIds` leaves out the value instead of the row. */
export function isDroppable({ field }: RowProblem): boolean {
  return field !== undefined && idFields.has(field);
}

/** Returns what is wrong with a row: why it is invalid, or what is left out of it. */
export function problemsOf(plan: RowPlan): readonly RowProblem[] {
  if (plan.step === 'invalid') return plan.problems;
  return plan.step === 'new' ? plan.dropped : [];
}

function describeInvalid(row: IdentifiedRow, problems: readonly Problem[]): readonly RowProblem[] {
  const { line, problem } = row;
  if (problem === undefined) return problems.map((each) => describe(row, each));
  return [{ line, field: undefined, column: undefined, value: '', problem }];
}

function describe({ line, mapping }: IdentifiedRow, problem: Problem): RowProblem {
  const column = mapping.columns.find(({ field }) => field === problem.field)?.column;
  return { line, column, ...problem };
}

export function invalidRow(problems: readonly RowProblem[]): UsageError {
  return invalidInput(problems.map(reportProblem).join('; '));
}

/** Describes one problem with the user's header, such as `LEI Code "529" is not an LEI`. */
export function reportProblem({ field, column, value, problem, meant }: RowProblem): string {
  const subject = `${cut(column || (field ?? 'the row'), 60)}${value === '' ? '' : ` "${cut(value, 60)}"`}`;
  return `${subject} ${problem}${meant === undefined ? '' : `; did you mean ${meant}?`}`;
}
