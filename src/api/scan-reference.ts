import { isUtf8 } from 'node:buffer';
import type { HttpResponse } from './http/request.ts';
import { isErrorStatus } from './http/response.ts';
import { scanJson } from './json-scan.ts';
import { type OrganizationId, readReference } from './reference.ts';

/** The members that identify a record. */
export interface ScannedReference {
  readonly id: OrganizationId;
  readonly status: string | undefined;
  /** Whether the text has no white space outside strings. */
  readonly isCompact: boolean;
}

/**
 * Reads only id and status of a response that `readResponse` and `readIdentified` accept.
 *
 * Returns undefined for every response that needs a closer look: an error, a record without a
 * usable id, and anything else that is no record at first sight.
 */
export function scanReference({ status, body }: HttpResponse): ScannedReference | undefined {
  if (status !== 200 || !isUtf8(body)) return undefined;
  const scanned = scanJson(body, ['id', 'status'], parseExact);
  if (scanned === undefined) return undefined;
  const { members, isCompact } = scanned;
  // A number is the status of an error.
  if (typeof members['status'] === 'number' || isErrorStatus(members['status'])) return undefined;
  const { id, status: text } = readReference(members);
  return id === undefined ? undefined : { id, status: text, isCompact };
}

/** Parses a number as NaN, which is no usable id, if JSON.parse may round it to another id. */
export function parseExact(json: string): unknown {
  const value: unknown = JSON.parse(json);
  return typeof value === 'number' && !/^\s*\d+\s*$/.test(json) ? Number.NaN : value;
}
