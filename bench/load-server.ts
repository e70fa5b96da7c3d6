/*
 * A service that is faster than any client, so that the bench measures the client. It uses raw
 * sockets and one prepared record of 6 KB in which only the id differs. It runs in its own process
 * until its standard input ends.
 *
 * Its first line on standard output is its base URL.
 */
import { createServer, type Socket } from 'node:net';

/** The server's only argument, as JSON. */
export interface LoadOptions {
  /** Whether a registration gets its external_id, a number, as its id (default: the next id). */
  readonly idempotent?: boolean;
}

const recordBytes = 6 * 1024;
const idWidth = 12;

const { idempotent = false }: LoadOptions = JSON.parse(process.argv[2] ?? '{}');
let accepted = 0;

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
  return idempotent ? JSON.parse(body).external_id : String(accepted);
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
      const bytes = recordFor(request, received.slice(end + 4, length));
      received = received.slice(length);
      socket.write(bytes);
    }
  });
}

const server = createServer(serve).listen(0, '127.0.0.1', () => {
  const { port } = server.address() as { port: number };
  process.stdout.write(`http://127.0.0.1:${port}\n`);
});
process.stdin.resume().on('end', () => process.exit());
