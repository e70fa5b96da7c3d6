/*
 * The lines of a journal. Each is JSON, and begins with a key and an id of fixed width, so that
 * reading a million of them back looks at bytes:
 *
 *   {"key":"0123456789abcdef0123456789abcdef","id":                 12,"line":2,"status":"created","at":"2026-01-15T09:30:00.000Z"}
 *
 * A refused row has the id null, then status, title and detail of the answer. Lines of other kinds
 * name a file of failed rows that was written, and a row on which the service failed in a run that
 * registered other rows:
 *
 *   {"carbon":"failed rows","sha256":"..."} {"carbon":"failed
 *   attempt","key":"0123456789abcdef0123456789abcdef","line":3,"at":"2026-01-15T09:30:00.000Z","code":"service_failed",...}
 *
 * A row that fails in a run that twenty failures end has a line too: no attempt that counts, but
 * the next run sends it after all others:
 *
 *   {"carbon":"uncounted
 *   attempt","key":"0123456789abcdef0123456789abcdef","line":3,"at":"2026-01-15T09:30:00.000Z","code":"service_failed",...}
 *
 * Another one has the mapping that `--map` put in the place of the one before:
 *
 *   {"carbon":"mapping","mapping":{"name":"Company"}}
 *
 * And one follows a line that a kill has truncated:
 *
 *   {"carbon":"truncated line"}
 *
 * A line is whole when it ends with } and a line feed. A version of carbon that does not know a
 * kind of line reads over it.
 */
import {
  NotFoundError,
  RefusedError,
  UnauthorizedError,
  type UnavailableCode,
  UnavailableError,
} from '../../api/errors.ts';
import { type OrganizationId, usableId } from '../../api/reference.ts';
import { type CarbonError, type ErrorDetails, HintedError } from '../../runtime/carbon-error.ts';

/** Version of the form of journals. */
export const journalVersion = 1;

const keyAt = 8;
const idAt = 47;
const idWidth = 19;
const shortest = idAt + idWidth + 2;

const byte = { zero: 48, nine: 57, space: 32, comma: 44, n: 110, closing: 125 } as const;

/* What stands around the key. */
const rowStart = Buffer.from('{"key":"');
const rowMiddle = Buffer.from('","id":');
const middleAt = idAt - rowMiddle.length;
/* No two rows are that short together. */
const maxSingleLength = 200;

/** A row that was registered. */
export interface Registered {
  readonly key: string;
  readonly line: number;
  readonly id: OrganizationId;
  readonly status: string | undefined;
}

/** The line of a registered row. */
export function registeredLine({ key, line, id, status }: Registered, atMs: number): string {
  return `${start(key, JSON.stringify(id))},"line":${line},"status":${JSON.stringify(status ?? null)},"at":"${time(atMs)}"}\n`;
}

/** The line of a row that the service refused, or that failed too often. */
export function refusedLine(key: string, line: number, error: CarbonError, atMs: number): string {
  return `${start(key, 'null')},"line":${line},"at":"${time(atMs)}",${reason(error)}\n`;
}

/**
 * The kinds of line of a row on which the service failed: in a run that registered other rows, and
 * in any other.
 */
type Attempt = 'failed attempt' | 'uncounted attempt';

/** The line of a row on which the service failed. */
export function attemptLine(
  kind: Attempt,
  { key, line }: { readonly key: string; readonly line: number },
  error: CarbonError,
  atMs: number,
): string {
  return `{"carbon":"${kind}","key":"${key}","line":${line},"at":"${time(atMs)}",${reason(error)}\n`;
}

/* The members of an error that are kept, and the end of the object. */
function reason(error: CarbonError): string {
  const { status, title, detail, message, code, reason } = error;
  const hint = error instanceof HintedError ? error.hint : undefined;
  return JSON.stringify({ code, reason, status, title, detail, message, hint }).slice(1);
}

/** The line of a file of failed rows. */
export function writtenLine(digest: string): string {
  return `${JSON.stringify({ carbon: 'failed rows', sha256: digest })}\n`;
}

/** The line of a mapping that is in force from here on. */
export function mappingLine(mapping: Readonly<Record<string, string>>): string {
  return `${JSON.stringify({ carbon: 'mapping', mapping })}\n`;
}

