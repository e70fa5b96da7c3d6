import { createServer } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../../../../src/sandbox/server.ts';
import { VirtualClock } from '../../../support/clock.ts';
import { stopped } from '../../../support/program.ts';
import { run, type World } from '../../../support/run.ts';
import { listen } from '../../../support/server.ts';

/** Runs `carbon sandbox` until it prints its address, makes one request and stops it. */
async function served(flags: readonly string[], world: World = {}, path = '/organizations/7') {
  const stop = new AbortController();
  let shown = '';
  let hasAsked = false;
  let answer = '';
  const onOutput = (text: string) => {
    shown += text;
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(shown)?.[0];
    if (url === undefined || hasAsked) return;
    hasAsked = true;
    void fetch(`${url}${path}`, { headers: { authorization: 'Bearer sandbox-0123456789' } })
      .then(async (response) => {
        answer = await response.text();
      })
      .finally(() => stop.abort(stopped('SIGINT')));
  };
  const argv = ['sandbox', '--port', '0', ...flags];
  const outcome = await run(argv, { ...world, signal: stop.signal, onOutput });
  return { ...outcome, answer };
}

describe('carbon sandbox', () => {
  it('prints how to connect, and each request with its time', async () => {
    const { exit, stdout, stderr } = await served([]);
    expect(exit).toBe(130);
    expect(
      stdout.replace(/:\d+$/gm, ':<port>').replace(/:\d+ until/, ':<port> until'),
    ).toMatchInlineSnapshot(`
      "The sandbox serves synthetic data at http://127.0.0.1:<port> until Ctrl-C.

        export CARBON_BASE_URL=http://127.0.0.1:<port>
        export CARBON_API_KEY=sandbox-0123456789
      "
    `);
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    expect(stderr).toMatch(/^\d\d:\d\d:\d\d GET \/organizations\/7 404 0 ms\n$/);
  });

  it('describes the service at /openapi.json', async () => {
    const { answer } = await served([], {}, '/openapi.json');
    const { openapi, paths } = JSON.parse(answer);
    expect([openapi, Object.keys(paths)]).toEqual([
      '3.1.0',
      ['/organizations', '/organizations/{id}'],
    ]);
  });

  it('prints only its base URL with -q', async () => {
    expect((await served(['-q'])).stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\n$/);
  });

  it.each(['', '/dev/null'])('says that it loses registrations with HOME=%s', async (home) => {
    const { stderr } = await served([], { env: { HOME: home }, home });
    expect(stderr).toContain(
      'Warning: The home directory is missing or not writable, so the sandbox loses its registrations when carbon exits.',
    );
  });

  it('fails when the directory of CARBON_DATA_DIR is not writable', async () => {
    const { exit, stderr } = await served([], { env: { CARBON_DATA_DIR: '/dev/null/none' } });
    expect(exit).toBe(1);
    expect(stderr).toContain('/dev/null/none cannot be created');
  });

  it('reports a port that is in use, and how to choose another', async () => {
    const port = await listen(createServer());
    const { exit, stderr } = await run(['sandbox', '--port', String(port)]);
    expect([exit, stderr]).toEqual([
      1,
      `Error: Port ${port} is in use\nHint: Choose another port with --port, or use --port 0 for a free one.\n`,
    ]);
  });
});

it('marks its data as synthetic when a client uses it by its address', async () => {
  const clock = new VirtualClock();
  const sandbox = await startSandbox({ clock, key: 'sandbox-0123456789' });
  onTestFinished(() => sandbox.close());
  const env = { CARBON_BASE_URL: sandbox.url, CARBON_API_KEY: sandbox.key };
  const registered = await run(['register', '--name', 'Sandbox synced'], { env });
  expect(registered.stdout).toContain('figures: Synthetic sandbox data, not real research');
  expect((await run(['get', '1'], { env, terminal: 80 })).stdout).toContain(
    'Synthetic sandbox data',
  );
  expect((await run(['get', '1', '1'], { env, terminal: 80 })).stdout).toMatch(/synthetic/i);
  expect((await run(['get', '1', '--json'], { env })).stdout).toContain('"sandbox":"synthetic"');
});

it('is not selected by CARBON_SANDBOX, which ends a command with an error', async () => {
  const { exit, stderr } = await run(['register', '--name', 'Acme'], {
    env: { CARBON_SANDBOX: '1' },
  });
  expect(exit).toBe(2);
  expect(stderr).toContain('carbon no longer reads CARBON_SANDBOX');
});
