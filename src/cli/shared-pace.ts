/*
 * Chooses what paces the requests of a run: a pacer of its own, or with CARBON_PACE the permits
 * that all processes of the account share. The client of Redis loads only then.
 */
import type { PaceAddress } from '../pace/pace-address.ts';
import { Pacer, type PacerOptions, type RequestPacer } from '../pace/pacer.ts';
import type { PacedOperation } from '../pace/redis-bucket.ts';
import type { PaceNotice } from '../pace/shared-pacer.ts';
import { UsageError } from '../runtime/carbon-error.ts';
import type { Session } from './session.ts';

/** Minimum time between two reports of a lost server. */
const reportEveryMs = 60_000;

/**
 * Reads CARBON_PACE.
 *
 * @returns undefined if it is not set
 * @throws UsageError for an invalid address
 */
export async function readPace({ context, messages }: Session): Promise<PaceAddress | undefined> {
  const text = context.env['CARBON_PACE'];
  if (text === undefined || text === '') return undefined;
  const { readPaceAddress } = await import('../pace/pace-address.ts');
  const address = readPaceAddress(text);
  if (address.password !== undefined) messages.hide(address.password);
  return address;
}

/**
 * Opens the pacer of a run. The session must be connected, and closes the pacer.
 *
 * If the server cannot be reached, the run continues alone and reports that.
 * @throws UsageError if the address is invalid or the server refuses the login
 */
export async function openPacer(
  session: Session,
  options: PacerOptions & { readonly operation: PacedOperation },
): Promise<RequestPacer> {
  const { account } = session;
  const address = account === undefined ? undefined : await readPace(session);
  if (address === undefined || account === undefined) return new Pacer(options);
  const [{ RedisBucket }, { SharedPacer }] = await Promise.all([
    import('../pace/redis-bucket.ts'),
    import('../pace/shared-pacer.ts'),
  ]);
  const { clock } = session.context;
  const bucket = new RedisBucket(address, account, options.operation);
  const pacer = new SharedPacer({ ...options, bucket, clock, onNotice: noticeReporter(session) });
  session.onClose(async () => {
    await pacer.close();
    bucket.close();
  });
  await bucket.open();
  const error = await pacer.open();
  if (error !== undefined)
    throw new UsageError(
      `The shared pace cannot be used: ${error.message}`,
      'Correct CARBON_PACE. The user needs the permissions in docs/operations.md.',
    );
  return pacer;
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
    } else if (isReported) {
      isReported = false;
      messages.print({
        level: 'detail',
        text: 'The shared pace works again',
        event: { event: 'pace', state: 'back' },
      });
    }
  };
}