function start(key: string, id: string): string {
  return `{"key":"${key}","id":${id.padStart(idWidth)}`;
}

/* Many lines are of one millisecond. */
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
 * What a line says of its row: nothing, so that it counts as unsent; that it was refused; the id of
 * its organization.
 */
export type Scanned = 'unsent' | 'refused' | number | { readonly id: OrganizationId };

/** Where the key of a line begins, relative to the line. */
export const keyOffset = keyAt;

/** Whether a line can be scanned: it is a row as carbon writes them, and only one. */
export function canScan(bytes: Buffer, from: number, to: number): boolean {
  if (!hasAt(bytes, from, rowStart) || !hasAt(bytes, from + middleAt, rowMiddle)) return false;
  // Inside of a text the quotes would be escaped.
  const next = to - from > maxSingleLength ? bytes.indexOf(rowStart, from + keyAt) : -1;
  return next < 0 || next >= to;
}

function hasAt(bytes: Buffer, at: number, expected: Buffer): boolean {
  for (let offset = 0; offset < expected.length; offset += 1) {
    if (bytes[at + offset] !== expected[offset]) return false;
  }
  return true;
}

/**
 * Reads one line as bytes, without its line feed; an id that is a plain number is returned as one.
 * A line that was not written to its end says nothing, and so does one without a usable id: version
 * 0.1 wrote those for responses that held no record.
 */
export function scanLine(bytes: Buffer, from: number, to: number): Scanned {
  if (to - from < shortest || bytes[to - 1] !== byte.closing) return 'unsent';
  let at = from + idAt;
  while (bytes[at] === byte.space) at += 1;
  if (bytes[at] === byte.n) return 'refused';
  let id = 0;
  for (
    let digit = bytes[at] ?? 0;
    digit >= byte.zero && digit <= byte.nine;
    digit = bytes[at] ?? 0
  ) {
    id = id * 10 + (digit - byte.zero);
    at += 1;
  }
  if (at === from + idAt + idWidth && bytes[at] === byte.comma && Number.isSafeInteger(id))
    return id;
  return scanUnusualId(bytes.toString('utf8', from, to));
}

/* Text: a number is padded, and ends where every other does. */
function scanUnusualId(line: string): Scanned {
  try {
    const id = usableId((JSON.parse(line) as { id?: unknown }).id);
    return id === undefined ? 'unsent' : { id };
  } catch {
    return 'unsent';
  }
}

/** The error that the line of a refused row tells. */
export function readRefusal(line: string): CarbonError {
  let told: Partial<StoredError>;
  try {
    told = JSON.parse(line);
  } catch {
    told = {};
  }
  return restore({ code: 'refused', message: 'The service refused it in an earlier run', ...told });
}

/** How many runs that register other rows may fail on a row. */
export const maxFailedRuns = 3;

/** The error of a row that has failed in so many runs. */
export function givenUp(error: CarbonError): CarbonError {
  return restore({
    code: error.code,
    message: `failed in ${maxFailedRuns} runs: ${error.message}`,
    status: error.status,
    title: error.title,
    detail: error.detail,
    hint: '--retry-failed sends it again.',
  });
}

type StoredError = Pick<CarbonError, 'code' | 'message'> &
  Pick<ErrorDetails, 'reason' | 'status' | 'title' | 'detail'> & {
    readonly hint?: string | undefined;
  };

function restore({ code, message, reason, status, title, detail, hint }: StoredError): CarbonError {
  const details = { reason, status, title, detail };
  const error = ofClass(code, message, details);
  // Version 0.1 stored the hint of every error.
  return hint === undefined ? error : new HintedError(error.code, message, { ...details, hint });
}

function ofClass(code: string, message: string, details: ErrorDetails): CarbonError {
  if (code === 'not_found') return new NotFoundError(message, details);
  if (code === 'unauthorized') return new UnauthorizedError(message, details);
  return isOfService(code)
    ? new UnavailableError(code, message, details)
    : new RefusedError(message, details);
}

function isOfService(code: string): code is UnavailableCode {
  return unavailableCodes.has(code);
}

const unavailableCodes: ReadonlySet<string> = new Set<UnavailableCode>([
  'rate_limited',
  'service_failed',
  'unreadable_answer',
  'network',
  'timeout',
  'proxy',
]);
