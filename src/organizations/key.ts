import { comparableId } from '../api/reference.ts';
import type { Organization } from '../api/schema.ts';

/** The id that identifies an organization, as a number where possible, which takes less memory. */
export type Key = string | number;

/** Returns the key of a record, equal for all forms of an id; undefined without an id. */
export function keyOf({ id }: Organization): Key | undefined {
  return id === undefined || id === null || id === '' ? undefined : comparableId(id);
}
