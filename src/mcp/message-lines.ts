/*
 * Passes on the lines that can be messages, and answers the others with errors of JSON-RPC 2.0
 * (section 5.1): the transport of the SDK drops them without a word, and ends at a long one.
 */
import { Transform, type TransformCallback } from 'node:stream';
import { isObject } from '../client/api/ids.ts';
import { byteOrderMark } from '../runtime/file-lines.ts';

const parseError = -32_700;
const invalidRequest = -32_600;
/* The limit of the transport. */
const maxBytes = 10 * 1024 * 1024;
const lineFeed = 0x0a;

export class MessageLines extends Transform {
  readonly #answer: (text: string) => void;
  #chunks: Buffer[] = [];
  #length = 0;
  #line = 1;
  /* The requests without a response. */
  readonly #open = new Set<unknown>();
  readonly #waitForResponses: () => Promise<void>;
  #onIdle: () => void = () => undefined;

  /**
   * @param answer receives each error as a line
   * @param waitForResponses ends the time that requests have after the end of the input; the
   * transport drops them at its end
   */
  constructor(answer: (text: string) => void, waitForResponses: () => Promise<void>) {
    super();
    this.#answer = answer;
    this.#waitForResponses = waitForResponses;
  }

  /** Notes that a request has its response, or needs none any more. */
  settle(id: unknown): void {
    this.#open.delete(id);
    if (this.#open.size === 0) this.#onIdle();
  }

  override _transform(chunk: Buffer | string, _: BufferEncoding, done: TransformCallback): void {
    let rest = Buffer.from(chunk);
    for (let end = rest.indexOf(lineFeed); end >= 0; end = rest.indexOf(lineFeed)) {
      this.#add(rest.subarray(0, end));
      this.#endLine();
      rest = rest.subarray(end + 1);
    }
    this.#add(rest);
    done();
  }

  override _flush(done: TransformCallback): void {
    this.#endLine(true);
    const idle = new Promise<void>((resolve) => {
      this.#onIdle = resolve;
    });
    if (this.#open.size === 0) done();
    else Promise.race([idle, this.#waitForResponses()]).then(() => done(), done);
  }

  /* Keeps no more than a message can have. */
  #add(part: Buffer): void {
    this.#length += part.length;
    if (this.#length < maxBytes) this.#chunks.push(part);
    else this.#chunks = [];
  }

  #endLine(isLast = false): void {
    const whole = Buffer.concat(this.#chunks);
    const isTooLong = this.#length >= maxBytes;
    const isFirst = this.#line === 1;
    const where = `line ${this.#line}`;
    this.#chunks = [];
    this.#length = 0;
    this.#line += 1;
    if (isTooLong) {
      this.#refuse(invalidRequest, `${where} is longer than 10 MiB`);
      return;
    }
    const hasMark = isFirst && whole.subarray(0, byteOrderMark.length).equals(byteOrderMark);
    const text = whole.toString('utf8', hasMark ? byteOrderMark.length : 0).trim();
    if (text === '') return;
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      // A client that died has left a part of a message.
      if (isLast && text.startsWith('{')) return;
      this.#refuse(parseError, `${where} is not JSON`);
      return;
    }
    if (isMessage(message)) {
      this.#note(message);
      this.push(`${text}\n`);
    } else this.#refuse(invalidRequest, `${where} is not a message of JSON-RPC 2.0`, message);
  }

  #note({ method, id, params }: Message): void {
    if (method === 'notifications/cancelled') this.settle(params?.requestId);
    else if (method !== undefined && id !== undefined) this.#open.add(id);
  }

  #refuse(code: number, message: string, request?: unknown): void {
    const given = isObject(request) ? (request as { readonly id?: unknown }).id : undefined;
    const id = typeof given === 'string' || typeof given === 'number' ? given : null;
    this.#answer(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`);
  }
}

interface Message {
  readonly method?: string;
  readonly id?: string | number;
  readonly params?: { readonly requestId?: unknown };
}

function isMessage(value: unknown): value is Message {
  if (!isObject(value)) return false;
  const { jsonrpc, method, id, result, error } = value as Readonly<Record<string, unknown>>;
  const isCall = typeof method === 'string';
  const isResponse = method === undefined && (isObject(result) || isObject(error));
  const hasId = ['string', 'number'].includes(typeof id);
  return jsonrpc === '2.0' && ((isCall && (hasId || id === undefined)) || (isResponse && hasId));
}
