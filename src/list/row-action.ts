import type { OrganizationId } from '../api/ids.ts';
import type { Problem, Registration } from '../registration/fields.ts';
import { type CarbonError, invalidInput, type UsageError } from '../runtime/carbon-error.ts';
import { cut } from '../terminal/format.ts';
import type { Journals } from './journals.ts';
import { readReason } from './journals.ts';
import type { KnownRow } from './known-rows.ts';
import { checkRow, type IdentifiedRow, type IdentifiedTable, identifyRows } from './rows.ts';

/** Describes what a run does with one row: `new` is sent, the others are not. */
export type RowPlan = {
  readonly line: number;
  readonly row: IdentifiedRow;
  /** Why an earlier attempt failed, if it may succeed later; `judgeRow` does not set it. */
  readonly postponed?: CarbonError | undefined;
} & (
  | {
      readonly step: 'new';
      readonly registration: Registration;
      /** Values that the registration leaves out. */
      readonly dropped: readonly RowProblem[];
    }
  /** Registered, whatever else is known about the row. */
  | { readonly step: 'done'; readonly id: OrganizationId }
  /** Equal to the row at `firstLine`, which is sent for both. */
  | { readonly step: 'duplicate'; readonly firstLine: number }
  /** Rejected by the service. */
  | { readonly step: 'rejected'; readonly error: CarbonError }
  | { readonly step: 'invalid'; readonly problems: readonly RowProblem[] }
);

/** Names what a run does with a row. */
export type RowAction = RowPlan['step'];

/** Counts rows by action. */
export type RowActionCounts = Record<RowAction, number>;

/** Options that change which rows a run sends. */
export interface RowActionOptions {
  /** Sends rows again that the service refused in an earlier run. */
  readonly retryFailed?: boolean | undefined;
}

/** Describes what is wrong with a row of the file. */
export interface RowProblem extends Omit<Problem, 'field'> {
  /** Physical line of the file, from 1. */
  readonly line: number;
  /** Undefined when the complete row is wrong. */
  readonly field: string | undefined;
  /** The header of the field's column. */
  readonly column: string | undefined;
  /** Whether the row is sent without the value. */
  readonly isDropped?: true;
}

/**
 * Decides what to do with a row. `identifyRows` has left out totals.
 *
 * This rule is all there is to resuming a run: a row that a journal calls done is skipped, even
 * when the file has changed, and every other row is sent once.
 * @param known undefined if nothing is known about the key
 */
export function judgeRow(
  row: IdentifiedRow,
  known: KnownRow | undefined,
  { retryFailed = false }: RowActionOptions = {},
): RowPlan {
  const { line } = row;
  if (known?.id !== undefined) return { line, row, step: 'done', id: known.id };
  const { registration, problems } = checkRow(row.values);
  if (row.problem !== undefined || problems.length > 0)
    return { line, row, step: 'invalid', problems: describeInvalid(row, problems) };
  const { refusal, isRefusedNow } = known?.failures ?? {};
  if (refusal !== undefined && (isRefusedNow || !retryFailed))
    return { line, row, step: 'rejected', error: readReason(refusal) };
  const firstLine = known?.line || line;
  if (firstLine !== line) return { line, row, step: 'duplicate', firstLine };
  return { line, row, step: 'new', registration, dropped: describeDropped(row) };
}

/** Reads the file again after the check, and yields the plan for each row in its order. */
export async function* planRows(
  table: IdentifiedTable,
  { rows: known }: Journals,
  options?: RowActionOptions,
): AsyncGenerator<RowPlan, void, void> {
  for await (const { rows } of identifyRows(table))
    for (const row of rows) {
      const same = known.get(row.key);
      const { failure } = same?.failures ?? {};
      const plan = judgeRow(row, same, options);
      yield failure === undefined ? plan : { ...plan, postponed: readReason(failure) };
    }
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

function describeDropped(row: IdentifiedRow): readonly RowProblem[] {
  return (row.dropped ?? []).map((each) => ({ ...describe(row, each), isDropped: true }));
}

function describe({ line, mapping, missingName }: IdentifiedRow, problem: Problem): RowProblem {
  const { field } = problem;
  const column = mapping.columns.find((each) => each.field === field)?.column;
  const missing = field === 'name' &&
    missingName && { problem: `is missing: the cell contains "${missingName}"` };
  return { line, column, ...problem, ...missing };
}

/** Returns the error of a row with these problems. */
export function invalidRow(problems: readonly RowProblem[]): UsageError {
  return invalidInput(problems.map(reportProblem).join('; '));
}

/** Describes one problem with the user's header, such as `LEI Code "529" is not an LEI`. */
export function reportProblem({ field, column, value, problem, meant }: RowProblem): string {
  const named = /^\d+$/.test(column ?? '') ? `column ${column}` : column || field;
  const subject = `${cut(named ?? 'the row', 60)}${value === '' ? '' : ` "${cut(value, 60)}"`}`;
  return `${subject} ${problem}${meant === undefined ? '' : `; did you mean ${meant}?`}`;
}
