import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/**
 * Does what it likes with a connection on which a whole request has arrived; `id` is what the
 * request is about.
 */
export type RawReply = (socket: Socket, request: string) => void;

/** A test's own service that answers bytes, not HTTP. */
export interface RawServer {
  readonly url: string;
  readonly port: number;
  /** Every request as it arrived: head and body. */
  readonly requests: string[];
  /** Answers otherwise from now on. */
  become(reply: RawReply): void;
}

/** Starts a server on a free port of loopback that hands each whole request to `reply`. */
export async function serveRaw(reply: RawReply, host = '127.0.0.1'): Promise<RawServer> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  let current = reply;
  const server = createServer((socket) => {
    sockets.add(socket);
    let text = '';
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
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
  await listen(server, host);
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
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
 * An HTTP answer as text; the length is that of the body unless the headers name one or a transfer
 * coding.
 */
export function httpAnswer(
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

function listen(server: Server, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(0, host, resolve);
  });
}

/* Where the first request of a text ends, -1 while it is not whole. */
function endOfRequest(text: string): number {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return -1;
  const length = Number(/^content-length: *(\d+)/im.exec(text.slice(0, head))?.[1] ?? 0);
  const end = head + 4 + length;
  return text.length < end ? -1 : end;
}
