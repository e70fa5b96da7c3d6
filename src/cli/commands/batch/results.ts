/* The rows of a list with their results: the user's own columns, followed by those of carbon. */
import { basename, dirname, relative } from 'node:path';
import type { Batch } from '../../../batch/batch.ts';
import { type RowPlan, reportProblem } from '../../../list/row-action.ts';
import { methodSheet } from '../../../table/output-sheet.ts';
import { copiedCell } from '../../../workbook/cell-value.ts';
import type { WrittenCell } from '../../../workbook/write-workbook.ts';
import type { OutFile } from '../../output/out-file.ts';
import { writtenBy } from '../../output/record-file.ts';
import type { Session } from '../../session.ts';

/** The columns that follow those of the list. */
export const outcomeColumns = ['carbon_id', 'carbon_status', 'carbon_reason'] as const;

/** Returns the cells of the user, with their types in a workbook. */
export function ownCells({ row }: RowPlan, isWorkbook: boolean): readonly WrittenCell[] {
  const { cells, kinds = [], exported = cells } = row;
  return isWorkbook
    ? exported.map((cell, column) => copiedCell(cell, kinds[column] ?? 'text'))
    : exported;
}

/** Returns the status of a row. */
export function statusOf(plan: RowPlan): string {
  if (plan.step === 'done') return 'registered';
  if (plan.step === 'invalid') return 'invalid';
  if (plan.step === 'rejected') return 'rejected';
  return plan.postponed === undefined ? 'not registered' : 'postponed';
}

/** Returns why a row is not registered; empty for one that is. */
export function reasonOf(plan: RowPlan): string {
  if (plan.step === 'done') return '';
  if (plan.step === 'invalid') return plan.problems.map(reportProblem).join('; ');
  if (plan.step === 'rejected') return plan.error.message;
  return plan.postponed?.message ?? 'the next run registers it';
}

/**
 * Writes the rows of a list with their results.
 * @throws as `OutFile.writeTable` does
 */
export async function writeResults(
  session: Session,
  opened: Batch,
  out: OutFile,
  list: string,
): Promise<void> {
  const { header, sheet = 'Results', delimiter } = opened.table.dialect;
  const isWorkbook = out.extension === '.xlsx';
  async function* rows() {
    for await (const plan of opened.plans()) {
      const id = plan.step === 'done' ? plan.id : null;
      const synthetic = session.view.synthetic || null;
      yield [...ownCells(plan, isWorkbook), id, statusOf(plan), reasonOf(plan), synthetic];
    }
  }
  const about = () => [...writtenBy(session), ['list', basename(list)] as const];
  const columns = [...header, ...outcomeColumns, 'synthetic'];
  const link = relative(dirname(out.path), list);
  await out.writeTable({ name: sheet, columns, rows: rows(), delimiter, list: link }, [
    methodSheet(about),
  ]);
}
