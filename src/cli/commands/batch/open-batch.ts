import { Batch } from '../../../batch/batch.ts';
import type { BatchOptions } from '../../../batch/check-file.ts';
import { count } from '../../../terminal/format.ts';
import { withLiveStatus } from '../../live-status.ts';
import type { Session } from '../../session.ts';

/** Checks a file while a terminal shows how many rows carbon has checked. */
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
  return withLiveStatus(session, status, () => Batch.open({ ...options, onRows }));
}
