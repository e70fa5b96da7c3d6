/* The meaning of a JSON document in the input: a record, or a line that carbon prints around it. */

import { comparableId, isObject, type OrganizationId } from '../api/ids.ts';
import { type RecordSchema, readRecord } from '../api/read-record.ts';
import type { Organization } from '../api/schema.ts';
import { UsageError } from '../runtime/carbon-error.ts';
import { isEnvelope, type Retrieval, readRetrieval, unknownRetrieval } from './envelope.ts';
import type { JsonDocument } from './json-documents.ts';
import { memberText } from './json-slices.ts';

/** Where a record comes from. */
export interface RecordSource extends Retrieval {
  /** Returns the JSON text of the record as written. */
  json(): string;
}

/** A record with its key; records without an id have no key. */
export interface RecordItem {
  readonly kind: 'record';
  readonly record: Organization;
  readonly key: OrganizationId | undefined;
  readonly source: RecordSource;
  /** Whether values had an unexpected type, and were left out. */
  readonly hasUnexpectedValues: boolean;
}

/**
 * The meaning of a document: a record, a failed item, or a line without a record, such as a row
 * that an earlier batch completed.
 */
export type Item = RecordItem | { readonly kind: 'failed' } | { readonly kind: 'without record' };

const failed: Item = { kind: 'failed' };
const withoutRecord: Item = { kind: 'without record' };

/**
 * Reads a document of `get --json`, `watch --json` or `batch --json`, without values of an
 * unexpected type.
 * @param file name of the file for errors
 * @param schema the members to check, all by default
 * @throws UsageError if the document is no object or its id exceeds the range of exact numbers
 */
export function readItem(
  { value, line, text }: JsonDocument,
  file: string,
  schema?: RecordSchema,
): Item {
  if (!isObject(value)) throw notRecord(value, `${file}, line ${line}`);
  if (isEnvelope(value)) {
    if (value.ok === false) return failed;
    if (!isObject(value.record)) return withoutRecord;
    checkId(value.record, file, line);
    const json = () => memberText(text(), 'record') ?? '';
    return recordItem(value.record, schema, { ...readRetrieval(value), json });
  }
  if ('id' in value || 'name' in value || 'status' in value) {
    checkId(value, file, line);
    const { currency, retrievedAt } = unknownRetrieval;
    return recordItem(value, schema, { currency, retrievedAt, json: text });
  }
  return 'error' in value ? failed : withoutRecord;
}

function recordItem(
  value: object,
  schema: RecordSchema | undefined,
  source: RecordSource,
): RecordItem {
  const { record, oddityCount, cutLists } = readRecord(value, schema);
  const hasUnexpectedValues = oddityCount > 0 || cutLists.length > 0;
  const { id } = record;
  const key = id === undefined || id === null || id === '' ? undefined : comparableId(id);
  return { kind: 'record', record, key, source, hasUnexpectedValues };
}

function checkId(value: object, file: string, line: number): void {
  if (!('id' in value) || typeof value.id !== 'number') return;
  if (Math.abs(value.id) <= Number.MAX_SAFE_INTEGER) return;
  throw new UsageError(
    `${file}, line ${line}: the id is too large for an exact number`,
    'Write the id as a string, in quotes.',
    'invalid_input',
  );
}

function notRecord(value: unknown, where: string): UsageError {
  // A list is not converted to text: it may be too deep, or contain values without a text.
  const isId = (typeof value === 'number' || typeof value === 'string') && /^\d+$/.test(`${value}`);
  const hint = isId
    ? 'This is an id. Use `carbon get - --json` to retrieve the records of ids.'
    : 'Records are objects, as `carbon get --json` prints them.';
  return new UsageError(`${where} is not a record`, hint, 'invalid_input');
}
