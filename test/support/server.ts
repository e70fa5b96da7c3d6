import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Server, Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request that a test server received. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A test's HTTP server on a free loopback port. */
export interface TestServer {
  readonly url: string;
  /** Environment of a command that uses the server. */
  readonly env: { readonly CARBON_BASE_URL: string; readonly CARBON_API_KEY: string };
  readonly seen: Seen[];
}

/** A response of a test server: a status with JSON or text, or a function that responds. */
export type Reply =
  | { status?: number; json?: unknown; text?: string; headers?: Record<string, string> }
  | ((response: ServerResponse, request: IncomingMessage) => void);

/** The response to a request with a valid key for organization 0, which nobody has. */
export const notFound0 = {
  status: 404,
  json: { status: 404, title: 'Not found', detail: 'None.', id: '0' },
};

/** Starts a server that sends these replies in turn and then repeats the last one. */
export async function serve(...replies: Reply[]): Promise<TestServer> {
  const seen: Seen[] = [];
  const listener: RequestListener = async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const reply = replies[Math.min(seen.length, replies.length - 1)];
    seen.push({
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body,
    });
    if (typeof reply === 'function') return reply(response, request);
    const { status = 200, json, text, headers } = reply ?? {};
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(text ?? JSON.stringify(json));
  };
  const server = createServer((request, response) => void listener(request, response));
  const url = `http://127.0.0.1:${await listen(server)}`;
  return { url, env: { CARBON_BASE_URL: url, CARBON_API_KEY: 'k' }, seen };
}

/** Starts a server that never responds; `asked` resolves when a request arrives. */
export async function serveSilence() {
  let onAsked = () => {};
  const asked = new Promise<void>((resolve) => {
    onAsked = resolve;
  });
  return { ...(await serve(() => onAsked())), asked };
}

type Answer = 'refuse' | 'ignore' | 'disconnect' | undefined;

/**
 * Starts a service that registers each name once. `answer` decides about the nth request: a refusal
 * with 422, no response, or the end of the connection. A promise holds the response back.
 */
export async function serveRegistry(
  answer: (count: number, name: string) => Answer | Promise<Answer> = () => undefined,
) {
  const ids = new Map<string, number>();
  const respond = async (response: ServerResponse) => {
    const { name } = JSON.parse(server.seen.at(-1)?.body ?? '') as { name: string };
    const kind = await answer(server.seen.length, name);
    if (kind === 'ignore') return;
    if (kind === 'disconnect') {
      response.destroy();
      return;
    }
    const id = ids.get(name) ?? ids.size + 1;
    if (kind === undefined) ids.set(name, id);
    const refusal = { status: 422, title: 'Unprocessable', detail: 'No.' };
    response.writeHead(kind === undefined ? 200 : 422, { 'content-type': 'application/json' });
    response.end(JSON.stringify(kind === undefined ? { id, name, status: 'created' } : refusal));
  };
  const server = await serve((response) => void respond(response));
  return { ...server, ids };
}

/** Starts a server on a free loopback port until the test ends; returns the port. */
export async function listen(server: Server, host = '127.0.0.1'): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.on('error', () => undefined));
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, host, resolve);
  });
  return (server.address() as AddressInfo).port;
}
