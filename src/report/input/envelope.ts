/*
 * The lines that carbon itself prints around records: a row of `batch --json`, a failed item of
 * `get --json` or `watch --json`. A record may have members named `ok`, `record` or `error` too,
 * because carbon passes unknown members on; such a record must not count as one of these lines.
 */

/** A line that carbon prints around a record. */
export interface Envelope {
  readonly ok?: unknown;
  readonly record?: unknown;
}

const members = new Set([
  'line',
  'ok',
  'id',
  'status',
  'record',
  'skipped',
  'duplicate_of',
  'error',
]);

/**
 * Checks whether an object is such a line: a row with `line` and `ok`, a failed item with an error
 * of carbon, or an object without members that only a record has.
 */
export function isEnvelope(value: object): value is Envelope {
  const { ok, line, record, error } = value as Readonly<Record<string, unknown>>;
  if (typeof ok === 'boolean' && typeof line === 'number') return true;
  if (ok === false && isError(error)) return true;
  return (
    (ok !== undefined || record !== undefined) &&
    Object.keys(value).every((name) => members.has(name))
  );
}

function isError(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'code' in value && 'exit' in value;
}
