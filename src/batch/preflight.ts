import type { Journals } from '../list/journals.ts';
import {
  judgeRow,
  problemsOf,
  type RowActionCounts,
  type RowActionOptions,
  type RowProblem,
} from '../list/row-action.ts';
import { type IdentifiedTable, identifyRows } from '../list/rows.ts';
import { type Finding, FindingsCounter } from './findings.ts';

/** The result of checking the entire file before anything is sent. */
export interface Preflight {
  /** Number of rows of this run, without blank lines and repeated headers. */
  readonly rows: number;
  readonly counts: Readonly<RowActionCounts>;
  /** What a user should know before the rows are sent. */
  readonly findings: readonly Finding[];
  /** The problems of the first rows that are invalid or lose an identifier. */
  readonly problems: readonly RowProblem[];
  /** Number of invalid identifiers that are left out of rows to be sent. */
  readonly dropped: number;
  /** Number of invalid rows that no earlier run reported. */
  readonly newlyInvalid: number;
  /** Number of new rows that an earlier run failed on. */
  readonly postponed: number;
}

/** Options of the check. */
export interface PreflightOptions extends RowActionOptions {
  /** Maximum number of problems in the result. */
  readonly maxProblems: number;
  readonly signal: AbortSignal;
  /** Called with the number of rows read so far. */
  readonly onRows?: ((rows: number) => void) | undefined;
}

/**
 * Checks the entire file and records which line of each key is sent.
 *
 * @throws UsageError and LocalError like `identifyRows`; the signal's reason if it is aborted
 */
export async function preflight(
  table: IdentifiedTable,
  { rows: known }: Journals,
  options: PreflightOptions,
): Promise<Preflight> {
  const counts = { new: 0, done: 0, rejected: 0, duplicate: 0, invalid: 0 };
  const problems: RowProblem[] = [];
  let [rows, dropped, newlyInvalid, postponed] = [0, 0, 0, 0];
  const counter = new FindingsCounter(table.mapping);
  for await (const group of identifyRows(table)) {
    options.signal.throwIfAborted();
    for (const row of group.rows) {
      const same = known.add(row.key);
      const plan = judgeRow(row, same, options);
      const hasFailed = same.failures.failure !== undefined;
      counts[plan.step] += 1;
      if (plan.step === 'invalid' && !hasFailed) newlyInvalid += 1;
      if (plan.step === 'new') {
        same.line = plan.line;
        dropped += plan.dropped.length;
        if (hasFailed) postponed += 1;
      }
      if (problems.length < options.maxProblems) problems.push(...problemsOf(plan));
      counter.addRow(plan);
    }
    rows += group.rows.length;
    counter.addGroup(group);
    options.onRows?.(rows);
  }
  const { findings } = counter;
  return { rows, counts, findings, problems, dropped, newlyInvalid, postponed };
}
