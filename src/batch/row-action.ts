import type { OrganizationId } from '../api/ids.ts';
import type { Problem, Registration } from '../registration/fields.ts';
import type { CarbonError } from '../runtime/carbon-error.ts';
import {
  checkRow,
  type IdentifiedRow,
  type IdentifiedTable,
  identifyRows,
} from './identified-rows.ts';
import { readRefusal } from './journal/format.ts';
import type { Journals } from './journal/journals.ts';
import type { KnownRow } from './journal/known-rows.ts';

/** Describes what a run does with one row: `new` is sent, the others are not. */
export type RowPlan = { readonly line: number; readonly row: IdentifiedRow } & (
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
  /** Rejected by the service, or failed in too many runs. */
  | { readonly step: 'refused'; readonly error: CarbonError }
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
 * Decides what to do with a row. `identifyRows` has left out totals and the rows of other shards.
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
    return { line, row, step: 'invalid', problems: describeProblems(row, problems) };
  const { refusal, isRefusedNow } = known?.failures ?? {};
  if (refusal !== undefined && (isRefusedNow || !retryFailed))
    return { line, row, step: 'refused', error: readRefusal(refusal) };
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
    for (const row of rows) yield judgeRow(row, known.get(row.key), options);
}

const noProblems: readonly RowProblem[] = [];

/** Returns what is wrong with a row: why it is invalid, or what is left out of it. */
export function problemsOf(plan: RowPlan): readonly RowProblem[] {
  if (plan.step === 'invalid') return plan.problems;
  return plan.step === 'new' ? plan.dropped : noProblems;
}

function describeProblems(
  { line, problem, missingName, mapping }: IdentifiedRow,
  problems: readonly Problem[],
): readonly RowProblem[] {
  if (problem !== undefined)
    return [{ line, field: undefined, column: undefined, value: '', problem }];
  return problems.map((each) => ({
    line,
    column: columnOf(mapping, each.field),
    ...each,
    ...(each.field === 'name' &&
      missingName && { problem: `is missing: the cell contains "${missingName}"` }),
  }));
}

function describeDropped({ line, mapping, dropped }: IdentifiedRow): readonly RowProblem[] {
  if (dropped === undefined) return noProblems;
  return dropped.map((problem) => ({
    line,
    column: columnOf(mapping, problem.field),
    ...problem,
    isDropped: true as const,
  }));
}

function columnOf({ columns }: IdentifiedRow['mapping'], field: string): string | undefined {
  return columns.find((column) => column.field === field)?.column;
}
