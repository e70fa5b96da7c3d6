/* Stops a run whose list has lost most of its organizations, as after an export that failed. */

import { count, plural } from '../../../../display/terminal/format.ts';
import type { Batch } from '../../../../lists/batch/batch.ts';
import { isTruncated, type Removed } from '../../../../lists/kept/listing.ts';
import { invalidInput } from '../../../../runtime/carbon-error.ts';
import type { Session } from '../../../session.ts';
import type { BatchFlags } from './open-list.ts';

/**
 * Compares a list with what the last run that finished found in it.
 * @throws UsageError if none or less than half of its organizations remain, unless
 * `--accept-removed` accepts it
 */
export function checkListing(
  session: Session,
  batch: Batch,
  { had, removed }: Removed,
  flags: BatchFlags,
): void {
  const { list, preflight } = batch;
  const { rows } = preflight;
  const remaining = had - removed;
  const organizations = plural(had, 'organization');
  if (removed > 0 && flags.acceptRemoved) {
    const text = `Accepted: ${list} has ${count.format(remaining)} of the ${organizations} that it had`;
    session.messages.print({ level: 'detail', text });
  } else if (isTruncated({ had, removed })) {
    // The metrics show what the list has.
    session.summary = { listed: remaining };
    const has = `${list} has ${rows === 0 ? 'no rows' : plural(rows, 'row')}`;
    const what =
      rows === 0
        ? `${has}, but it had ${organizations}`
        : had === 1
          ? `${has}, without the only organization that it had`
          : `${has}, with ${remaining === 0 ? 'none' : count.format(remaining)} of the ${organizations} that it had`;
    throw invalidInput(
      `${what}; nothing was sent`,
      `If the file is incomplete, restore it and run the same command again. If you removed or edited these rows, accept the list as it is, once: ${session.again({ add: ['--accept-removed'], without: ['--dry-run'] })}`,
    );
  } else warnOfRemoved(session, batch, { had, removed });
}

/** Warns of a list that has lost more than half of its organizations. */
export function warnOfRemoved(
  { messages }: Session,
  { list, preflight: { rows } }: Batch,
  { had, removed }: Removed,
): void {
  if (2 * removed > had)
    messages.warn(
      `${list} has ${plural(rows, 'row')}, with ${count.format(had - removed)} of the ${plural(had, 'organization')} that it had. If the file is incomplete, restore it and run the same command again. Their records are kept.`,
    );
}
