import type { OrganizationId } from '../api/ids.ts';
import type { Registration } from '../registration/fields.ts';
import type { CarbonError } from '../runtime/carbon-error.ts';
import type { Mapping } from './columns.ts';
import { type Finding, FindingsCounter } from './findings.ts';
import {
  type CheckedRow,
  checkRow,
  type IdentifiedRow,
  type IdentifiedTable,
  identifyRows,
} from './identified-rows.ts';
import { readRefusal } from './journal/format.ts';
import type { Journals } from './journal/journals.ts';
import {
  chooseAction,
  type RowAction,
  type RowActionCounts,
  type RowActionOptions,
  type RowProblem,
} from './row-action.ts';

/** The result of checking the entire file before anything is sent. */
export interface Preflight {
  /** Number of rows of this run, without blank lines, repeated headers and other shards' rows. */
  readonly rows: number;
  readonly counts: Readonly<RowActionCounts>;
  /** Number of rows that belong to other shards. */
  readonly elsewhere: number;
  /** What a user should know before the rows are sent. */
  readonly findings: readonly Finding[];
  /** The problems of the first rows that are invalid or lose an identifier. */
  readonly problems: readonly RowProblem[];
  /** Number of invalid identifiers that are left out of rows to be sent. */
  readonly dropped: number;
}

/** Options of the check. */
export interface PreflightOptions extends RowActionOptions {
  /** Maximum number of problems in the result. */
  readonly maxProblems: number;
  readonly signal: AbortSignal;
  /** Called with the number of rows read so far, including those of other shards. */
  readonly onRows?: ((rows: number) => void) | undefined;
  /** Called with the id of each row that an earlier run registered. */
  readonly onDone?: ((id: OrganizationId) => void) | undefined;
}

/**
 * Checks the entire file and records the first line of each key.
 *
 * @throws UsageError and LocalError like `identifyRows`; the signal's reason if it is aborted
 */
export async function preflight(
  table: IdentifiedTable,
  { rows: known }: Journals,
  options: PreflightOptions,
): Promise<Preflight> {
  const counts: Record<RowAction, number> = {
    new: 0,
    done: 0,
    refused: 0,
    duplicate: 0,
    invalid: 0,
  };
  const problems: RowProblem[] = [];
  let dropped = 0;
  let rows = 0;
  let elsewhere = 0;
  const counter = new FindingsCounter(table.mapping);
  for await (const group of identifyRows(table)) {
    options.signal.throwIfAborted();
    for (const row of group.rows) {
      const same = known.add(row.key);
      const isFirst = same.line === 0;
      if (isFirst) same.line = row.line;
      let checked: CheckedRow | undefined;
      const isValid = () => {
        checked = checkRow(row.values);
        return rowProblems(row, checked).length === 0;
      };
      const step = chooseAction(same, isFirst, isValid, options);
      counts[step] += 1;
      if (same.id !== undefined) options.onDone?.(same.id);
      if (step !== 'invalid') counter.addRow(row, step, checked);
      if (step === 'new') dropped += row.dropped?.length ?? 0;
      if (problems.length >= options.maxProblems) continue;
      if (step === 'invalid') problems.push(...rowProblems(row, checked));
      if (step === 'new') problems.push(...droppedOf(row));
    }
    rows += group.rows.length;
    elsewhere += group.elsewhere;
    counter.addGroup(group);
    options.onRows?.(rows + elsewhere);
  }
  return {
    rows,
    counts,
    elsewhere,
    findings: counter.findings,
    problems: problems.slice(0, options.maxProblems),
    dropped,
  };
}

/** Describes what a run would do with one row. */
export type RowPlan = { readonly line: number; readonly row: IdentifiedRow } & (
  | {
      readonly step: 'new';
      readonly registration: Registration;
      /** Values that the registration leaves out. */
      readonly dropped: readonly RowProblem[];
    }
  | { readonly step: 'done'; readonly id: OrganizationId | undefined }
  | { readonly step: 'duplicate'; readonly firstLine: number }
  | { readonly step: 'refused'; readonly error: CarbonError }
  | { readonly step: 'invalid'; readonly problems: readonly RowProblem[] }
);

/** Reads the file again after the check, and yields the plan for each row in its order. */
export async function* planRows(
  table: IdentifiedTable,
  { rows: known }: Journals,
  options: RowActionOptions,
): AsyncGenerator<RowPlan, void, void> {
  for await (const group of identifyRows(table)) {
    for (const row of group.rows) {
      const { line } = row;
      const same = known.get(row.key);
      const firstLine = same?.line ?? line;
      const problems = rowProblems(row);
      const step = chooseAction(same, firstLine === line, () => problems.length === 0, options);
      if (step === 'invalid') yield { step, line, row, problems };
      else if (step === 'refused') yield { step, line, row, error: readRefusal(same) };
      else if (step === 'done') yield { step, line, row, id: same?.id };
      else if (step === 'duplicate') yield { step, line, row, firstLine };
      else {
        const { registration } = checkRow(row.values);
        yield { step, line, row, registration, dropped: droppedOf(row) };
      }
    }
  }
}

const noProblems: readonly RowProblem[] = [];

/** Returns all problems of a row; an empty list for a valid row. */
export function rowProblems(
  { line, problem, values, missingName, mapping }: IdentifiedRow,
  checked: CheckedRow = checkRow(values),
): readonly RowProblem[] {
  if (problem !== undefined)
    return [{ line, field: undefined, column: undefined, value: '', problem }];
  if (checked.problems.length === 0) return noProblems;
  return checked.problems.map((checkedProblem) => ({
    line,
    column: columnOf(mapping, checkedProblem.field),
    ...checkedProblem,
    ...(checkedProblem.field === 'name' &&
      missingName && { problem: `is missing: the cell contains "${missingName}"` }),
  }));
}

/** Returns the problems of the values that were dropped from a row. */
function droppedOf({ line, mapping, dropped }: IdentifiedRow): readonly RowProblem[] {
  if (dropped === undefined) return noProblems;
  return dropped.map((problem) => ({
    line,
    column: columnOf(mapping, problem.field),
    ...problem,
    isDropped: true as const,
  }));
}

function columnOf({ columns }: Mapping, field: string): string | undefined {
  return columns.find((column) => column.field === field)?.column;
}
