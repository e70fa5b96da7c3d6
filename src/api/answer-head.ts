import { isUtf8 } from 'node:buffer';
import { type RecordHead, readHead } from '../record-head.ts';
import { type Asked, readAnswer } from './answer.ts';
import type { Answer } from './exchange.ts';
import { readMembers } from './members.ts';
import { type RateLimit, readRateLimit } from './rate-limit.ts';

/** What a batch needs of a record. */
export interface ReceivedHead extends Pick<RecordHead, 'id' | 'status'> {
  /** The rate limit that the headers tell. */
  readonly limit?: RateLimit | undefined;
}

/** Reads no more than id and status of the record that an answer has, as strictly as `readAnswer` and with the same errors. */
export function readAnswerHead(answer: Answer, asked: Asked, now: number): ReceivedHead {
  const { status, body, headers } = answer;
  const isRead = status >= 200 && status <= 299 && isUtf8(body);
  const members = isRead ? readMembers(body, ['id', 'status']) : undefined;
  // A number as the status is that of an error.
  if (members === undefined || typeof members['status'] === 'number') {
    const { record, limit } = readAnswer(answer, asked, now);
    return headOf(record, limit);
  }
  return headOf(members, readRateLimit(headers, now));
}

function headOf(record: object, limit: RateLimit | undefined): ReceivedHead {
  const { id, status } = readHead(record);
  return { id, status, limit };
}
