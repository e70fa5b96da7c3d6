import type { BatchOptions } from '../../../batch/batch.ts';
import { Batch } from '../../../batch/batch.ts';
import type { Preflight } from '../../../batch/preflight.ts';
import { count } from '../../../terminal/format.ts';
import { withLiveStatus } from '../../live-status.ts';
import type { Session } from '../../session.ts';

/**
 * Checks a file while a terminal shows how many rows carbon has checked, and records the rows for
 * the metrics.
 */
export async function openBatch(
  session: Session,
  options: Omit<BatchOptions, 'onRows'>,
  limitMemory: () => void,
): Promise<Batch> {
  let checked = 0;
  const onRows = (rows: number) => {
    checked = rows;
    limitMemory();
  };
  const status = () => `Checking rows${checked > 0 ? `: ${count.format(checked)}` : ''}`;
  const opened = await withLiveStatus(session, status, () => Batch.open({ ...options, onRows }));
  recordCheck(session, opened.preflight);
  return opened;
}

/* Nothing was sent yet, so new rows and duplicates are left. */
function recordCheck({ recorder }: Session, { counts, rows }: Preflight): void {
  const { done: skipped, refused, invalid } = counts;
  const outcomes = { registered: 0, skipped, duplicate: 0, refused, postponed: 0, invalid };
  const left = rows - skipped - refused - invalid;
  recorder?.setWork({ subject: 'rows', outcomes, left });
}
