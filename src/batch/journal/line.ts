/*
 * Writes and scans the lines of a journal. Each line is one JSON object. The line of a row starts
 * with a key and an id of fixed width, so that carbon reads a million rows as bytes ([…] stands for
 * 32 hexadecimal digits, and lines end after the object):
 *
 *   {"key":"[…]","id":                 12,"line":2,"status":"created",
 *    "at":"2026-01-15T09:30:00.000Z"}
 *
 * A refused row has the id null, then the status, title and detail of the response. Notes are lines
 * of other kinds. One has the digest of a failed-rows file. One names a row that the service failed
 * on in a run that registered other rows. Another names a row that failed in a run that twenty
 * failures ended: this attempt does not count, but the next run sends the row last.
 *
 *   {"carbon":"failed rows","sha256":"..."}
 *   {"carbon":"failed attempt","key":"[…]","line":3,"at":"...","code":"service_failed",...}
 *   {"carbon":"uncounted attempt","key":"[…]","line":3,"at":"...","code":"service_failed",...}
 *
 * One has the mapping that `--map` changed, and one follows a line that a kill truncated:
 *
 *   {"carbon":"mapping","mapping":{"name":"Company"}}
 *   {"carbon":"truncated line"}
 *
 * A line is complete when it ends with } and a line feed. A version of carbon that does not know a
 * kind of line ignores it.
 */
import {
  NotFoundError,
  RefusedError,
  UnauthorizedError,
  type UnavailableCode,
  UnavailableError,
} from '../../api/errors.ts';
import { type OrganizationId, usableId } from '../../api/ids.ts';
import { type CarbonError, type ErrorDetails, HintedError } from '../../runtime/carbon-error.ts';

/** Version of the journal format. */
export const journalVersion = 1;

const keyAt = 8;
const idAt = 47;
const idWidth = 19;
const minLength = idAt + idWidth + 2;

const byte = { zero: 48, nine: 57, space: 32, comma: 44, n: 110, closing: 125 } as const;

/* The text around the key. */
const rowStart = Buffer.from('{"key":"');
const rowMiddle = Buffer.from('","id":');
const middleAt = idAt - rowMiddle.length;
/* Two rows on one line are always longer. */
const maxSingleLength = 200;

/** A registered row. */
export interface Registered {
  readonly key: string;
  readonly line: number;
  readonly id: OrganizationId;
  readonly status: string | undefined;
}

/** Formats the line of a registered row. */
export function registeredLine({ key, line, id, status }: Registered, atMs: number): string {
  return `${start(key, JSON.stringify(id))},"line":${line},"status":${JSON.stringify(status ?? null)},"at":"${time(atMs)}"}\n`;
}

/** Formats the line of a row that the service refused, or that failed in too many runs. */
export function refusedLine(key: string, line: number, error: CarbonError, atMs: number): string {
  return `${start(key, 'null')},"line":${line},"at":"${time(atMs)}",${reason(error)}\n`;
}

/* The attempt counts in a run that registered other rows. */
type Attempt = 'failed attempt' | 'uncounted attempt';

/** Formats the line of a row that the service failed on. */
export function attemptLine(
  kind: Attempt,
  { key, line }: { readonly key: string; readonly line: number },
  error: CarbonError,
  atMs: number,
): string {
  return `{"carbon":"${kind}","key":"${key}","line":${line},"at":"${time(atMs)}",${reason(error)}\n`;
}

/* Formats the recorded members of an error and the end of the object. */
function reason(error: CarbonError): string {
  const { status, title, detail, message, code, reason } = error;
  const hint = error instanceof HintedError ? error.hint : undefined;
  return JSON.stringify({ code, reason, status, title, detail, message, hint }).slice(1);
}

/** Formats the line of a failed-rows file. */
export function failedRowsLine(digest: string): string {
  return `${JSON.stringify({ carbon: 'failed rows', sha256: digest })}\n`;
}

/** Formats the line of the mapping for all lines that follow. */
export function mappingLine(mapping: Readonly<Record<string, string>>): string {
  return `${JSON.stringify({ carbon: 'mapping', mapping })}\n`;
}

function start(key: string, id: string): string {
  return `{"key":"${key}","id":${id.padStart(idWidth)}`;
}

/* Many lines have the same millisecond. */
let lastMs = Number.NaN;
let lastTime = '';

function time(ms: number): string {
  if (ms !== lastMs) {
    lastMs = ms;
    lastTime = new Date(ms).toISOString();
  }
  return lastTime;
}

