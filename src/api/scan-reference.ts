import { isUtf8 } from 'node:buffer';
import { type OrganizationId, usableId } from './ids.ts';
import { JsonScanner } from './json-scan.ts';
import type { HttpResponse } from './request.ts';
import { isErrorStatus } from './responses.ts';

/** The members that identify a record. */
export interface ScannedReference {
  readonly id: OrganizationId;
  readonly status: string | undefined;
  /** Whether the text has no white space outside strings. */
  readonly isCompact: boolean;
}

const scanner = new JsonScanner(['id', 'status']);
const member = { id: 0, status: 1 } as const;
const utf8 = new TextDecoder();

/**
 * Reads only id and status of a response that `readResponse` and `readIdentified` accept.
 *
 * Returns undefined for every response that needs a closer look: an error, a record without a
 * usable id, and anything else that is no record at first sight.
 */
export function scanReference({ status, body }: HttpResponse): ScannedReference | undefined {
  if (status !== 200 || !isUtf8(body) || !scanner.scan(body)) return undefined;
  const id = readDigits(body) ?? usableId(scannedId(body));
  if (id === undefined) return undefined;
  const text = isKnownStatus(body) ? knownStatus : readStatus(body);
  return text === null ? undefined : { id, status: text, isCompact: scanner.isCompact };
}

/**
 * Reads the id of a JSON object without rounding: returns NaN, which is no usable id, for a number
 * that JSON.parse may round to another id. Returns undefined if there is no id or if only
 * JSON.parse can read the text.
 */
export function scanExactId(body: Uint8Array): unknown {
  return scanner.scan(body) ? scannedId(body) : undefined;
}

function scannedId(body: Uint8Array): unknown {
  const json = textOf(body, member.id);
  if (json === undefined) return undefined;
  const value: unknown = JSON.parse(json);
  return typeof value === 'number' && !/^\d+$/.test(json) ? Number.NaN : value;
}

/* Reads an integer below 10^15 from the bytes, because nearly all ids are such numbers. */
function readDigits(body: Uint8Array): number | undefined {
  const start = scanner.start(member.id);
  const end = scanner.end(member.id);
  if (start < 0 || end - start > 15) return undefined;
  let id = 0;
  for (let index = start; index < end; index += 1) {
    const digit = (body[index] as number) - 0x30;
    if (digit < 0 || digit > 9) return undefined;
    id = id * 10 + digit;
  }
  return id;
}

/* Most records of a batch have the status of the record before: then its text is reused. */
let knownStatus = '';
let knownJson = '';

function isKnownStatus(body: Uint8Array): boolean {
  const start = scanner.start(member.status);
  if (start < 0 || scanner.end(member.status) - start !== knownJson.length) return false;
  for (let index = 0; index < knownJson.length; index += 1)
    if (body[start + index] !== knownJson.charCodeAt(index)) return false;
  return true;
}

/* Returns null for the status of an error, undefined for a value of another type than text. */
function readStatus(body: Uint8Array): string | undefined | null {
  const json = textOf(body, member.status);
  const status: unknown = json === undefined ? undefined : JSON.parse(json);
  // A number is the status of an error.
  if (typeof status === 'number' || isErrorStatus(status)) return null;
  if (typeof status !== 'string' || json === undefined) return undefined;
  // Other characters have more bytes than the text has characters.
  if (json.length === scanner.end(member.status) - scanner.start(member.status)) {
    knownStatus = status;
    knownJson = json;
  }
  return status;
}

function textOf(body: Uint8Array, name: number): string | undefined {
  const start = scanner.start(name);
  return start < 0 ? undefined : utf8.decode(body.subarray(start, scanner.end(name)));
}
