/* What lists keep of earlier records, for the direction of a goal. */
import type { OrganizationId } from '../../client/api/ids.ts';
import { type CarbonError, LocalError, UsageError } from '../../runtime/carbon-error.ts';
import type { InputRecords } from '../records/files.ts';
import type { RecordHistory } from './calculation.ts';

/**
 * Reads since when lists have records. Undefined if a file of records is among them, which has no
 * history; an error if a history cannot be read, because the rest of a result does not need it.
 */
export async function readHistory(
  inputs: readonly Pick<InputRecords, 'stored'>[],
  groupsAt: RecordHistory['groupsAt'],
): Promise<RecordHistory | CarbonError | undefined> {
  const stored = inputs.flatMap((each) => each.stored ?? []);
  if (stored.length < inputs.length) return undefined;
  return unlessUnreadable(async () => {
    const firstDays = new Map<OrganizationId, string>();
    for (const list of stored)
      for (const [id, day] of await list.firstDays())
        if (day < (firstDays.get(id) ?? '~')) firstDays.set(id, day);
    return { firstDays, groupsAt };
  });
}

/** Returns the error of records that cannot be read. */
export function unlessUnreadable<Value>(
  read: () => Promise<Value>,
): Promise<Value | UsageError | LocalError> {
  return read().catch((error: unknown) => {
    if (error instanceof UsageError || error instanceof LocalError) return error;
    throw error;
  });
}
