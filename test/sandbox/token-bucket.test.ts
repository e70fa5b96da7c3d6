import { afterEach, describe, expect, it } from 'vitest';
import type { SandboxOptions } from '../../src/sandbox/server.ts';
import { startTestSandbox, type TestSandbox } from './test-sandbox.ts';

let sandbox: TestSandbox;
afterEach(() => sandbox.close());
const start = async (options: Partial<SandboxOptions>) => {
  sandbox = await startTestSandbox(options);
  return sandbox;
};

describe('startSandbox with a rate', () => {
  it('permits a burst and then the rate, for registrations and retrievals together', async () => {
    const { clock, register, retrieve } = await start({ rate: 3 });
    const statuses = [
      await register({ name: 'A' }),
      await retrieve(1),
      await retrieve(1),
      await register({ name: 'B' }),
    ];
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    const refused = await register({ name: 'B' });
    expect(refused.headers['retry-after']).toBe('1');
    expect(refused.json).toMatchInlineSnapshot(`
      {
        "detail": "The rate limit is 3 requests per second.",
        "status": 429,
        "title": "Too many organizations",
      }
    `);
    await clock.sleep(333);
    expect((await retrieve(1)).status).toBe(429);
    await clock.sleep(1);
    expect((await retrieve(1)).status).toBe(200);
    expect((await retrieve(1)).status).toBe(429);
    await clock.sleep(3_600_000);
    for (const expected of [200, 200, 200, 429]) expect((await retrieve(1)).status).toBe(expected);
  });

  it('sends Retry-After in seconds, after which it permits a request', async () => {
    const { clock, register } = await start({ rate: 0.3 });
    await register({ name: 'A' });
    expect((await register({ name: 'A' })).headers['retry-after']).toBe('4');
    for (const nth of [1, 2, 3, 4, 5]) {
      await clock.sleep(10_000 / 3);
      expect((await register({ name: 'A' })).status, `${nth}`).toBe(200);
    }
  });
});

describe('startSandbox with a quota', () => {
  it('rejects only new organizations above the quota, without Retry-After', async () => {
    const { register, retrieve } = await start({ quota: 2 });
    const statuses = [];
    for (const name of ['A', 'B', 'C', 'A', 'a']) statuses.push((await register({ name })).status);
    expect(statuses).toEqual([200, 200, 429, 200, 200]);
    const refused = await register({ name: 'D' });
    expect(refused.headers).not.toHaveProperty('retry-after');
    expect(refused.json).toMatchInlineSnapshot(`
      {
        "detail": "The quota of 2 new organizations is used up.",
        "status": 429,
        "title": "Too many organizations",
      }
    `);
    expect((await retrieve(2)).status).toBe(200);
  });
});
