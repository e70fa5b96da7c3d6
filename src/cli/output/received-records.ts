/* Prints records without a view of their values: as JSON lines in a pipe or a file, or as ids. */

import { ReceivedRecord, readReceived } from '../../api/received-record.ts';
import type { RecordResponse } from '../../api/responses.ts';
import type { Session } from '../session.ts';
import { addLineFeed, compactLine } from './json-bytes.ts';
import type { RecordOutput } from './record-output.ts';

/**
 * Returns the output of a session with the format `ids`, or `json` without a terminal.
 * @param others prints the records of which `readReceived` needs more than the id
 */
export function receivedRecords(session: Session, others: RecordOutput): RecordOutput {
  const { stdout } = session.context;
  const isJson = session.format === 'json';
  return {
    read: readReceived,
    begin: () => others.begin(),
    async add(received: RecordResponse) {
      if (!(received instanceof ReceivedRecord)) return others.add(received);
      const { id, bytes, isCompact } = received;
      stdout.write(isJson ? (isCompact ? addLineFeed : compactLine)(bytes) : `${id}\n`);
      await stdout.drained;
    },
    end: () => others.end(),
  };
}
