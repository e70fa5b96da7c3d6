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
import { type CheckedRow, checkRow, hasUnclearRegion } from './row-registration.ts';

/** Maximum number of lines that a notice names. */
const maxLines = 20;
/* Maximum number of dropped values that a notice names. */
const maxDropped = 20;

/** The result of checking the entire file before anything is sent. */
export interface Preflight {
  /** Number of rows of this run, without blank lines, repeated headers and other shards' rows. */
  readonly rows: number;
  readonly counts: Readonly<RowActionCounts>;
  /** Number of rows that belong to other shards. */
  readonly elsewhere: number;
  /** What a user should know before the rows are sent. */
  readonly findings: Findings;
  /** The problems of the first invalid rows. */
  readonly problems: readonly RowProblem[];
  /** Values that `--invalid drop-ids` leaves out of rows to be sent: count and first ones. */
  readonly dropped: { readonly count: number; readonly problems: readonly RowProblem[] };
  /** Rows to be sent whose country `NA` is left out: count and first lines. */
  readonly unclearRegions: { readonly count: number; readonly lines: readonly number[] };
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
  const dropped = { count: 0, problems: [] as RowProblem[] };
  const unclear = { count: 0, lines: [] as number[] };
  let rows = 0;
  let elsewhere = 0;
  const findings = new FindingsCounter(table.mapping);
  for await (const group of identifyRows(table)) {
    options.signal.throwIfAborted();
    for (const row of group.rows) {
      const entry = index.add(row.key);
      const isFirst = index.line(entry) === 0;
      if (isFirst) index.setLine(entry, row.line);
      let checked: CheckedRow | undefined;
      const isValid = () => {
        checked = checkRow(row.values);
        const problemsOfRow = rowProblems(row, checked);
        if (problemsOfRow.length === 0) return true;
        if (problems.length < options.maxProblems) problems.push(...problemsOfRow);
        return false;
      };
      const step = chooseAction(index.state(entry), isFirst, isValid, options);
      counts[step] += 1;
      if (step !== 'invalid') findings.addRow(row, step, checked);
      if (step === 'new' && row.dropped !== undefined) {
        dropped.count += row.dropped.length;
        if (dropped.problems.length < maxDropped) dropped.problems.push(...droppedOf(row));
      }
      if (step === 'new' && hasUnclearRegion(row.values)) {
        unclear.count += 1;
        if (unclear.count <= maxLines) unclear.lines.push(row.line);
      }
    }
    rows += group.rows.length;
    elsewhere += group.elsewhere;
    findings.addGroup(group);
    options.onRows?.(rows + elsewhere);
  }
  const kept = problems.slice(0, options.maxProblems);
  return {
    rows,
    counts,
    elsewhere,
    findings: findings.finish(),
    problems: kept,
    dropped,
    unclearRegions: unclear,
  };
}

const noProblems: readonly RowProblem[] = [];

/** Returns all problems of a row; an empty list for a valid row. */
export function rowProblems(
  { line, problem, values, missingName }: IdentifiedRow,
  checked: CheckedRow = checkRow(values),
): readonly RowProblem[] {
  if (problem !== undefined) return [{ line, field: undefined, value: '', problem }];
  if (checked.problems.length === 0) return noProblems;
  return checked.problems.map((checkedProblem) => ({
    line,
    ...checkedProblem,
    ...(checkedProblem.field === 'name' &&
      missingName && { problem: `is missing: the cell contains "${missingName}"` }),
  }));
}

/** Returns the problems of the values that were dropped from a row. */
export function droppedOf({ line, dropped = [] }: IdentifiedRow): readonly RowProblem[] {
  return dropped.map((droppedProblem) => ({ line, ...droppedProblem }));
}
