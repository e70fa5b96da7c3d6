/* Faulty services: each sends the same wrong response to every request. */
import { gzipSync } from 'node:zlib';
import type { VirtualClock } from '../support/clock.ts';
import { httpResponse, type RawReply } from '../support/raw-server.ts';

/** Creates a faulty reply. Silent replies let the client's clock run. */
export type Misbehavior = (clock: VirtualClock) => RawReply;

const always =
  (bytes: Buffer | string): Misbehavior =>
  () =>
  (socket) =>
    void socket.write(bytes);

const thenEnd =
  (bytes: Buffer | string): Misbehavior =>
  () =>
  (socket) =>
    void socket.end(bytes);

/** Returns a record with additional members. */
const record = (more: string) => `{"id":1,"name":"Acme AG","status":"synced"${more}}`;
const answer = (body: string | Buffer, status?: string, ...headers: string[]) =>
  always(httpResponse(body, { ...(status && { status }), headers }));
const error = (status: number, title: string, ...headers: string[]) =>
  answer(JSON.stringify({ status, title, detail: `${title}.` }), `${status} ${title}`, ...headers);

function patientlySilent(bytes = ''): Misbehavior {
  return (clock) => (socket) => {
    if (bytes !== '') socket.write(bytes);
    clock.letGo();
  };
}

/* Sends one byte a second, but never the last one. */
function byteByByte(bytes: Buffer): Misbehavior {
  return (clock) => (socket) => {
    const send = async () => {
      for (let index = 0; index < bytes.length - 1 && !socket.destroyed; index += 1) {
        socket.write(bytes.subarray(index, index + 1));
        await clock.sleep(1_000);
      }
    };
    void send();
    clock.letGo();
  };
}

/* Sends as much as the client reads, up to 100 MB. */
const flood: Misbehavior = () => (socket) => {
  socket.write('HTTP/1.1 200 OK\r\nContent-Length: 104857600\r\n\r\n{"name":"');
  const chunk = Buffer.alloc(1 << 20, 'x');
  let left = 100;
  const more = () => {
    while (left-- > 0 && socket.write(chunk));
    if (left > 0) socket.once('drain', more);
  };
  more();
};

const deep = '['.repeat(100_000) + ']'.repeat(100_000);

const silent = 'did not respond within 30 s';
const cut = 'connection closed before the response was complete';
const noHttp = 'the server does not speak HTTP';
const tooMany = '(429): Too many';

/** All faulty services by description, each with the error that commands print for it. */
export const misbehaviors: Readonly<Record<string, readonly [answer: Misbehavior, says: string]>> =
  {
    'silent after accept': [patientlySilent(), silent],
    'silent after the headers': [
      patientlySilent('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n'),
      silent,
    ],
    'byte by byte': [byteByByte(httpResponse(record(''))), silent],
    'closed at once': [() => (socket) => void socket.destroy(), cut],
    reset: [() => (socket) => void socket.resetAndDestroy(), 'connection reset'],
    'half a body': [thenEnd('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"id":1'), cut],
    'Content-Length too small': [
      answer(record(''), '200 OK', 'Content-Length: 10'),
      'truncated or invalid JSON',
    ],
    'Content-Length twice': [
      answer(record(''), '200 OK', 'Content-Length: 5', 'Content-Length: 6'),
      'the response repeats Content-Length or is not valid HTTP',
    ],
    '100 Continue first': [
      always(
        Buffer.concat([Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'), httpResponse(record(''))]),
      ),
      'could not be reached: unexpected 100 Continue',
    ],
    '101 Switching Protocols': [
      always(
        'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      ),
      'could not be reached: unexpected 101 Switching Protocols',
    ],
    'the status 099': [answer(record(''), '099 Nothing'), noHttp],
    'a bad chunk': [
      answer('zz\r\n{}\r\n0\r\n\r\n', '200 OK', 'Transfer-Encoding: chunked'),
      noHttp,
    ],
    'not HTTP': [thenEnd('SSH-2.0-OpenSSH_9.2\r\n'), noHttp],
    'headers of 200 kB': [
      answer(record(''), '200 OK', `X-Large: ${'x'.repeat(200_000)}`),
      'the response headers are too large',
    ],
    '100 MB': [flood, 'sent a response of more than 16 MiB'],
    'a gzip bomb': [
      answer(gzipSync(Buffer.alloc(50_000_000, 32)), '200 OK', 'Content-Encoding: gzip'),
      'a compressed body, which carbon did not request',
    ],
    '429 for ever': [error(429, 'Too many'), tooMany],
    '429 for ever, Retry-After: 0': [error(429, 'Too many', 'Retry-After: 0'), tooMany],
    '429, Retry-After: 10^9': [error(429, 'Too many', 'Retry-After: 1000000000'), tooMany],
    '429, Retry-After of 400 digits': [
      error(429, 'Too many', `Retry-After: ${'9'.repeat(400)}`),
      tooMany,
    ],
    '429 for ever, Retry-After in the past': [
      error(429, 'Too many', 'Retry-After: Thu, 15 Jan 2015 09:00:00 GMT'),
      tooMany,
    ],
    '500 for ever': [error(500, 'Oops'), 'failed (500 Oops): Oops'],
    '500, Retry-After: 10^9': [
      error(500, 'Oops', 'Retry-After: 1000000000', 'RateLimit: "a";r=0;t=999999999999'),
      'failed (500 Oops): Oops',
    ],
    '503, Retry-After: 200': [error(503, 'Away', 'Retry-After: 200'), 'failed (503 Away): Away'],
  };

/** Unusual but valid responses: commands use the record. */
export const unusualResponses = {
  'nothing wrong': answer(record('')),
  'Connection: close each time': thenEnd(
    httpResponse(record(''), { headers: ['Connection: close'] }),
  ),
  'no length, closed at the end': thenEnd(
    `HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n${record('')}`,
  ),
  '103 first': always(
    Buffer.concat([
      Buffer.from('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'),
      httpResponse(record('')),
    ]),
  ),
  '100,000 lists within each other': answer(record(`,"deep":${deep}`)),
  'a list where an object belongs, deep': answer(record(`,"cdp":${deep}`)),
  'repeated keys': answer(record(',"score":0.1,"score":0.9')),
  '__proto__ keys': answer(
    record(
      ',"__proto__":{"score":1},"constructor":{"prototype":{}},"cdp":{"__proto__":{"url":1},"url":5}',
    ),
  ),
  'numbers beyond 2^53 and -0': answer(
    record(',"score":-0,"industry":{"id":9007199254740993,"mean_score":1e999}'),
  ),
  'every field of another type': answer(
    record(
      ',"score":"x","hq_region":1,"industry":[],"performances":{},"sources":"s","cdp":true,"sbti":1,"un":"u"',
    ),
  ),
} satisfies Readonly<Record<string, Misbehavior>>;
