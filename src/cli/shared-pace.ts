/*
 * Chooses what paces the requests of a run: a pacer of its own, or with `--pace` the permits that
 * all processes of the account share. The client of Redis loads only then.
 */

import type { PaceAddress } from '../pace/pace-address.ts';
import type { PaceNotice } from '../pace/pace-notice.ts';
import { Pacer } from '../pace/pacer.ts';
import type { PacedOperation } from '../pace/redis-link.ts';
import { UsageError } from '../runtime/carbon-error.ts';
import type { Session } from './session.ts';

/** Paces the requests of one run. */
export type RunPacer = Pick<
  Pacer,
  'delay' | 'sent' | 'responded' | 'exhausted' | 'refusalStreak' | 'permitted'
>;

/** Minimum time between two reports of a lost server. */
const reportEveryMs = 60_000;

/** Configures the pacer of a run. */
export interface RunPacerOptions {
  /** Address of the shared pace; undefined to pace alone. */
  readonly pace: PaceAddress | undefined;
  readonly operation: PacedOperation;
  /** Maximum requests in flight. */
  readonly concurrency: number;
  /** Maximum requests per second. */
  readonly rate?: number | undefined;
}

/**
 * Opens the pacer of a run. The session must be connected, and closes the pacer.
 *
 * If the server cannot be reached, the run continues alone and reports that.
 * @throws UsageError if the server refuses the login or is not a Redis server
 */
export async function openPacer(session: Session, options: RunPacerOptions): Promise<RunPacer> {
  const { pace, operation, concurrency, rate } = options;
  const { account } = session;
  if (pace === undefined || account === undefined)
    return new Pacer(rate === undefined ? { concurrency } : { concurrency, maxRate: rate });
  const { openSharedPacer } = await import('../pace/open-shared-pacer.ts');
  const { clock, random } = session.context;
  const shared = await openSharedPacer({
    address: pace,
    account,
    operation,
    concurrency,
    maxRate: rate,
    clock,
    random: () => random(),
    onNotice: noticeReporter(session),
  });
  if ('error' in shared) {
    throw new UsageError(
      `The shared pace cannot be used: ${shared.error}`,
      'Correct --pace or CARBON_PACE; a password belongs in CARBON_PACE.',
    );
  }
  session.onClose(() => shared.close());
  return shared.pacer;
}

/* Reports a lost server once a minute at most, and its return only if the loss was reported. */
function noticeReporter({ context, messages }: Session): (notice: PaceNotice) => void {
  let reportedAt = Number.NEGATIVE_INFINITY;
  let isReported = false;
  return (notice) => {
    const now = context.clock.elapsed();
    if (notice.kind === 'lost') {
      if (now - reportedAt < reportEveryMs) return;
      reportedAt = now;
      isReported = true;
      const { reason, perSecond } = notice;
      const share =
        perSecond === undefined
          ? ''
          : ` with at most ${Number(perSecond.toPrecision(2))} requests/s`;
      messages.print({
        level: 'warning',
        text: `The shared pace is lost (${reason}); this process continues alone${share}`,
        event: { event: 'pace', state: 'lost', reason, rate: perSecond },
      });
    } else if (notice.kind === 'flushed') {
      messages.print({
        level: 'warning',
        text: 'The shared pace was deleted; it resumes at the last rate',
        event: { event: 'pace', state: 'flushed' },
      });
    } else if (isReported) {
      isReported = false;
      messages.print({
        level: 'result',
        text: 'The shared pace works again',
        event: { event: 'pace', state: 'back' },
      });
    }
  };
}
