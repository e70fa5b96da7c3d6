import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { explainSystemError, LocalError } from '../runtime/carbon-error.ts';
import type { Clock } from '../runtime/clock.ts';
import { type Fault, respondWithFaults } from './faults.ts';
import {
  maxBodyBytes,
  openService,
  type SandboxResponse,
  type SandboxServiceOptions,
} from './routes.ts';
import { openStore } from './store.ts';

/** Options of a sandbox. */
export interface SandboxOptions extends SandboxServiceOptions {
  /** Directory of `sandbox.log`; without it, the sandbox keeps registrations in memory only. */
  readonly dataDir?: string | undefined;
  /** Port on 127.0.0.1; 0, the default, selects a free one. */
  readonly port?: number | undefined;
  /** Delay before every response. */
  readonly latencyMs?: number | undefined;
  readonly faults?: readonly Fault[] | undefined;
  /** Selects the requests for a fault with a share: returns numbers from 0 to below 1. */
  readonly random?: () => number;
  /** Called after each request. The status is 0 if a fault suppressed the response. */
  readonly onRequest?: (line: RequestLine) => void;
}

/** A request for the log, with the milliseconds until the response was ready. */
export interface RequestLine {
  readonly method: string;
  /** Path and query exactly as sent. */
  readonly path: string;
  readonly status: number;
  readonly ms: number;
}

/** A running sandbox. */
export interface Sandbox {
  /** The base URL without a trailing slash. */
  readonly url: string;
  readonly key: string;
  readonly port: number;
  /** Closes every connection immediately, even during a response. A second call has no effect. */
  close(): Promise<void>;
}

const slowByteMs = 100;

/**
 * Starts the local service, which implements the complete specification over HTTP on 127.0.0.1.
 *
 * @throws LocalError if the port is in use or the log cannot be opened
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { clock } = options;
  const { createServer } = await import('node:http');
  const store = openStore(options.dataDir);
  const service = openService(options, store);
  const closed = new AbortController();
  const { faults = [], random = () => 0 } = options;
  // Node's own time limits are off: they ignore a virtual clock and close idle connections that a
  // client is about to use.
  const server = createServer({ keepAliveTimeout: 0, headersTimeout: 0, requestTimeout: 0 });
  server.on('request', (request, response) => {
    // Only the connection can fail here: the client left, or the sandbox was closed.
    serve(request, response).catch(() => response.destroy());
  });

  async function serve(request: IncomingMessage, output: ServerResponse): Promise<void> {
    const startedMs = clock.elapsed();
    const { method = '', url: target = '', headers } = request;
    const { authorization } = headers;
    const plain = { method, target, authorization, body: await readBody(request) };
    if (options.latencyMs) await clock.sleep(options.latencyMs, closed.signal);
    const response =
      target === '/openapi.json'
        ? (await import('./openapi.ts')).respondWithOpenApi(method)
        : respondWithFaults(faults, { random, clock }, plain, () => service(plain));
    const isSent = response.delivery !== 'reset' && response.delivery !== 'silent';
    const status = isSent ? response.status : 0;
    const ms = Math.round(clock.elapsed() - startedMs);
    options.onRequest?.({ method, path: target, status, ms });
    await deliver(response, output, clock, closed.signal);
  }

  const port = await listen(server, options.port ?? 0).catch((error) => {
    store.close();
    throw error;
  });
  return {
    url: `http://127.0.0.1:${port}`,
    key: options.key,
    port,
    close: () =>
      new Promise((resolve) => {
        closed.abort(new Error('The sandbox was closed.'));
        server.close(() => {
          store.close();
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const message =
        cause.code === 'EADDRINUSE'
          ? `Port ${port} is in use`
          : `The sandbox cannot listen on port ${port}: ${explainSystemError(cause)}`;
      const hint = 'Choose another port with --port, or use --port 0 for a free one.';
      reject(new LocalError(message, { hint }));
    });
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

/** Reads a body to its end; returns undefined for one that is too large. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= maxBodyBytes) chunks.push(chunk);
  }
  return length <= maxBodyBytes ? Buffer.concat(chunks) : undefined;
}

async function deliver(
  { status, headers, body, delivery }: SandboxResponse,
  response: ServerResponse,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  if (delivery === 'silent') return;
  if (delivery === 'reset') return void response.socket?.resetAndDestroy();
  response.sendDate = false;
  response.writeHead(status, {
    ...headers,
    'Content-Length': Buffer.byteLength(body),
    Date: new Date(clock.now()).toUTCString(),
  });
  // Node sends head and text in one write; head and bytes would cost more.
  if (delivery === undefined) return void response.end(body);
  const bytes = Buffer.from(body);
  if (delivery === 'truncated')
    return void response.write(bytes.subarray(0, bytes.length >> 1), () => response.socket?.end());
  for (const byte of bytes) {
    if (response.destroyed) return;
    response.write(Uint8Array.of(byte));
    await clock.sleep(slowByteMs, signal);
  }
  response.end();
}
