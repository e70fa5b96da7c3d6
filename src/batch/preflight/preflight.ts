import { type IdentifiedRow, type IdentifiedTable, identifyRows } from '../csv/identified-rows.ts';
import { type CheckedRow, checkRow, hasUnclearRegion } from '../csv/row-registration.ts';
import type { KeyIndex } from '../journal/key-index.ts';
import {
  chooseAction,
  type RowAction,
  type RowActionCounts,
  type RowActionOptions,
  type RowProblem,
} from '../row-action.ts';
import { type Findings, FindingsCounter } from './findings.ts';

/** How many lines of doubtful rows are kept to be named. */
const maxLines = 20;
/* How many values that are left out are kept to be named. */
const maxDropped = 20;

/** What the check of the whole file found, before anything is sent. */
export interface Preflight {
  /** Rows of this run: blank lines, repeated headers and other shards' rows left out. */
  readonly rows: number;
  readonly counts: Readonly<RowActionCounts>;
  /** Rows of other shards. */
  readonly elsewhere: number;
  /** What a person should see before the rows are sent. */
  readonly findings: Findings;
  /** The first invalid rows, each problem of its own. */
  readonly problems: readonly RowProblem[];
  /**
   * Values that are left out of rows to be sent, because `--drop-invalid-ids` says so: how many,
   * and the first ones.
   */
  readonly dropped: { readonly count: number; readonly problems: readonly RowProblem[] };
  /**
   * Rows to be sent whose country is `NA`, which is not sent: how many, and the lines of the first
   * ones.
   */
  readonly unclearRegions: { readonly count: number; readonly lines: readonly number[] };
}

/** What the check may be told. */
export interface PreflightOptions extends RowActionOptions {
  /** How many problems are kept. */
  readonly maxProblems: number;
  readonly signal: AbortSignal;
  /** Told how many rows were read so far. */
  readonly onRows?: ((rows: number) => void) | undefined;
}

/**
 * Reads and checks the whole file, and notes in the index each key's first line.
 * @throws UsageError or LocalError as `identifyRows`; the signal's reason when it is aborted
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
        const found = rowProblems(row, checked);
        if (problems.length < options.maxProblems) problems.push(...found);
        return found.length === 0;
      };
      const step = chooseAction(index.state(entry), isFirst, isValid, options);
      counts[step] += 1;
      if (step !== 'invalid') findings.takeRow(row, step, checked);
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
    findings.takeGroup(group);
    options.onRows?.(rows + elsewhere);
  }
  const kept = problems.slice(0, options.maxProblems);
  return {
    rows,
    counts,
    elsewhere,
    findings: findings.end(),
    problems: kept,
    dropped,
    unclearRegions: unclear,
  };
}

/** Everything that is wrong with a row; nothing for a row that may be sent. */
export function rowProblems(
  { line, problem, values, missingName }: IdentifiedRow,
  checked: CheckedRow = checkRow(values),
): readonly RowProblem[] {
  if (problem !== undefined) return [{ line, field: undefined, value: '', problem }];
  return checked.problems.map((found) => ({
    line,
    ...found,
    ...(found.field === 'name' &&
      missingName && { problem: `is missing: the cell has "${missingName}"` }),
  }));
}

/** The values that are left out of a row. */
export function droppedOf({ line, dropped = [] }: IdentifiedRow): readonly RowProblem[] {
  return dropped.map((found) => ({ line, ...found }));
}
