/*
 * The lines that carbon itself prints around records: a row of `batch --json`, a failed item of
 * `get --json` or `watch --json`, a record of `-o x.ndjson` or of the store of a list. A record may
 * have members named `ok`, `record` or `error` too, because carbon passes unknown members on; such
 * a record must not count as one of these lines.
 */

import { isObject } from '../../client/api/ids.ts';

export interface Envelope {
  readonly ok?: unknown;
  readonly record?: unknown;
  /** Base URL of the service, or `sandbox`. */
  readonly service?: unknown;
  /** Currency in which the record was requested, ISO 4217. */
  readonly currency?: unknown;
  /** Time when the record was retrieved, ISO 8601. */
  readonly retrieved_at?: unknown;
  readonly valid_from?: unknown;
  /** Days on which a list gained and lost the organization of a stored record. */
  readonly listed?: unknown;
}

const members = new Set(
  (
    'line ok id status record service currency valid_from valid_to retrieved_at unchanged ' +
    'removed listed skipped duplicate_of same_id_as other_organization error'
  ).split(' '),
);

/**
 * Checks whether an object is such a line: a row with `line` and `ok`, a failed item with an error
 * of carbon, or an object without members that only a record has.
 */
export function isEnvelope(value: object): value is Envelope {
  const { ok, line, record, error } = value as Readonly<Record<string, unknown>>;
  if (typeof ok === 'boolean' && typeof line === 'number') return true;
  if (ok === false && isObject(error) && 'code' in error && 'exit' in error) return true;
  return (
    (ok !== undefined || record !== undefined) &&
    Object.keys(value).every((name) => members.has(name))
  );
}

/** Checks whether the line is the stored record of an organization that its list no longer has. */
export function isUnlisted({ listed }: Envelope): boolean {
  return Array.isArray(listed) && listed.length % 2 === 0;
}

export interface Retrieval {
  readonly service: string | undefined;
  readonly currency: string | undefined;
  readonly retrievedAt: string | undefined;
  /** When a retrieval first had this version; known for the records of a synced list. */
  readonly validFrom?: string | undefined;
}

export const unknownRetrieval: Retrieval = {
  service: undefined,
  currency: undefined,
  retrievedAt: undefined,
};

/** Reads the retrieval from a line around a record, without values in another form. */
export function readRetrieval({
  service,
  currency,
  retrieved_at,
  valid_from,
}: Envelope): Retrieval {
  return {
    service: typeof service === 'string' ? service : undefined,
    currency: typeof currency === 'string' && /^[A-Z]{3}$/.test(currency) ? currency : undefined,
    retrievedAt: timeOf(retrieved_at),
    validFrom: timeOf(valid_from),
  };
}

function timeOf(value: unknown): string | undefined {
  return typeof value === 'string' && isoTime.test(value) ? value : undefined;
}

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;

/**
 * Formats the line of a record in a file that carbon writes: how it was retrieved, then the record.
 * @param json the record as received, on one line; it stays byte for byte
 */
export function recordLine(
  id: string | number | undefined,
  { service, currency, retrievedAt }: Retrieval,
  json: string,
): string {
  const head = JSON.stringify({ id, service, currency, retrieved_at: retrievedAt });
  return `${head.slice(0, -1)}${head === '{}' ? '' : ','}"record":${json}}\n`;
}
