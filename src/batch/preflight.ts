import type { Mapping } from './columns.ts';
import { type Findings, FindingsCounter } from './findings.ts';
import { type IdentifiedRow, type IdentifiedTable, identifyRows } from './identified-rows.ts';
import type { KeyIndex } from './journal/key-index.ts';
import {
  chooseAction,
  type RowAction,
  type RowActionCounts,
  type RowActionOptions,
  type RowProblem,
} from './row-action.ts';
import { type CheckedRow, checkRow } from './row-registration.ts';

/** The result of checking the entire file before anything is sent. */
export interface Preflight {
  /** Number of rows of this run, without blank lines, repeated headers and other shards' rows. */
  readonly rows: number;
  readonly counts: Readonly<RowActionCounts>;
  /** Number of rows that belong to other shards. */
  readonly elsewhere: number;
  /** What a user should know before the rows are sent. */
  readonly findings: Findings;
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
}

/**
 * Checks the entire file and records the first line of each key in the index.
 *
 * @throws UsageError and LocalError like `identifyRows`; the signal's reason if it is aborted
 */
export async function preflight(
  table: IdentifiedTable,
  index: KeyIndex,
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
      const entry = index.add(row.key);
      const isFirst = index.line(entry) === 0;
      if (isFirst) index.setLine(entry, row.line);
      let checked: CheckedRow | undefined;
      const isValid = () => {
        checked = checkRow(row.values);
        return rowProblems(row, checked).length === 0;
      };
      const step = chooseAction(index.state(entry), isFirst, isValid, options);
      counts[step] += 1;
      if (step !== 'invalid') counter.addRow(row, step, checked);
      if (step === 'new') dropped += row.dropped?.length ?? 0;
      if (problems.length < options.maxProblems) problems.push(...reportedProblems(row, step));
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

/**
 * Returns what a run reports of a row: the problems of an invalid one, and the values that the
 * registration of a new one leaves out.
 */
export function reportedProblems(row: IdentifiedRow, step: RowAction): readonly RowProblem[] {
  if (step === 'invalid') return rowProblems(row);
  return step === 'new' ? droppedOf(row) : noProblems;
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
export function droppedOf({ line, mapping, dropped }: IdentifiedRow): readonly RowProblem[] {
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
