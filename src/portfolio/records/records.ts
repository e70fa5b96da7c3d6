/*
 * Reads the records of files in their order, document by document: plain records, or the lines that
 * carbon prints around them.
 */

import { isDeepStrictEqual } from 'node:util';
import { comparableId, isObject, type OrganizationId } from '../../client/api/ids.ts';
import { memberText } from '../../client/api/json-tokens.ts';
import { readRecord } from '../../client/api/read-record.ts';
import type { Organization } from '../../client/api/schema.ts';
import { plural } from '../../display/terminal/format.ts';
import type { StoredRecord, StoredRecords } from '../../lists/kept/view.ts';
import { invalidInput } from '../../runtime/carbon-error.ts';
import {
  isEnvelope,
  isUnlisted,
  type Retrieval,
  readRetrieval,
  unknownRetrieval,
} from './envelope.ts';
import { DocumentReader, type JsonDocument, type RecordFile, utf8Of } from './json-documents.ts';

export interface RecordSource extends Retrieval {
  json(): string;
}

/** Receives a record; records without an id have no key. */
export type OnRecord = (
  record: Organization,
  key: OrganizationId | undefined,
  source: RecordSource,
) => Promise<void> | void;

/** Returns what to keep of a record. */
export type Reduce<Value> = (
  record: Organization,
  source: RecordSource,
  key: OrganizationId | undefined,
) => Value;

export interface Counts {
  /** Records, including several of one id. */
  records: number;
  /** Records without an id: each counts as an organization. */
  withoutId: number;
  /** Items that failed: `"ok":false`. */
  failed: number;
  /** Lines without a record, such as rows that an earlier batch completed. */
  withoutRecord: number;
  /** Records with values of an unexpected type, which carbon leaves out. */
  unexpected: number;
  /** Truncated last lines, which carbon leaves out, such as `a.ndjson, line 7`. */
  truncated: string[];
}

/**
 * Reads the records of files in their order.
 * @param onRecord receives each record; what it keeps determines the memory use
 * @throws UsageError for text that is not JSON, for a document that is no object, and for an id
 * beyond the range of exact numbers
 */
export async function readSnapshot(
  files: readonly (RecordFile | { readonly stored: StoredRecords })[],
  onRecord: OnRecord,
): Promise<Counts> {
  const none = { records: 0, withoutId: 0, failed: 0, withoutRecord: 0, unexpected: 0 };
  const counts: Counts = { ...none, truncated: [] };
  for (const file of files) {
    const take = (found: ReturnType<typeof findRecord>) => {
      if (found === undefined) return undefined;
      const { value, source } = found;
      const { record, droppedCount } = readRecord(value);
      const { id } = record;
      const key = id === undefined || id === null || id === '' ? undefined : comparableId(id);
      counts.records += 1;
      counts.unexpected += Number(droppedCount > 0);
      counts.withoutId += Number(key === undefined);
      return onRecord(record, key, source);
    };
    if ('stored' in file) {
      for await (const stored of file.stored.records()) {
        const taken = take(readStored(stored));
        if (taken !== undefined) await taken;
      }
      continue;
    }
    const { name } = file;
    const reader = new DocumentReader(name);
    for await (const chunk of utf8Of(file))
      for (const document of reader.push(chunk)) {
        const taken = take(findRecord(document, name, counts));
        if (taken !== undefined) await taken;
      }
    const last = reader.end();
    if (last !== undefined) await take(findRecord(last, name, counts));
    if (reader.truncatedAt !== undefined)
      counts.truncated.push(`${name}, line ${reader.truncatedAt}`);
  }
  return counts;
}

/** @throws UsageError if the input has no record */
export function requireRecords(
  { records, failed, withoutRecord }: Counts,
  inputs: readonly Pick<RecordFile, 'name'>[],
): void {
  if (records > 0) return;
  const others = failed + withoutRecord;
  const where = inputs.map(({ name }) => name).join(', ');
  throw invalidInput(
    `No records in ${where}${others > 0 ? `: ${plural(failed, 'failed item')}, ${plural(withoutRecord, 'line')} without a record` : ''}`,
    'Create records with `carbon get --json`, `carbon watch --json` or `carbon batch --json`.',
  );
}

