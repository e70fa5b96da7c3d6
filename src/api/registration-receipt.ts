import { isUtf8 } from 'node:buffer';
import type { RateLimit } from '../runtime/carbon-error.ts';
import { unreadable } from './http/failed-response.ts';
import type { HttpResponse } from './http/request.ts';
import {
  isErrorStatus,
  type RecordResponse,
  type RequestInfo,
  readResponse,
} from './http/response.ts';
import { scanJsonMembers } from './json-scan.ts';
import { readRateLimit } from './rate-limit/headers.ts';
import { type OrganizationId, readHead } from './reference.ts';

/** What a batch needs of a record. */
export interface Receipt {
  readonly id: OrganizationId;
  readonly status: string | undefined;
  /** The rate limit that the headers tell. */
  readonly limit?: RateLimit | undefined;
}

/**
 * Reads no more than id and status of the record that an answer has, as strictly as `readAnswer`
 * and with the same errors.
 * @throws UnavailableError too for what `readIdentified` refuses
 */
export function readReceipt(answer: HttpResponse, asked: RequestInfo, now: number): Receipt {
  const { status, body, headers } = answer;
  const members =
    status === 200 && isUtf8(body)
      ? scanJsonMembers(body, ['id', 'status'], parseExact)
      : undefined;
  // A number as the status is that of an error.
  if (
    members !== undefined &&
    typeof members['status'] !== 'number' &&
    !isErrorStatus(members['status'])
  ) {
    const head = readHead(members);
    if (head.id !== undefined)
      return { id: head.id, status: head.status, limit: readRateLimit(headers, now) };
  }
  const { id, status: state, limit } = readIdentified(answer, asked, now);
  return { id, status: state, limit };
}

/**
 * Reads an answer as the record that a decision may follow from: with status 200, the only one that
 * sections 4.1 and 4.2 of the specification define for a record, and with a usable id, without
 * which no later command could name the organization.
 * @throws UnavailableError too for any other record
 */
export function readIdentified(
  answer: HttpResponse,
  asked: RequestInfo,
  now: number,
): RecordResponse & Receipt {
  const received = readResponse(answer, asked, now);
  if (answer.status !== 200)
    throw unreadable(answer, asked, now, 'a record, which counts only with status 200');
  if (typeof received.record.status === 'number') {
    throw unreadable(
      answer,
      asked,
      now,
      'a record whose status is a number, as that of an error is',
    );
  }
  const { id, status } = readHead(received.record);
  const exact = scanJsonMembers(answer.body, ['id'], parseExact);
  if (id === undefined || Number.isNaN(exact?.['id']))
    throw unreadable(answer, asked, now, 'a record without a usable id');
  return { ...received, id, status };
}

/* JSON.parse rounds 1.00000000000000001 to the id of another organization: NaN is no usable id. */
function parseExact(json: string): unknown {
  const value: unknown = JSON.parse(json);
  return typeof value === 'number' && !/^\s*\d+\s*$/.test(json) ? Number.NaN : value;
}
