import { readRecord } from '../../api/read-record.ts';
import { isObject } from '../../api/reference.ts';
import type { Organization } from '../../api/schema.ts';
import { UsageError } from '../../runtime/carbon-error.ts';
import { isEnvelope } from './envelope.ts';

/**
 * What a document is: a record, an item that failed, or a line without a record, such as a row that
 * was done earlier.
 */
export type Item =
  | { readonly kind: 'record'; readonly record: Organization; readonly isOdd: boolean }
  | { readonly kind: 'failed' }
  | { readonly kind: 'without record' };

/**
 * Reads a document of `get --json`, `watch --json` or `batch --json`. Values of an unexpected type
 * are left out of the record.
 * @param where names the document in errors
 * @throws UsageError for what is no object, and for an id that a number cannot hold
 */
export function readItem(value: unknown, where: string): Item {
  if (!isObject(value)) throw notRecord(value, where);
  if (isEnvelope(value)) {
    if (value.ok === false) return { kind: 'failed' };
    return isObject(value.record)
      ? readOrganization(value.record, where)
      : { kind: 'without record' };
  }
  if ('id' in value || 'name' in value || 'status' in value) return readOrganization(value, where);
  return { kind: 'error' in value ? 'failed' : 'without record' };
}

function readOrganization(value: object, where: string): Item {
  if (
    'id' in value &&
    typeof value.id === 'number' &&
    Math.abs(value.id) > Number.MAX_SAFE_INTEGER
  ) {
    throw new UsageError(
      `${where} has an id that is too large to be told from its neighbours`,
      'Write the id as text, in quotes.',
      'invalid_input',
    );
  }
  const { record, oddityCount, cutLists } = readRecord(value);
  return { kind: 'record', record, isOdd: oddityCount > 0 || cutLists.length > 0 };
}

function notRecord(value: unknown, where: string): UsageError {
  // Not of a list: it may be too deep to be written, or hold what cannot be.
  const isId = (typeof value === 'number' || typeof value === 'string') && /^\d+$/.test(`${value}`);
  const hint = isId
    ? 'This is an id; `carbon get - --json` makes records of ids.'
    : 'Records are objects, as `carbon get --json` prints them.';
  return new UsageError(`${where} is not a record`, hint, 'invalid_input');
}
