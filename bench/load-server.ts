/*
 * A service that is faster than any client, so that the bench measures the client. It uses raw
 * sockets and one prepared record of 6 KB in which only the id differs. It runs in its own process
 * until its standard input ends.
 *
 * Its first line on standard output is its base URL. GET /counts returns its request counts, GET
 * /timeline the registrations that it limited.
 */
import { createServer, type Socket } from 'node:net';
import { Quota, TokenBucket } from '../test/support/pacing-limiters.ts';

/** The server's only argument, as JSON. */
export interface LoadOptions {
  /** Delay of every response in milliseconds (default 0). */
  readonly latencyMs?: number;
  /** Permitted requests per second; the server refuses others with 429 (default: no limit). */
  readonly rate?: number;
  readonly burst?: number;
  /** With `rate`: number of registrations before it refuses all others with a long Retry-After. */
  readonly quota?: number;
  /** Whether a 429 has a Retry-After header (default true). */
  readonly retryAfter?: boolean;
  /** Whether a registration gets its external_id, a number, as its id (default: the next id). */
  readonly idempotent?: boolean;
}

/** Counts of requests; times in milliseconds. */
export interface Counts {
  readonly accepted: number;
  /** The number of different ids of registrations, if they are idempotent. */
  readonly registered: number;
  readonly refused: number;
  /** From the first request to the last response. */
  readonly elapsedMs: number;
}

/** A registration that the limit accepted or refused. */
export interface LimitedRequest {
  /** Time since 1970 in milliseconds. */
  readonly at: number;
  /** The external_id of the registration. */
  readonly row: number;
  readonly isAccepted: boolean;
}

const quotaWaitMs = 7_200_000;
const recordBytes = 6 * 1024;
const idWidth = 12;

const {
  latencyMs = 0,
  rate,
  burst = 10,
  quota = Infinity,
  retryAfter = true,
  idempotent = false,
}: LoadOptions = JSON.parse(process.argv[2] ?? '{}');
const limiter = rate === undefined ? undefined : new Quota(quota, new TokenBucket(burst, rate));
const timeline: LimitedRequest[] = [];
const registered = new Set<number>();
let accepted = 0;
let refused = 0;
let began = 0;
let ended = 0;

function record(): string {
  const performance = (year: number) => ({
    year,
    region: 'DE',
    revenue: 1_234_567_890,
    revenue_currency: 'USD',
    emissions: {
      scope_1: { total: 175_878_000.25 },
      scope_2: { total: 41_369_000.5 },
      total: 455_922_000,
    },
  });
  const years = Array.from({ length: 24 }, (_, index) => performance(2025 - index));
  const start = `,"name":"Load Test AG","status":"synced","hq_region":"DE","performances":${JSON.stringify(years)}`;
  const padding =
    recordBytes - start.length - idWidth - `{"id":,"external_id":"","description":""}`.length;
  return `${start},"description":"${'A maker of paper and packaging. '.repeat(200).slice(0, padding)}"}`;
}

const recordEnd = record();
/* The zeros of the second member keep the length of the record for an id of any length. */
const between = ',"external_id":"';
const contentLength = '{"id":'.length + between.length + idWidth + 1 + recordEnd.length;
const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${contentLength}\r\n\r\n{"id":`;
const response = Buffer.from(`${head}${between}${'0'.repeat(idWidth)}"${recordEnd}`);

/* Returns a record: of the requested organization, or of the registered one. */
function recordFor(request: string, body: string): Buffer {
  accepted += 1;
  const id = /^GET \/organizations\/(\d{1,12}) /.exec(request)?.[1] ?? register(body);
  const bytes = Buffer.from(response);
  bytes.write(id + between, head.length);
  return bytes;
}

function register(body: string): string {
  if (!idempotent) return String(accepted);
  const { external_id } = JSON.parse(body);
  registered.add(Number(external_id));
  return external_id;
}

function plain(status: string, body: unknown, headers = ''): Buffer {
  const text = JSON.stringify(body);
  return Buffer.from(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\n${headers}Content-Length: ${text.length}\r\n\r\n${text}`,
  );
}

function reply(request: string, body: string): Buffer {
  const now = performance.now();
  if (request.startsWith('GET /counts ')) {
    const elapsedMs = ended - began;
    const counts: Counts = { accepted, registered: registered.size, refused, elapsedMs };
    return plain('200 OK', counts);
  }
  if (request.startsWith('GET /timeline ')) return plain('200 OK', timeline);
  began ||= now;
  ended = now;
  const waitMs = limiter === undefined ? 0 : limiter.freeAt(now - began) - (now - began);
  if (limiter !== undefined) {
    const row = Number(/"external_id":"(\d+)"/.exec(body)?.[1]);
    timeline.push({ at: performance.timeOrigin + now, row, isAccepted: waitMs <= 0 });
  }
  if (waitMs <= 0) {
    limiter?.take(now - began);
    return recordFor(request, body);
  }
  refused += 1;
  const header = retryAfter
    ? `Retry-After: ${Math.ceil(Math.min(quotaWaitMs, waitMs) / 1000)}\r\n`
    : '';
  return plain(
    '429 Too Many Requests',
    { status: 429, title: 'Too Many Requests', detail: 'Slower' },
    header,
  );
}

function serve(socket: Socket): void {
  let received = '';
  socket.setNoDelay(true).setEncoding('latin1');
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: string) => {
    received += chunk;
    for (;;) {
      const end = received.indexOf('\r\n\r\n');
      if (end < 0) return;
      const request = received.slice(0, end);
      const length = end + 4 + Number(/\r\ncontent-length: *(\d+)/i.exec(request)?.[1] ?? 0);
      if (received.length < length) return;
      const bytes = reply(request, received.slice(end + 4, length));
      received = received.slice(length);
      if (latencyMs === 0) socket.write(bytes);
      else setTimeout(() => socket.write(bytes), latencyMs);
    }
  });
}

const server = createServer(serve).listen(0, '127.0.0.1', () => {
  const { port } = server.address() as { port: number };
  process.stdout.write(`http://127.0.0.1:${port}\n`);
});
process.stdin.resume().on('end', () => process.exit());
