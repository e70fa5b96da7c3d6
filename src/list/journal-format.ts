/*
 * Writes and parses the lines of a journal. Each line is one JSON object. The first one names the
 * service, the profile and the columns:
 *
 *   {"carbon":"journal","version":1,"keys":1,"service":"...","profile":"...","mapping":{...}}
 *
 * The line of a row has its key ([…] stands for 32 hexadecimal digits) and an id, padded to a fixed
 * width. A rejected row has the id null, then the status, title and detail of the response:
 *
 * {"key":"[…]","id":
 * 12,"line":2,"status":"created","at":"2026-01-15T09:30:00.000Z"}
 *
 * Lines of other kinds are notes; a version of carbon that does not know one ignores it:
 *
 *   {"carbon":"mapping","mapping":{"name":"Company"}}   the columns of all lines that follow
 *   {"carbon":"failed","key":"[…]",...}                 a row failed, and was not rejected
 *   {"carbon":"pending","key":"[…]",...}                the outcome of a row does not count
 *   {"carbon":"truncated line"}                         the line before it was cut by a kill
 */
import { type OrganizationId, usableId } from '../api/ids.ts';
import {
  CarbonError,
  type CarbonErrorCode,
  type ErrorDetails,
  HintedError,
  LocalError,
  UsageError,
} from '../runtime/carbon-error.ts';
import { type Mapping, recordedHeader } from './columns.ts';
import { keyVersion } from './rows.ts';

const journalVersion = 1;

const idWidth = 19;

/** The first line of a journal. */
export interface JournalHeader {
  /** The base URL, or `sandbox`. */
  readonly service: string;
  /** Name of the profile, `env` when base URL and key are from the environment. */
  readonly profile: string;
  /** Column headers by field. */
  readonly mapping: Readonly<Record<string, string>>;
  /** The path of the list, if the journal is in another directory. */
  readonly list?: string | undefined;
}

/** Returns the journal header of a run with this mapping. */
export function journalHeader(
  service: string,
  profile: string,
  { columns }: Mapping,
): JournalHeader {
  const mapping = Object.fromEntries(
    columns.map(({ field, column }) => [field, recordedHeader(column)]),
  );
  return { service, profile, mapping };
}

/** Formats the first line of a journal. */
export function headerLine({ service, profile, mapping, list }: JournalHeader): string {
  const versions = { version: journalVersion, keys: keyVersion };
  return `${JSON.stringify({ carbon: 'journal', ...versions, service, profile, list, mapping })}\n`;
}

/**
 * Parses the first line of a journal.
 *
 * @throws UsageError for a file that is not a journal; LocalError for a journal of a later version
 */
export function parseHeader(text: string, path: string): JournalHeader {
  const read = parseObject(text);
  const { carbon, version, keys } = read ?? {};
  const isVersion = (number: unknown) => Number.isInteger(number) && Number(number) >= 1;
  if (carbon !== 'journal' || !isVersion(version) || !isVersion(keys)) throw notJournal(path);
  if (Number(version) > journalVersion || Number(keys) > keyVersion) {
    throw new LocalError(`The journal ${path} was written by a later version of carbon`, {
      hint: 'Update carbon, or use --keep to start another journal.',
    });
  }
  return read as unknown as JournalHeader;
}

/** Returns whether the only line of a file is the beginning of a header that a kill cut. */
export function isTruncatedHeader(text: string): boolean {
  const magic = '{"carbon":"journal"';
  // Rows that lost their line feeds follow a complete header.
  const hasRows = text.includes('{"key":') || text.includes('{"carbon":', 1);
  return (
    magic.startsWith(text.slice(0, magic.length)) && !hasRows && parseObject(text) === undefined
  );
}

/** Returns the error of a file that is not a journal. */
export function notJournal(path: string): UsageError {
  return new UsageError(
    `${path} is not a carbon journal`,
    'The file was not changed. Restore the journal from a backup. Without it, carbon sends every row again; the ids stay the same.',
  );
}

