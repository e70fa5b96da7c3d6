import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { Organization } from '../../src/api/schema.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/server.ts';
import { VirtualClock } from '../support/clock.ts';

/** A response as the client received it. */
export interface ReceivedResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: Organization & { readonly title?: string; readonly detail?: string };
}

/** A sandbox with its clock and functions that send requests. */
export interface TestSandbox extends Sandbox {
  readonly clock: VirtualClock;
  send(
    method: string,
    path: string,
    body?: string | Buffer,
    headers?: Record<string, string>,
  ): Promise<ReceivedResponse>;
  register(identifier: object): Promise<ReceivedResponse>;
  retrieve(id: number | string): Promise<ReceivedResponse>;
}

/** Starts a sandbox on a virtual clock. Requests without headers carry its key. */
export async function startTestSandbox(
  options: Partial<SandboxOptions> = {},
): Promise<TestSandbox> {
  const clock = (options.clock ?? new VirtualClock()) as VirtualClock;
  const sandbox = await startSandbox({ key: 'key of the test', ...options, clock });
  const send: TestSandbox['send'] = (
    method,
    path,
    body,
    headers = { authorization: `Bearer ${sandbox.key}` },
  ) => exchange(sandbox.port, method, path, body, headers);
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
): Promise<ReceivedResponse> {
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