/* Returns the record of a document, or counts a failed item or a line without a record. */
function findRecord({ value, line, text }: JsonDocument, file: string, counts: Counts) {
  const where = `${file}, line ${line}`;
  if (!isObject(value))
    throw invalidInput(
      `${where} is not a record`,
      'Records are objects, as `carbon get --json` prints them, each on a line.',
    );
  if (isEnvelope(value)) {
    if (value.ok !== false && isObject(value.record) && !isUnlisted(value)) {
      const json = () => memberText(text, 'record') ?? '';
      return found(value.record, { ...readRetrieval(value), json }, where);
    }
  } else if ('id' in value || 'name' in value || 'status' in value)
    return found(value, { ...unknownRetrieval, json: () => text }, where);
  if (isEnvelope(value) ? value.ok === false : 'error' in value) counts.failed += 1;
  else counts.withoutRecord += 1;
  return undefined;
}

function readStored({ head, record, json, where }: StoredRecord) {
  const { service, currency, retrievedAt, validFrom } = head;
  const envelope = { service, currency, retrieved_at: retrievedAt, valid_from: validFrom };
  return found(record, { ...readRetrieval(envelope), json: () => json }, where);
}

function found(value: object, source: RecordSource, where: string) {
  if ('id' in value && typeof value.id === 'number' && Math.abs(value.id) > maxExactId)
    throw invalidInput(
      `${where}: the id is too large for an exact number`,
      'Write the id as a string, in quotes.',
    );
  return { value, source };
}

const maxExactId = Number.MAX_SAFE_INTEGER;

/**
 * Keeps a value for the latest record of each organization: of those in the wanted currency, if
 * there are any, the one that was retrieved last, never the one that the input has last. Without
 * both times, the later one of the input replaces an earlier one that differs, and `undecided`
 * names the organization.
 */
export class LatestRecords<Value> {
  readonly #kept = new Map<OrganizationId | symbol, Value>();
  readonly #times = new Map<OrganizationId, string>();
  readonly #undecided = new Set<OrganizationId>();
  /* The organizations whose record is in the currency that counts before the others. */
  readonly #preferred = new Set<OrganizationId>();
  readonly #currency: string | undefined;

  /** @param currency the currency of an organization with records in several, ISO 4217 */
  constructor(currency?: string) {
    this.#currency = currency;
  }

  /** Returns what adds the part of each record that `reduce` returns. */
  taking(reduce: Reduce<Value>): OnRecord {
    return (record, key, source) => {
      if (key !== undefined && this.#currency !== undefined && !this.#prefer(key, source)) return;
      this.add(reduce(record, source, key), key, source.retrievedAt);
    };
  }

  /* Returns whether a record may replace the one before. */
  #prefer(key: OrganizationId, { currency }: RecordSource): boolean {
    if (currency !== this.#currency) return !this.#preferred.has(key);
    if (!this.#preferred.has(key)) {
      this.#kept.delete(key);
      this.#times.delete(key);
      this.#undecided.delete(key);
    }
    this.#preferred.add(key);
    return true;
  }

  /**
   * Adds a record; one without a key is a separate organization.
   * @param retrievedAt the time in ISO 8601, undefined if unknown
   */
  add(value: Value, key: OrganizationId | undefined, retrievedAt?: string): void {
    if (key !== undefined && this.#kept.has(key)) {
      const time = this.#times.get(key);
      const isTimed = time !== undefined && retrievedAt !== undefined;
      if (isTimed && Date.parse(retrievedAt) < Date.parse(time)) return;
      if (!isTimed && !isDeepStrictEqual(value, this.#kept.get(key))) this.#undecided.add(key);
      // The organization moves to the place of its latest record.
      this.#kept.delete(key);
      this.#times.delete(key);
    }
    this.#kept.set(key ?? Symbol(), value);
    if (key !== undefined && retrievedAt !== undefined) this.#times.set(key, retrievedAt);
  }

  get size(): number {
    return this.#kept.size;
  }

  /** The ids of organizations with different records whose order is unknown. */
  get undecided(): readonly OrganizationId[] {
    return [...this.#undecided];
  }

  /** The value of each organization, in the order of the latest records. */
  values(): Iterable<Value> {
    return this.#kept.values();
  }

  /** Each of the values with the time of its retrieval, undefined if unknown. */
  *timed(): Generator<readonly [Value, string | undefined], void, void> {
    for (const [key, value] of this.#kept)
      yield [value, typeof key === 'symbol' ? undefined : this.#times.get(key)];
  }

  /** The times of retrieval, as far as known. */
  times(): Iterable<string> {
    return this.#times.values();
  }

  *entries(): Generator<readonly [OrganizationId, Value], void, void> {
    for (const [key, value] of this.#kept) if (typeof key !== 'symbol') yield [key, value];
  }
}
