import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** One request as a test server saw it. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A test's own HTTP service on a free port of loopback. */
export interface TestServer {
  readonly url: string;
  readonly seen: Seen[];
}

/**
 * What a test server answers: a status with a JSON value or text, or whatever it does with the raw
 * response.
 */
export type Reply =
  | { status?: number; json?: unknown; text?: string; headers?: Record<string, string> }
  | ((response: ServerResponse, request: IncomingMessage) => void);

/** Starts a server that answers with these replies in turn; the last one is repeated. */
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}
