/*
 * A service that is quicker than any client, so that the client is what is measured: raw sockets,
 * one prepared record of 6 KB in which only the id differs. Runs as a process of its own until its
 * standard input ends.
 *
 * Its first line on standard output is its address; GET /counts tells what it was asked.
 */
import { createServer, type Socket } from 'node:net';
import { TokenBucket } from './pacing-limiters.ts';

/** How the server behaves; its only argument, as JSON. */
export interface LoadOptions {
  /** How long every answer waits, in milliseconds. */
  readonly latencyMs?: number;
  /** Requests per second permitted; above: 429. */
  readonly rate?: number;
  readonly burst?: number;
  /** Whether a 429 carries Retry-After. */
  readonly retryAfter?: boolean;
}

/** What the server was asked; times in milliseconds. */
export interface Counts {
  readonly accepted: number;
  readonly refused: number;
  /** From the first request until the last answer. */
  readonly elapsedMs: number;
}

const recordBytes = 6 * 1024;
const idWidth = 12;

const {
  latencyMs = 0,
  rate,
  burst = 10,
  retryAfter = true,
}: LoadOptions = JSON.parse(process.argv[2] ?? '{}');
const limiter = rate === undefined ? undefined : new TokenBucket(burst, rate);
let accepted = 0;
let refused = 0;
let began = 0;
let ended = 0;

function record(): string {
  const performance = (year: number) => ({
    year,
    region: 'DE',
    revenue: { value: 1_234_567_890, currency: 'USD' },
    emissions: {
      scope_1: { total: 175_878_000.25 },
      scope_2: { total: 41_369_000.5 },
      total: 455_922_000,
    },
  });
  const years = Array.from({ length: 24 }, (_, at) => performance(2025 - at));
  const start = `,"name":"Load Test AG","status":"synced","hq_region":"DE","performances":${JSON.stringify(years)}`;
  const padding = recordBytes - start.length - idWidth - `{"id":,"description":""}`.length;
  return `${start},"description":"${'A maker of paper and packaging. '.repeat(200).slice(0, padding)}"}`;
}

const rest = record();
const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${6 + idWidth + rest.length}\r\n\r\n{"id":`;
const answer = Buffer.from(`${head}${' '.repeat(idWidth)}${rest}`);

function registered(): Buffer {
  accepted += 1;
  const bytes = Buffer.from(answer);
  bytes.write(String(accepted).padStart(idWidth), head.length);
  return bytes;
}

function plain(status: string, body: unknown, headers = ''): Buffer {
  const text = JSON.stringify(body);
  return Buffer.from(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\n${headers}Content-Length: ${text.length}\r\n\r\n${text}`,
  );
}

function reply(request: string): Buffer {
  const now = performance.now();
  if (request.startsWith('GET /counts ')) {
    return plain('200 OK', { accepted, refused, elapsedMs: ended - began } satisfies Counts);
  }
  began ||= now;
  ended = now;
  const waitMs = limiter === undefined ? 0 : limiter.freeAt(now - began) - (now - began);
  if (waitMs <= 0) {
    limiter?.take(now - began);
    return registered();
  }
  refused += 1;
  const header = retryAfter ? `Retry-After: ${Math.ceil(waitMs / 1000)}\r\n` : '';
  return plain(
    '429 Too Many Requests',
    { status: 429, title: 'Too Many Requests', detail: 'Slower' },
    header,
  );
}

function serve(socket: Socket): void {
  let held = '';
  socket.setNoDelay(true).setEncoding('latin1');
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: string) => {
    held += chunk;
    for (;;) {
      const end = held.indexOf('\r\n\r\n');
      if (end < 0) return;
      const request = held.slice(0, end);
      const length = end + 4 + Number(/\r\ncontent-length: *(\d+)/i.exec(request)?.[1] ?? 0);
      if (held.length < length) return;
      held = held.slice(length);
      const bytes = reply(request);
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
