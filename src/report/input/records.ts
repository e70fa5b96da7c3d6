import { type RecordSchema, readRecord } from '../../api/read-record.ts';
import { isObject } from '../../api/reference.ts';
import type { Organization } from '../../api/schema.ts';
import { type Key, keyOf } from '../../organizations/key.ts';
import { UsageError } from '../../runtime/carbon-error.ts';
import { isEnvelope, type Retrieval, readRetrieval, unknownRetrieval } from './envelope.ts';
import { type RecordFile, readDocuments } from './json-documents.ts';
import { memberText } from './json-slices.ts';

/** The numbers of records and other lines in the input. */
export interface Counts {
  /** Records, including several of one id. */
  readonly records: number;
  /** Records without an id: each counts as an organization. */
  readonly withoutId: number;
  /** Items that failed: `"ok":false`. */
  readonly failed: number;
  /** Lines without a record, such as rows that an earlier batch completed. */
  readonly withoutRecord: number;
  /** Records with values of an unexpected type, which carbon leaves out. */
  readonly unexpected: number;
  /** Truncated last lines, which carbon leaves out, such as `a.ndjson, line 7`. */
  readonly truncated: readonly string[];
}

/** Where a record comes from. */
export interface RecordSource extends Retrieval {
  /** Returns the JSON text of the record as written. */
  json(): string;
}

/**
 * Receives a record; a later one of the same key replaces it. Records without an id have no key.
 */
export type OnRecord = (
  record: Organization,
  key: Key | undefined,
  source: RecordSource,
) => Promise<void> | void;

/**
 * Reads the records of files in their order, line by line.
 * @param onRecord receives each record; what it keeps determines the memory use
 * @param schema the members to check, all by default
 * @throws UsageError as `readDocuments` and `readItem` do
 */
export async function readSnapshot(
  files: readonly RecordFile[],
  onRecord: OnRecord,
  schema?: RecordSchema,
): Promise<Counts> {
  const counts = { records: 0, withoutId: 0, failed: 0, withoutRecord: 0, unexpected: 0 };
  const truncated: string[] = [];
  for (const file of files) {
    for await (const documents of readDocuments(file)) {
      for (const document of documents) {
        if ('truncatedAt' in document) {
          truncated.push(`${file.name}, line ${document.truncatedAt}`);
          continue;
        }
        const { value, line } = document;
        const item = readItem(value, () => `${file.name}, line ${line}`, schema);
        if (item.kind === 'failed') counts.failed += 1;
        if (item.kind === 'without record') counts.withoutRecord += 1;
        if (item.kind !== 'record') continue;
        const key = keyOf(item.record);
        counts.records += 1;
        counts.unexpected += Number(item.hasUnexpectedValues);
        counts.withoutId += Number(key === undefined);
        const { text } = document;
        const json = item.isWrapped ? () => memberText(text(), 'record') ?? '' : text;
        const taken = onRecord(item.record, key, { ...item.retrieval, json });
        if (taken !== undefined) await taken;
      }
    }
  }
  return { ...counts, truncated };
}

/**
 * The meaning of a document: a record, a failed item, or a line without a record, such as a row
 * that an earlier batch completed.
 */
type Item =
  | {
      readonly kind: 'record';
      readonly record: Organization;
      readonly retrieval: Retrieval;
      readonly hasUnexpectedValues: boolean;
      /** Whether the record is a member of the document. */
      readonly isWrapped: boolean;
    }
  | { readonly kind: 'failed' }
  | { readonly kind: 'without record' };

/**
 * Reads a document of `get --json`, `watch --json` or `batch --json`, without values of an
 * unexpected type.
 * @param where returns the name of the document for errors
 * @throws UsageError if the document is no object or its id exceeds the range of exact numbers
 */
function readItem(value: unknown, where: () => string, schema?: RecordSchema): Item {
  if (!isObject(value)) throw notRecord(value, where());
  if (isEnvelope(value)) {
    if (value.ok === false) return { kind: 'failed' };
    return isObject(value.record)
      ? readOrganization(value.record, where, schema, readRetrieval(value), true)
      : { kind: 'without record' };
  }
  if ('id' in value || 'name' in value || 'status' in value)
    return readOrganization(value, where, schema, unknownRetrieval, false);
  return { kind: 'error' in value ? 'failed' : 'without record' };
}

function readOrganization(
  value: object,
  where: () => string,
  schema: RecordSchema | undefined,
  retrieval: Retrieval,
  isWrapped: boolean,
): Item {
  if (
    'id' in value &&
    typeof value.id === 'number' &&
    Math.abs(value.id) > Number.MAX_SAFE_INTEGER
  ) {
    throw new UsageError(
      `${where()}: the id is too large for an exact number`,
      'Write the id as a string, in quotes.',
      'invalid_input',
    );
  }
  const { record, oddityCount, cutLists } = readRecord(value, schema);
  const hasUnexpectedValues = oddityCount > 0 || cutLists.length > 0;
  return { kind: 'record', record, retrieval, hasUnexpectedValues, isWrapped };
}

function notRecord(value: unknown, where: string): UsageError {
  // A list is not converted to text: it may be too deep, or contain values without a text.
  const isId = (typeof value === 'number' || typeof value === 'string') && /^\d+$/.test(`${value}`);
  const hint = isId
    ? 'This is an id. Use `carbon get - --json` to retrieve the records of ids.'
    : 'Records are objects, as `carbon get --json` prints them.';
  return new UsageError(`${where} is not a record`, hint, 'invalid_input');
}
