import { HintedError } from '../runtime/carbon-error.ts';
import { isSameId, readReference } from './ids.ts';
import type { RecordResponse } from './responses.ts';

/**
 * Checks that a record is that of the requested organization. A record without a usable id counts
 * as such.
 * @throws HintedError for another organization, whose figures would be taken for the requested
 * one's
 */
export function checkIdentity({ record }: RecordResponse, requested: string | number): void {
  const requestedId = String(requested);
  const { id } = readReference(record);
  if (id === undefined || isSameId(id, requestedId)) return;
  const problem = `The service sent the record of organization ${id} for organization ${requestedId}`;
  throw new HintedError('unreadable_response', problem, {
    id: requestedId,
    hint: 'Check the base URL, or report this to the operator of the service.',
  });
}
