import { createServer, type Socket } from 'node:net';
import { listen } from './server.ts';

/** Responds to a complete request on a connection, in any way. */
export type RawReply = (socket: Socket, request: string) => void;

/** A test server that can respond with any bytes. */
export interface RawServer {
  readonly url: string;
  readonly port: number;
  /** Head and body of every request, as received. */
  readonly requests: string[];
  /** Replaces the reply for all further requests. */
  become(reply: RawReply): void;
}

/** Starts a server on a free loopback port that passes each complete request to `reply`. */
export async function serveRaw(reply: RawReply, host = '127.0.0.1'): Promise<RawServer> {
  const requests: string[] = [];
  let current = reply;
  const server = createServer((socket) => {
    let text = '';
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
      for (let end = endOfRequest(text); end >= 0; end = endOfRequest(text)) {
        const request = text.slice(0, end);
        text = text.slice(end);
        requests.push(request);
        current(socket, request);
      }
    });
  });
  const port = await listen(server, host);
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
    requests,
    become(next) {
      current = next;
    },
  };
}

/**
 * Returns an HTTP response. It has a Content-Length unless the headers contain one or a transfer
 * coding.
 */
export function httpResponse(
  body: string | Buffer,
  { status = '200 OK', headers = [] as readonly string[] } = {},
): Buffer {
  const bytes = Buffer.from(body);
  const isFramed = headers.some((header) => /^(content-length|transfer-encoding):/i.test(header));
  const length = isFramed ? [] : [`Content-Length: ${bytes.length}`];
  const head = [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json',
    ...length,
    ...headers,
    '',
    '',
  ];
  return Buffer.concat([Buffer.from(head.join('\r\n'), 'latin1'), bytes]);
}

/* Returns the end of the first request in a text; -1 if it is incomplete. */
function endOfRequest(text: string): number {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return -1;
  const length = Number(/^content-length: *(\d+)/im.exec(text.slice(0, head))?.[1] ?? 0);
  const end = head + 4 + length;
  return text.length < end ? -1 : end;
}
