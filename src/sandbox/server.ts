import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LocalError } from '../runtime/carbon-error.ts';
import type { Clock } from '../runtime/clock.ts';
import { explainSystemError } from '../runtime/system-error.ts';
import { answerWithFaults, type Fault } from './faults.ts';
import { memoryLog, openLog } from './log.ts';
import { randomOf } from './random.ts';
import { maxBodyBytes, type SandboxResponse } from './responses.ts';
import { openService } from './routes.ts';
import { openStore } from './store.ts';

/** How a sandbox behaves. */
export interface SandboxOptions {
  /** All time comes from it: limits, latency and research. */
  readonly clock: Clock;
  /** Folder of `sandbox.log`; without one, registrations are gone at the end. */
  readonly dataDir?: string | undefined;
  /** The API key that it accepts. */
  readonly key: string;
  /** Port on 127.0.0.1; 0, the default, is any free one. */
  readonly port?: number | undefined;
  /**
   * Requests per second permitted, registrations and retrievals together; above: 429 with
   * Retry-After.
   */
  readonly rate?: number | undefined;
  /** Requests permitted at once under `rate`: by default those of a second, at least 1. */
  readonly burst?: number | undefined;
  /** Whether answers carry RateLimit headers when there is a `rate`. */
  readonly rateLimitHeaders?: boolean | undefined;
  /**
   * New organizations that can be registered until it is closed; above: 429 without Retry-After.
   */
  readonly quota?: number | undefined;
  /** How long every answer waits. */
  readonly latencyMs?: number | undefined;
  readonly faults?: readonly Fault[] | undefined;
  /**
   * Decides which requests a fault with a share strikes, from 0 inclusive to 1 exclusive; by
   * default always the same ones.
   */
  readonly random?: () => number;
  /** Typical length of research, a quarter more or less by organization; 10,000 by default. */
  readonly researchMs?: number | undefined;
  /**
   * Called after each request. The status is 0 when the connection was reset or nothing was
   * answered.
   */
  readonly onRequest?: (line: RequestLine) => void;
}

/** One request as a log shows it. */
export interface RequestLine {
  readonly method: string;
  /** Path and query as they were sent. */
  readonly path: string;
  readonly status: number;
  /** Time until the answer was made. */
  readonly ms: number;
}

/** A running sandbox. */
export interface Sandbox {
  /** The base URL, without a slash at its end. */
  readonly url: string;
  readonly key: string;
  readonly port: number;
  /**
   * Ends every connection at once, answers in the making included. A second call does nothing more.
   */
  close(): Promise<void>;
}

const slowByteMs = 100;

/**
 * Starts the local service, which implements the whole specification over HTTP on 127.0.0.1.
 * @throws LocalError when the port is in use or the log cannot be opened
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { clock, rate } = options;
  const { createServer } = await import('node:http');
  const store = openStore(options.dataDir === undefined ? memoryLog() : openLog(options.dataDir));
  const service = openService({
    clock,
    store,
    key: options.key,
    rateLimit: rate === undefined ? undefined : { rate, burst: Math.max(1, options.burst ?? rate) },
    sendsRateLimitHeaders: options.rateLimitHeaders ?? false,
    quota: options.quota ?? Number.POSITIVE_INFINITY,
    researchMs: options.researchMs ?? 10_000,
  });
  const ended = new AbortController();
  const random = options.random ?? randomOf('0'.repeat(32), 'faults');
  // Node's own time limits are off: they know no virtual clock, and close idle connections under a
  // client.
  const server = createServer({ keepAliveTimeout: 0, headersTimeout: 0, requestTimeout: 0 });
  server.on('request', (request, response) => {
    // What fails here is the connection: the client left, or the sandbox was closed while it
    // waited.
    serve(request, response).catch(() => response.destroy());
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const startedMs = clock.elapsed();
    const { method = '', url: target = '', headers } = request;
    const plain = {
      method,
      target,
      authorization: headers.authorization,
      body: await readBody(request),
    };
    if (options.latencyMs) await clock.sleep(options.latencyMs, ended.signal);
    const answer = options.faults?.length
      ? answerWithFaults(options.faults, random, clock, plain, () => service(plain))
      : service(plain);
    const status = answer.delivery === 'reset' || answer.delivery === 'silent' ? 0 : answer.status;
    options.onRequest?.({ method, path: target, status, ms: clock.elapsed() - startedMs });
    await deliver(answer, response, clock, ended.signal);
  }

  const port = await listen(server, options.port ?? 0).catch((error) => {
    store.close();
    throw error;
  });
  let closing: Promise<void> | undefined;
  return {
    url: `http://127.0.0.1:${port}`,
    key: options.key,
    port,
    close: () =>
      (closing ??= new Promise((resolve) => {
        ended.abort(new Error('The sandbox was closed.'));
        server.close(() => {
          store.close();
          resolve();
        });
        server.closeAllConnections();
      })),
  };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => reject(cannotListen(port, cause)));
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

const portHint = 'Choose another with --port, or 0 for any free one.';

function cannotListen(port: number, cause: NodeJS.ErrnoException): LocalError {
  if (cause.code === 'EADDRINUSE')
    return new LocalError(`Port ${port} is in use`, { hint: portHint });
  const why = explainSystemError(cause);
  return new LocalError(`The sandbox cannot listen on port ${port}: ${why}`, { hint: portHint });
}

/** Reads a body to its end; one that is too large is not kept, and undefined. */
function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= maxBodyBytes) chunks.push(chunk);
      else chunks.length = 0;
    });
    request.on('end', () => resolve(length <= maxBodyBytes ? Buffer.concat(chunks) : undefined));
    request.on('error', reject);
  });
}

async function deliver(
  { status, headers, body, delivery }: SandboxResponse,
  response: ServerResponse,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  if (delivery === 'silent') return;
  if (delivery === 'reset') {
    response.socket?.resetAndDestroy();
    return;
  }
  response.sendDate = false;
  response.writeHead(status, {
    ...headers,
    'Content-Length': Buffer.byteLength(body),
    Date: new Date(clock.now()).toUTCString(),
  });
  if (delivery === undefined) {
    // As text, because Node sends head and text in one cheap write, head and bytes in a dear one.
    response.end(body);
    return;
  }
  const bytes = Buffer.from(body);
  if (delivery === 'truncated') {
    response.write(bytes.subarray(0, bytes.length >> 1), () => response.socket?.end());
    return;
  }
  for (const byte of bytes) {
    if (response.destroyed) return;
    response.write(Uint8Array.of(byte));
    await clock.sleep(slowByteMs, signal);
  }
  response.end();
}
