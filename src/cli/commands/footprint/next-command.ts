/* Reports suppliers whose research is in progress, and the command that leads to their records. */
import type { Footprint } from '../../../footprint/calculation/footprint.ts';
import { plural } from '../../../terminal/format.ts';
import type { Session } from '../../session.ts';

/* A command lists at most this many ids, so that people can read it. */
const maxListedIds = 20;

/**
 * Reports the suppliers whose research is in progress, and the command that follows it.
 * @param hasSnapshots whether the records come from `--records`
 */
export function reportResearch(
  session: Session,
  footprint: Footprint,
  hasSnapshots: boolean,
): void {
  if (session.flags.progress === false) return;
  if (footprint.summary().uncovered.in_progress === undefined) return;
  const ids = new Set<string>();
  for (const { uncovered, id } of footprint.rows())
    if (uncovered === 'in_progress' && id !== null) ids.add(String(id));
  if (ids.size === 0) return;
  const command =
    ids.size > maxListedIds
      ? undefined
      : session.commandLine('watch', ...ids) + (hasSnapshots ? ' --json > new.ndjson' : '');
  const then = hasSnapshots ? 'add --records new.ndjson' : 'run this command again';
  const how = command ?? 'carbon watch with the ids of the register';
  session.messages.print({
    level: 'progress',
    text: `Research on ${plural(ids.size, 'supplier')} is in progress. Follow it, then ${then}: ${how}`,
    event: { event: 'pending', ids: [...ids], command },
  });
}
