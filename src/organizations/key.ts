import type { Organization } from '../api/schema.ts';

/**
 * What an organization is told from others by: its id, as a number where its text is that of a
 * number, which takes less memory.
 */
export type Key = string | number;

/** The key of a record, equal for the ids `1` and `"1"`; undefined without an id. */
export function keyOf({ id }: Organization): Key | undefined {
  if (id === undefined || id === null || id === '') return undefined;
  const number = Number(id);
  return String(number) === id ? number : id;
}
