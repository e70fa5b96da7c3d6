/*
 * Reads a record that is only passed on. Its id suffices to check it, so its text is neither
 * decoded nor parsed, which halves the processor time of `carbon get - --json`
 * (bench/retrieval.ts).
 */

import { readRateLimit } from '../pace/rate-limit-headers.ts';
import type { RateLimit } from '../runtime/carbon-error.ts';
import type { OrganizationId } from './ids.ts';
import type { HttpResponse } from './request.ts';
import { type RecordResponse, type RequestInfo, readResponse } from './responses.ts';
import { type ScannedReference, scanReference } from './scan-reference.ts';
import type { Organization } from './schema.ts';

const utf8 = new TextDecoder();

/** Contains a record as received, with its id; decodes and parses the record when needed. */
export class ReceivedRecord implements RecordResponse {
  readonly id: OrganizationId;
  /** JSON text in UTF-8. */
  readonly bytes: Uint8Array;
  /** Whether the text has no white space outside strings. */
  readonly isCompact: boolean;
  readonly limit: RateLimit | undefined;

  constructor(
    { id, isCompact }: ScannedReference,
    bytes: Uint8Array,
    limit: RateLimit | undefined,
  ) {
    this.id = id;
    this.bytes = bytes;
    this.isCompact = isCompact;
    this.limit = limit;
  }

  get json(): string {
    return utf8.decode(this.bytes);
  }

  get record(): Organization {
    return JSON.parse(this.json);
  }
}

/** Reads a response as `readResponse` does, with the same errors, but only its id. */
export function readReceived(
  response: HttpResponse,
  info: RequestInfo,
  now: number,
): RecordResponse | ReceivedRecord {
  const scanned = scanReference(response);
  if (scanned === undefined) return readResponse(response, info, now);
  return new ReceivedRecord(scanned, response.body, readRateLimit(response.headers, now));
}
