import type { Organization } from '../api/schema.ts';

/** The id that identifies an organization, as a number where possible, which takes less memory. */
export type Key = string | number;

/** Returns the key of a record, equal for the ids `1` and `"1"`; undefined without an id. */
export function keyOf({ id }: Organization): Key | undefined {
  if (id === undefined || id === null || id === '') return undefined;
  const number = Number(id);
  return String(number) === id ? number : id;
}
