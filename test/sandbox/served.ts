import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { Clock } from '../../src/clock.ts';
import type { ErrorBody, Organization } from '../../src/contract.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/server.ts';

/** A clock that moves only when told, or, when automatic, as far as anyone asks to sleep. */
export class TestClock implements Clock {
  wallMs = Date.UTC(2026, 2, 1, 12);
  elapsedMs = 0;
  isAutomatic = false;
  readonly #sleepers = new Set<{ dueMs: number; wake: () => void }>();
  #onSleep: () => void = () => undefined;

  now = () => this.wallMs;
  elapsed = () => this.elapsedMs;

  sleep = (ms: number, signal?: AbortSignal): Promise<void> => {
    if (this.isAutomatic) {
      this.advance(ms);
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      this.#sleepers.add({ dueMs: this.elapsedMs + ms, wake: resolve });
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      this.#onSleep();
    });
  };

  after = (ms: number, call: () => void): (() => void) => {
    const sleeper = { dueMs: this.elapsedMs + ms, wake: call };
    this.#sleepers.add(sleeper);
    return () => void this.#sleepers.delete(sleeper);
  };

  /** Resolves as soon as someone sleeps. */
  async someoneSleeps(): Promise<void> {
    if (this.#sleepers.size > 0) return;
    await new Promise<void>((resolve) => {
      this.#onSleep = resolve;
    });
  }

  advance(ms: number): void {
    this.wallMs += ms;
    this.elapsedMs += ms;
    for (const sleeper of this.#sleepers) {
      if (sleeper.dueMs > this.elapsedMs) continue;
      this.#sleepers.delete(sleeper);
      sleeper.wake();
    }
  }
}

/** What a client got, whole or cut off. */
export interface Got {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: Organization & ErrorBody;
}

/** A sandbox, its clock, and the requests that a test makes. */
export interface Served extends Sandbox {
  readonly clock: TestClock;
  send(method: string, path: string, body?: string | Buffer, headers?: Record<string, string>): Promise<Got>;
  register(identifier: object): Promise<Got>;
  retrieve(id: number | string): Promise<Got>;
}

/** Starts a sandbox on a clock of its own; requests carry its key unless they bring headers. */
export async function serve(options: Partial<SandboxOptions> = {}): Promise<Served> {
  const clock = (options.clock ?? new TestClock()) as TestClock;
  const sandbox = await startSandbox({ key: 'key of the test', ...options, clock });
  const send: Served['send'] = (method, path, body, headers = { authorization: `Bearer ${sandbox.key}` }) =>
    exchange(sandbox.port, method, path, body, headers);
  return {
    ...sandbox,
    clock,
    send,
    register: (identifier) => send('POST', '/organizations', JSON.stringify(identifier)),
    retrieve: (id) => send('GET', `/organizations/${id}`),
  };
}

function exchange(
  port: number,
  method: string,
  path: string,
  body: string | Buffer | undefined,
  headers: Record<string, string>,
): Promise<Got> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ port, host: '127.0.0.1', method, path, headers, agent: false });
    request.on('error', reject);
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const { statusCode: status = 0 } = response;
        resolve({
          status,
          headers: response.headers,
          text,
          get json() {
            return JSON.parse(text);
          },
        });
      });
    });
    request.end(body);
  });
}
