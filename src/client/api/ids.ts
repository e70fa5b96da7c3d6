/** Id of an organization in a record: a number in the specification, a string in some services. */
export type OrganizationId = string | number;

/** Contains the members that identify a record, before its other values are checked. */
export interface RecordReference {
  readonly id: OrganizationId | undefined;
  readonly name: string | undefined;
  readonly status: string | undefined;
}

/** Reads id, name and status of any object; treats values of another type as absent. */
export function readReference(record: object): RecordReference {
  const { id, name, status } = record as Readonly<Record<string, unknown>>;
  return { id: usableId(id), name: text(name), status: text(status) };
}

/**
 * Returns the id if a later request can use it, else undefined.
 *
 * Section 4.2 of docs/service.md has an integer in the path. So an id is an integer from 0 to
 * 2^53 - 1, or a string of 1 to 20 digits. JSON.parse rounds a greater number to the id of another
 * organization. `carbon get` and `carbon watch` accept the same ids.
 */
export function usableId(id: unknown): OrganizationId | undefined {
  if (typeof id === 'number') return Number.isSafeInteger(id) && id >= 0 ? id : undefined;
  return typeof id === 'string' && /^\d{1,20}$/.test(id) ? id : undefined;
}

/** Checks whether research with this status has ended: `synced` or `errored` (section 3). */
export function hasEnded(status: string | null | undefined): boolean {
  return status === 'synced' || status === 'errored';
}

/** Checks whether two ids are equal, as numbers or strings; ignores leading zeros. */
export function isSameId(a: OrganizationId, b: OrganizationId): boolean {
  return comparableId(a) === comparableId(b);
}

/**
 * Returns the same value for all forms of an id, such as `1`, `"1"` and `"01"`: a number where
 * possible, which takes less memory.
 */
export function comparableId(id: OrganizationId): OrganizationId {
  if (typeof id === 'number') return id;
  const text = withoutLeadingZeros(id);
  const number = Number(text);
  return !Number.isNaN(number) && String(number) === text ? number : text;
}

/** Returns an id as it stands in the path of a request. */
export function withoutLeadingZeros(id: string): string {
  return id.startsWith('0') ? id.replace(/^0+(?=\d)/, '') : id;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Checks whether a JSON value is an object, not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
