import { maxListItems, readRecord } from '../../api/read-record.ts';
import type { Organization } from '../../api/schema.ts';
import { count } from '../../terminal/format.ts';
import type { Session } from '../session.ts';

/** Returns the record without values of unexpected types, and warns about those it leaves out. */
export function checked({ format, messages }: Session, received: Organization): Organization {
  const { record, droppedPaths, droppedCount, truncatedLists } = readRecord(received);
  if (format === 'json') return record;
  if (droppedCount > 0) {
    const more = droppedCount - droppedPaths.length;
    const named = droppedPaths.join(', ') + (more > 0 ? ` and ${count.format(more)} more` : '');
    messages.warn(
      `The service sent values of an unexpected type, which carbon does not show: ${named}. Use --json to see them.`,
    );
  }
  if (truncatedLists.length > 0) {
    const limit = count.format(maxListItems);
    messages.warn(
      `The service sent more than ${limit} items in ${truncatedLists.join(', ')}; carbon shows the first ${limit}. Use --json to see all.`,
    );
  }
  return record;
}
