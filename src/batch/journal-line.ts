/*
 * The lines of a journal. Each is JSON, and begins with a key and an id of fixed width, so that reading a million of them back
 * looks at bytes:
 *
 *   {"key":"0123456789abcdef0123456789abcdef","id":                 12,"line":2,"status":"created","at":"2026-01-15T09:30:00.000Z"}
 *
 * A refused row has the id null, then status, title and detail of the answer. A line of another kind names a file of failed rows that was written:
 *
 *   {"carbon":"failed rows","sha256":"..."}
 *
 * A line is whole when it ends with } and a line feed.
 */
import { type CarbonError, type ErrorDetails, NotFoundError, RefusedError } from '../errors.ts';
import { type OrganizationId, usableId } from '../record-head.ts';

/** Version of the form of journals. */
export const journalVersion = 1;

const keyAt = 8;
const idAt = 47;
const idWidth = 19;
const shortest = idAt + idWidth + 2;

const byte = { zero: 48, nine: 57, space: 32, comma: 44, k: 107, n: 110, closing: 125 } as const;

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

/** The line of a row that the service refused. */
export function refusedLine(key: string, line: number, error: CarbonError, atMs: number): string {
  const { status, title, detail, message, code, hint } = error;
  const why = JSON.stringify({ code, status, title, detail, message, hint }).slice(1);
  return `${start(key, 'null')},"line":${line},"at":"${time(atMs)}",${why}\n`;
}

/** The line of a file of failed rows. */
export function writtenLine(digest: string): string {
  return `${JSON.stringify({ carbon: 'failed rows', sha256: digest })}\n`;
}

/** The digest that such a line names, undefined for any other line. */
export function readWritten(bytes: Buffer, from: number, to: number): string | undefined {
  // The k of a row's "key" is where others have something else.
  if (bytes[from + 2] === byte.k) return undefined;
  try {
    return JSON.parse(bytes.toString('utf8', from, to)).sha256;
  } catch {
    return undefined;
  }
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

/** What a line says of its row: nothing, so that it counts as unsent; that it was refused; the id of its organization. */
export type Scanned = 'unsent' | 'refused' | number | { readonly id: OrganizationId };

/** Where the key of a line begins, relative to the line. */
export const keyOffset = keyAt;

/**
 * Reads one line as bytes, without its line feed; an id that is a plain number is returned as one. A line that was not written to its end says nothing, and so
 * does one without a usable id: version 0.1 wrote those for responses that held no record.
 */
export function scanLine(bytes: Buffer, from: number, to: number): Scanned {
  if (to - from < shortest || bytes[to - 1] !== byte.closing) return 'unsent';
  let at = from + idAt;
  while (bytes[at] === byte.space) at += 1;
  if (bytes[at] === byte.n) return 'refused';
  let id = 0;
  for (let digit = bytes[at] ?? 0; digit >= byte.zero && digit <= byte.nine; digit = bytes[at] ?? 0) {
    id = id * 10 + (digit - byte.zero);
    at += 1;
  }
  if (at === from + idAt + idWidth && bytes[at] === byte.comma && Number.isSafeInteger(id)) return id;
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
  let told: { code?: string; message?: string } & Pick<ErrorDetails, 'status' | 'title' | 'detail' | 'hint'>;
  try {
    told = JSON.parse(line);
  } catch {
    told = {};
  }
  const { message = 'The service refused it in an earlier run', status, title, detail, hint } = told;
  const Kind = told.code === 'not_found' ? NotFoundError : RefusedError;
  return new Kind(message, { status, title, detail, hint });
}
