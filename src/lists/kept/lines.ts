/*
 * Reads and formats the lines of the two files with the records of a list, which any program can
 * read.
 *
 * `LIST.records.ndjson` has one line for each organization and currency, in the order of the list:
 *
 * {"id":12,"service":"https://…","currency":"EUR","valid_from":"…","retrieved_at":"…","listed":[…],
 *  "record":{…}}
 *
 * The head has `"status"` unless research is complete. `"listed"` has the days (UTC) on which a run
 * found a row of the organization in the list, no row, a row again, and so on: an even number of
 * days means that no row has it now. A run appends lines; a record that is byte for byte the same
 * gets only its head, with `"unchanged":true`, and one that the service no longer has, with
 * `"removed":true`. For every reader the last line of an id and currency counts. The end of a run
 * replaces the file atomically. `LIST.history.ndjson` has each earlier version, once for each id,
 * currency and valid_from. It is on the disk before the version leaves the other file, so that a
 * kill at any byte loses nothing.
 *
 * The record is the last member, so that the heads are read without parsing records.
 */
import { comparableId, hasEnded, type OrganizationId } from '../../client/api/ids.ts';
import { invalidInput, LocalError, type UsageError } from '../../runtime/carbon-error.ts';
import type { OpenFile } from '../../runtime/file-lines.ts';
import { type LogFormat, readLog } from './append-log.ts';

/** The head of a line: what a store says about a version of a record. */
export interface StoredHead {
  readonly id: OrganizationId;
  readonly service: string;
  /** Currency of the request, ISO 4217; null for the default of the service. */
  readonly currency: string | null;
  /** Time of the retrieval that first had this version, ISO 8601. */
  readonly validFrom: string;
  /** Time of the last retrieval, ISO 8601; in the history that of the first one. */
  readonly retrievedAt: string;
  /** Status of the research; undefined if it is complete (`synced`). */
  readonly status: string | undefined;
  /** The days on which the list gained, lost and gained this organization again: `YYYY-MM-DD`. */
  readonly listed: readonly string[];
  /** Whether the service no longer has the organization. */
  readonly isRemoved: boolean;
}

/** Identifies a record: an organization, in a currency or in the service's default. */
export type RecordKey = Pick<StoredHead, 'id' | 'currency'>;

/** Checks whether the research on a stored record is in progress. */
export function isInProgress({ status, isRemoved }: StoredHead): boolean {
  return status !== undefined && !hasEnded(status) && !isRemoved;
}

/** Checks whether a row of the list has an organization. */
export function isListed({ listed }: Pick<StoredHead, 'listed'>): boolean {
  return listed.length % 2 === 1;
}

/**
 * Checks whether a row of the list had an organization at the end of a day; undefined for a day
 * before the first one that the store knows.
 */
export function wasListedOn(
  { listed }: Pick<StoredHead, 'listed'>,
  day: string,
): boolean | undefined {
  const until = listed.filter((each) => each <= day);
  return until.length === 0 ? undefined : isListed({ listed: until });
}

/** Returns the days of an organization after a run on this day found it in the list, or did not. */
export function listedOn(
  days: readonly string[],
  isFound: boolean,
  day: string,
): readonly string[] {
  // It left the list on a day that is not known.
  if (days.length === 0 && !isFound) return [day, day];
  return isListed({ listed: days }) === isFound ? days : [...days, day];
}

export interface Span {
  readonly start: number;
  readonly length: number;
}

export function keyOf({ id, currency }: RecordKey): string {
  return `${comparableId(id)} ${currency ?? ''}`;
}

/* What separates the head of a line from its record. */
const marker = Buffer.from(',"record":');
/**
 * Formats a line of a store.
 * @param json the record; undefined for an unchanged or removed one
 */
export function formatLine(
  { id, service, currency, validFrom, retrievedAt, status, listed, isRemoved }: StoredHead,
  json: string | undefined,
): string {
  const head = {
    id,
    service,
    currency,
    valid_from: validFrom,
    retrieved_at: retrievedAt,
    ...(status === undefined ? {} : { status }),
    ...(listed.length === 0 ? {} : { listed }),
    ...(isRemoved ? { removed: true } : {}),
    ...(json === undefined && !isRemoved ? { unchanged: true } : {}),
  };
  return json === undefined ? `${JSON.stringify(head)}\n` : withRecord(head, json);
}

export function withRecord(head: object, json: string): string {
  return `${JSON.stringify(head).slice(0, -1)}${marker}${json}}\n`;
}

export interface StoreLine {
  readonly head: StoredHead;
  /** Where its record is in the file; undefined for a line with only a head. */
  readonly span: Span | undefined;
  /** The bytes of the record, valid until the next lines are read. */
  readonly json: Buffer;
  /** Its number in the file, from 1. */
  readonly line: number;
}

/**
 * Yields the lines of a store with their heads; it does not parse the records.
 * @throws UsageError for a line that no store has
 */
export async function* readLines(
  file: OpenFile,
  path: string,
): AsyncGenerator<readonly StoreLine[], void, void> {
  let line = 0;
  for await (const lines of readLog(file, path, storeFormat))
    yield lines.map(({ bytes, start }) => {
      line += 1;
      const at = bytes.indexOf(marker);
      const from = at < 0 ? bytes.length : at + marker.length;
      const text = at < 0 ? bytes.toString('utf8') : `${bytes.toString('utf8', 0, at)}}`;
      const head = bytes.at(-1) === 0x7d ? readHead(text) : undefined;
      if (head === undefined) throw notOfStore(`${path}, line ${line},`);
      const span = at < 0 ? undefined : { start: start + from, length: bytes.length - from - 1 };
      return { head, span, json: bytes.subarray(from, -1), line };
    });
}

/* Reads the head of a line; returns undefined if it is damaged. */
function readHead(text: string): StoredHead | undefined {
  try {
    const head: Readonly<Record<string, unknown>> = JSON.parse(text);
    const { id, service = '', currency, valid_from, retrieved_at = valid_from } = head;
    if (typeof id !== 'string' && typeof id !== 'number') return undefined;
    if (typeof service !== 'string' || typeof valid_from !== 'string') return undefined;
    if (typeof retrieved_at !== 'string') return undefined;
    const { status, removed, listed } = head;
    if (listed !== undefined && !Array.isArray(listed)) return undefined;
    return {
      id,
      service,
      currency: typeof currency === 'string' ? currency : null,
      validFrom: valid_from,
      retrievedAt: retrieved_at,
      status: typeof status === 'string' ? status : undefined,
      listed: Array.isArray(listed) ? listed.map(String) : [dayOf(retrieved_at)],
      isRemoved: removed === true,
    };
  } catch {
    return undefined;
  }
}

/** Returns the day of a time, both in UTC. */
export function dayOf(time: string): string {
  return time.slice(0, 10);
}

export const storeFormat: LogFormat = {
  starts: ['{"id":'],
  foreign: notOfStore,
  changed: (path) =>
    new LocalError(`${path} was changed or removed during the run`, {
      hint: 'Run the same command again.',
    }),
};

/** Returns the error for text of the user, which is never removed. */
export function notOfStore(where: string): UsageError {
  return invalidInput(
    `${where} has text that is not a record of a list`,
    'carbon keeps the records of the list under this name. Remove that line, move the file away, or use --keep <dir>.',
  );
}
