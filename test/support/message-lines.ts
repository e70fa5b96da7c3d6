import { isDeepStrictEqual } from 'node:util';
import { messageSchema } from './event-schemas.ts';

/**
 * Checks that each JSON line of standard error is a message that the schemas of the events
 * describe, and has no member that the schema lacks.
 * @throws an error that shows the line
 */
export function checkMessages(stderr: string): void {
  for (const line of stderr.split('\n').filter((text) => text.startsWith('{"'))) {
    const message: unknown = JSON.parse(line);
    const read = messageSchema.safeParse(message);
    // Reading drops the members that the schema does not know.
    if (read.success && isDeepStrictEqual(read.data, message)) continue;
    throw new Error(`event-schemas.ts does not describe this line: ${line}`);
  }
}