/** What one line after the header records. */
export type JournalLine =
  /** A row; without an id, the service rejected it. */
  | { readonly kind: 'row'; readonly key: string; readonly id: OrganizationId | undefined }
  | { readonly kind: 'failed' | 'pending'; readonly key: string }
  /** The mapping, service and profile of all lines that follow. */
  | { readonly kind: 'header'; readonly header: Partial<JournalHeader> }
  | { readonly kind: 'truncated line' }
  | { readonly kind: 'other' };

/** Parses a line; returns undefined if it is not JSON of this format. */
export function parseLine(text: string): JournalLine | undefined {
  const read = parseObject(text);
  if (read === undefined) return text.trim() === '' ? { kind: 'other' } : undefined;
  const { carbon, key, id } = read;
  const hasKey = typeof key === 'string' && /^[0-9a-f]{32}$/.test(key);
  if (carbon === undefined) {
    const usable = id === null ? undefined : usableId(id);
    if (!hasKey || (id !== null && usable === undefined)) return undefined;
    return { kind: 'row', key, id: usable };
  }
  if (carbon === 'failed' || carbon === 'pending')
    return hasKey ? { kind: carbon, key } : undefined;
  if (carbon === 'mapping')
    return { kind: 'header', header: { mapping: read['mapping'] as never } };
  if (carbon === 'journal') return { kind: 'header', header: read as Partial<JournalHeader> };
  return { kind: carbon === 'truncated line' ? carbon : 'other' };
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === 'object' && read !== null ? (read as never) : undefined;
  } catch {
    return undefined;
  }
}

/** The note after a truncated line, which does not count as unreadable. */
export const truncatedLine = `${JSON.stringify({ carbon: 'truncated line' })}\n`;

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

/** Formats the line of a row that the service rejected. */
export function refusedLine(key: string, line: number, error: CarbonError, atMs: number): string {
  return `${start(key, 'null')},"line":${line},"at":"${time(atMs)}",${reason(error)}\n`;
}

/** Formats the note that a row failed, or that its outcome does not count. */
export function rowNote(
  kind: 'failed' | 'pending',
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

/** Formats the line of the mapping for all lines that follow. */
export function mappingLine(mapping: Readonly<Record<string, string>>): string {
  return `${JSON.stringify({ carbon: 'mapping', mapping })}\n`;
}

function start(key: string, id: string): string {
  return `{"key":"${key}","id":${id.padStart(idWidth)}`;
}

function time(ms: number): string {
  return new Date(ms).toISOString();
}

/** Restores the error of a row from its journal line. */
export function readReason(line: string): CarbonError {
  const message = 'The service rejected this row in an earlier run';
  return restore({ code: 'rejected', message, ...(parseObject(line) as Partial<StoredError>) });
}

type StoredError = Pick<CarbonError, 'code' | 'message'> &
  Pick<ErrorDetails, 'reason' | 'status' | 'title' | 'detail'> & {
    readonly hint?: string | undefined;
  };

/* A journal of another version may have a code that this one does not know. */
const knownCodes: ReadonlySet<string> = new Set<CarbonErrorCode>([
  'rejected',
  'not_found',
  'unauthorized',
  'rate_limited',
  'service_failed',
  'unreadable_response',
  'network',
  'timeout',
  'proxy',
]);

function restore({ code: stored, message, hint, ...details }: StoredError): CarbonError {
  // `unreadable_answer` is the name of the code in journals of version 0.1.
  const code = (stored as string) === 'unreadable_answer' ? 'unreadable_response' : stored;
  const { reason, status, title, detail } = details;
  const shown = { reason, status, title, detail };
  const known = knownCodes.has(code) ? code : 'rejected';
  return hint === undefined
    ? new CarbonError(known, message, shown)
    : new HintedError(known, message, { ...shown, hint });
}
