/* Promises about the pace of requests. */
import { describe, expect, it } from 'vitest';
import { startTestSandbox } from '../sandbox/test-sandbox.ts';
import { VirtualClock } from '../support/clock.ts';
import { jsonLines, run } from '../support/run.ts';
import { serve } from '../support/server.ts';
import { newList, recordOf, serveOrganizations } from './scene.ts';

const rows = (count: number) =>
  newList(`name\n${Array.from({ length: count }, (_, row) => `Supplier ${row}\n`).join('')}`);

/* A service with a limit, on the clock of the command. */
async function limited(options: Parameters<typeof startTestSandbox>[0]) {
  const sandbox = await startTestSandbox({ key: 'k', ...options });
  const env = { CARBON_BASE_URL: sandbox.url, CARBON_API_KEY: sandbox.key };
  return { ...sandbox, env };
}

describe('the pace', () => {
  it('follows a limit that nothing announces, without an option', async () => {
    const { env, clock } = await limited({ rate: 20 });
    const { path, folder } = rows(1_000);
    const times: number[] = [];
    const onOutput = (text: string) => {
      for (const { id } of jsonLines(text)) if (id !== undefined) times.push(clock.now());
    };
    const world = { env, home: folder, clock, onOutput };
    expect(await run(['batch', path, '--json'], world)).toMatchObject({ exit: 0 });
    const [middle = 0, last = 0] = [times[500], times.at(-1)];
    const perSecond = 500 / ((last - middle) / 1000);
    expect(perSecond).toBeGreaterThan(0.9 * 20);
    expect(perSecond).toBeLessThan(1.1 * 20);
  });

  it('waits as long as Retry-After says', async () => {
    const clock = new VirtualClock();
    const at: number[] = [];
    const refusal = { status: 429, text: '', headers: { 'retry-after': '40' } };
    const { env } = await serve(
      (response) => {
        at.push(clock.now());
        response.writeHead(refusal.status, refusal.headers).end();
      },
      (response) => {
        at.push(clock.now());
        response.end(JSON.stringify(recordOf(1, 'Acme')));
      },
    );
    expect(await run(['get', '1', '-q'], { env, clock })).toMatchObject({ exit: 0 });
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(40_000);
  });

  it('never exceeds --rate', async () => {
    const clock = new VirtualClock();
    const at: number[] = [];
    const { env } = await serve((response) => {
      response.end(JSON.stringify(recordOf(at.push(clock.now()), 'Acme')));
    });
    const { path, folder } = rows(60);
    const words = ['batch', path, '--rate', '10'];
    expect(await run(words, { env, home: folder, clock })).toMatchObject({ exit: 0 });
    // Half a millisecond is the resolution of timers.
    for (const [index, time] of at.entries())
      if (index > 0) expect(time - (at[index - 1] ?? 0)).toBeGreaterThanOrEqual(99.5);
  });

  it('lasts for hours behind a limit, unattended', async () => {
    const clock = new VirtualClock();
    let allowed = 10;
    const service = await serveOrganizations();
    const { env, seen } = await serve(async (response, request) => {
      allowed -= 1;
      if (allowed >= 0) {
        const { body } = seen.at(-1) ?? {};
        const method = request.method ?? 'GET';
        const url = `${service.url}${request.url}`;
        const answer = await fetch(url, {
          method,
          ...(method === 'POST' ? { body: body ?? '' } : {}),
        });
        response.end(await answer.text());
        return;
      }
      allowed = 10;
      response.writeHead(429, { 'retry-after': '3600' }).end();
    });
    const { path, folder } = rows(60);
    const before = clock.now();
    const words = ['batch', path, '--no-progress', '--concurrency', '1'];
    expect(await run(words, { env, home: folder, clock })).toEqual({
      exit: 0,
      stdout: '',
      stderr: '',
    });
    expect(new Set(service.sent()).size).toBe(60);
    expect(clock.now() - before).toBeGreaterThan(4 * 3_600_000);
  });

  it('stops at a quota, and says so', async () => {
    const { env, clock } = await limited({ quota: 3 });
    const { path, folder } = rows(7);
    const { exit, stderr } = await run(['batch', path], { env, home: folder, clock });
    expect([exit, stderr]).toEqual([6, expect.stringMatching(/quota/i)]);
    const { stdout } = await run(['batch', path, '--status', '--json'], { env, home: folder });
    expect(jsonLines(stdout)[0]).toMatchObject({ registered: 3, remaining: 4 });
  });
});