/**
 * Result of scanning one journal line: no outcome, a refusal, or the id of the organization.
 */
export type Scanned = 'unsent' | 'refused' | number | { readonly id: OrganizationId };

/** Offset of the key in a line, in bytes. */
export const keyOffset = keyAt;

/** Returns whether a line is exactly one row in the fixed form. */
export function canScan(bytes: Buffer, from: number, to: number): boolean {
  if (!hasAt(bytes, from, rowStart) || !hasAt(bytes, from + middleAt, rowMiddle)) return false;
  // Inside a JSON string the quotes would be escaped.
  const next = to - from > maxSingleLength ? bytes.indexOf(rowStart, from + keyAt) : -1;
  return next < 0 || next >= to;
}

function hasAt(bytes: Buffer, offset: number, expected: Buffer): boolean {
  for (let i = 0; i < expected.length; i += 1) {
    if (bytes[offset + i] !== expected[i]) return false;
  }
  return true;
}

/**
 * Scans one line, without its line feed, as bytes.
 *
 * A truncated line has no outcome, and neither has a line without a usable id: version 0.1 wrote
 * such lines for responses without a record.
 */
export function scanLine(bytes: Buffer, from: number, to: number): Scanned {
  if (to - from < minLength || bytes[to - 1] !== byte.closing) return 'unsent';
  let offset = from + idAt;
  while (bytes[offset] === byte.space) offset += 1;
  if (bytes[offset] === byte.n) return 'refused';
  let id = 0;
  for (
    let digit = bytes[offset] ?? 0;
    digit >= byte.zero && digit <= byte.nine;
    digit = bytes[offset] ?? 0
  ) {
    id = id * 10 + (digit - byte.zero);
    offset += 1;
  }
  const isPadded = offset === from + idAt + idWidth && bytes[offset] === byte.comma;
  if (isPadded && Number.isSafeInteger(id)) return id;
  return scanUnusualId(bytes.toString('utf8', from, to));
}

/* Reads an id that is a string, or a number too long for the padding. */
function scanUnusualId(line: string): Scanned {
  try {
    const id = usableId((JSON.parse(line) as { id?: unknown }).id);
    return id === undefined ? 'unsent' : { id };
  } catch {
    return 'unsent';
  }
}

/** Restores the error from the line of a refused row. */
export function readRefusal(line: string): CarbonError {
  let stored: Partial<StoredError>;
  try {
    stored = JSON.parse(line);
  } catch {
    stored = {};
  }
  const message = 'The service rejected this row in an earlier run';
  return restore({ code: 'refused', message, ...stored });
}

/** Maximum number of runs that register other rows and fail on a row. */
export const maxFailedRuns = 3;

/** Returns the error of a row that has failed in the maximum number of runs. */
export function failedTooOften(error: CarbonError): CarbonError {
  return restore({
    code: error.code,
    message: `failed in ${maxFailedRuns} runs: ${error.message}`,
    status: error.status,
    title: error.title,
    detail: error.detail,
    hint: 'Use --retry-failed to send it again.',
  });
}

type StoredError = Pick<CarbonError, 'code' | 'message'> &
  Pick<ErrorDetails, 'reason' | 'status' | 'title' | 'detail'> & {
    readonly hint?: string | undefined;
  };

function restore({ code, message, reason, status, title, detail, hint }: StoredError): CarbonError {
  const details = { reason, status, title, detail };
  const error = createError(code, message, details);
  // Version 0.1 stored the hint of every error.
  return hint === undefined ? error : new HintedError(error.code, message, { ...details, hint });
}

function createError(stored: string, message: string, details: ErrorDetails): CarbonError {
  const code = stored === formerUnreadable ? 'unreadable_response' : stored;
  if (code === 'not_found') return new NotFoundError(message, details);
  if (code === 'unauthorized') return new UnauthorizedError(message, details);
  return isUnavailableCode(code)
    ? new UnavailableError(code, message, details)
    : new RefusedError(message, details);
}

/* The name of the code in journals of version 0.1. */
const formerUnreadable = 'unreadable_answer';

function isUnavailableCode(code: string): code is UnavailableCode {
  return unavailableCodes.has(code);
}

const unavailableCodes: ReadonlySet<string> = new Set<UnavailableCode>([
  'rate_limited',
  'service_failed',
  'unreadable_response',
  'network',
  'timeout',
  'proxy',
]);
