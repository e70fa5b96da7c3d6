import type { Organization } from '../../src/client/api/schema.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/server.ts';
import { VirtualClock } from '../support/clock.ts';

/** A response as the client received it. */
export interface ReceivedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
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
  const send: TestSandbox['send'] = async (
    method,
    path,
    body,
    headers = { authorization: `Bearer ${sandbox.key}` },
  ) => {
    const request = {
      method,
      headers,
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    };
    const response = await fetch(`${sandbox.url}${path}`, request as RequestInit);
    const text = await response.text();
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text,
      get json() {
        return JSON.parse(text);
      },
    };
  };
  return {
    ...sandbox,
    clock,
    send,
    register: (identifier) => send('POST', '/organizations', JSON.stringify(identifier)),
    retrieve: (id) => send('GET', `/organizations/${id}`),
  };
}
