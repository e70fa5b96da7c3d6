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

/**
 * How long commands try before they give up, in seconds of the virtual clock: one request, several
 * requests, a watch of five minutes. A watch continues after network failures, 429 and 5xx, but it
 * ends after four responses that do not come from the service.
 */
const patience = {
  timeouts: [123.5, 123.5, 330],
  retries: [3.5, 3.5, 300],
  'no service': [0, 0, 120],
  'a failing service': [0, 0, 300],
  'a rate limit': [3.5, 130, 300],
  'a rate limit without waits': [0, 130, 300],
} as const;

/** A faulty service, the error that commands print for it, and how long they try. */
interface Case {
  readonly answer: Misbehavior;
  readonly says: string;
  readonly patience: (typeof patience)[keyof typeof patience];
}

const silent = { says: 'did not respond within 30 s', patience: patience.timeouts };
const cut = {
  says: 'connection closed before the response was complete',
  patience: patience.retries,
};
const twoLengths = {
  says: 'the response repeats Content-Length or is not valid HTTP',
  patience: patience.retries,
};
const noHttp = { says: 'the server does not speak HTTP', patience: patience.retries };
const mute = { patience: patience['no service'] };
const limited = {
  says: '(429): Too many',
  patience: patience['a rate limit'],
};
const hurried = { ...limited, patience: patience['a rate limit without waits'] };
const quota = { ...limited, patience: patience['a failing service'] };

/** All faulty services, by description. */
export const misbehaviors: Readonly<Record<string, Case>> = {
  'silent after accept': { answer: patientlySilent(), ...silent },
  'silent after the headers': {
    answer: patientlySilent('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n'),
    ...silent,
  },
  'byte by byte': { answer: byteByByte(httpResponse(record(''))), ...silent },
  'closed at once': { answer: () => (socket) => void socket.destroy(), ...cut },
  reset: {
    answer: () => (socket) => void socket.resetAndDestroy(),
    says: 'connection reset',
    patience: patience.retries,
  },
  'half a body': {
    answer: thenEnd('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"id":1'),
    ...cut,
  },
  'Content-Length too small': {
    answer: answer(record(''), '200 OK', 'Content-Length: 10'),
    says: 'truncated or invalid JSON',
    ...mute,
  },
  'Content-Length twice': {
    answer: answer(record(''), '200 OK', 'Content-Length: 5', 'Content-Length: 6'),
    ...twoLengths,
  },
  '100 Continue first': {
    answer: always(
      Buffer.concat([Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'), httpResponse(record(''))]),
    ),
    says: 'could not be reached: unexpected 100 Continue',
    patience: patience.retries,
  },
  '101 Switching Protocols': {
    answer: always(
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    ),
    says: 'could not be reached: unexpected 101 Switching Protocols',
    patience: patience.retries,
  },
  'the status 099': { answer: answer(record(''), '099 Nothing'), ...noHttp },
  'a bad chunk': {
    answer: answer('zz\r\n{}\r\n0\r\n\r\n', '200 OK', 'Transfer-Encoding: chunked'),
    says: 'the server does not speak HTTP',
    patience: patience.retries,
  },
  'not HTTP': {
    answer: thenEnd('SSH-2.0-OpenSSH_9.2\r\n'),
    says: 'the server does not speak HTTP',
    patience: patience.retries,
  },
  'headers of 200 kB': {
    answer: answer(record(''), '200 OK', `X-Large: ${'x'.repeat(200_000)}`),
    says: 'the response headers are too large',
    patience: patience.retries,
  },
  '100 MB': { answer: flood, says: 'sent a response of more than 16 MiB', ...mute },
  'a gzip bomb': {
    answer: answer(gzipSync(Buffer.alloc(50_000_000, 32)), '200 OK', 'Content-Encoding: gzip'),
    says: 'a compressed body, which carbon did not request',
    ...mute,
  },
  '429 for ever': { answer: error(429, 'Too many'), ...limited },
  '429 for ever, Retry-After: 0': { answer: error(429, 'Too many', 'Retry-After: 0'), ...hurried },
  '429, Retry-After: 10^9': { answer: error(429, 'Too many', 'Retry-After: 1000000000'), ...quota },
  '429, Retry-After of 400 digits': {
    answer: error(429, 'Too many', `Retry-After: ${'9'.repeat(400)}`),
    ...quota,
  },
  '429 for ever, Retry-After in the past': {
    answer: error(429, 'Too many', 'Retry-After: Thu, 15 Jan 2015 09:00:00 GMT'),
    ...hurried,
  },
  '500 for ever': {
    answer: error(500, 'Oops'),
    says: 'failed (500 Oops): Oops',
    patience: patience.retries,
  },
  '500, Retry-After: 10^9': {
    answer: error(500, 'Oops', 'Retry-After: 1000000000', 'RateLimit: "a";r=0;t=999999999999'),
    says: 'failed (500 Oops): Oops',
    patience: patience['a failing service'],
  },
  '503, Retry-After: 200': {
    answer: error(503, 'Away', 'Retry-After: 200'),
    says: 'failed (503 Away): Away',
    patience: patience['a failing service'],
  },
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
