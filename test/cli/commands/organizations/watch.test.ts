import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../support/clock.ts';
import { jsonLines, newFolder, run, transcript } from '../../../support/run.ts';
import { serve } from '../../../support/server.ts';

async function registered(...names: string[]): Promise<{ home: string; clock: VirtualClock }> {
  const world = { home: newFolder(), clock: new VirtualClock() };
  for (const name of names) await run(['register', '--sandbox', '--name', name, '-q'], world);
  return world;
}

describe('carbon watch', () => {
  it('prints each change in a pipe and the record at the end', async () => {
    const world = await registered('Sandbox sparse Globex');
    expect(await transcript(['watch', '1', '--sandbox'], world)).toMatchInlineSnapshot(`
      "name: Sandbox sparse Globex
      statement: The service found no organization that fits.
      statement: First steps: Register it again with a website or an LEI (carbon register --website or --lei-number)
      statement: As of: record retrieved 15 Jan 2026
      status: synced
      research: complete
      figures: Synthetic sandbox data, not real research
      id: 1
      industry: Food products, id 111, confidence medium
      industry mean: 43
      industry rank: medium
      region rank: unknown
      report: environmental report not found
      --- stderr
      1 Sandbox sparse Globex: created (0 s)
      1 Sandbox sparse Globex: calculating (10 s)
      1 Sandbox sparse Globex: synced (20 s)
      --- exit 0"
    `);
  });

  it('prints each document as NDJSON when its research ends, and standard error as JSON', async () => {
    const world = await registered('Sandbox synced A', 'Sandbox errored B');
    const { exit, stdout, stderr } = await run(
      ['watch', '1', '2', '404', '--sandbox', '--json'],
      world,
    );
    const lines = jsonLines(stdout);
    expect(lines.map(({ id, status, ok }) => [Number(id), status ?? ok]).sort()).toEqual([
      [1, 'synced'],
      [2, 'errored'],
      [404, false],
    ]);
    for (const line of stderr.trim().split('\n')) expect(JSON.parse(line)).toBeTypeOf('object');
    expect(exit).toBe(9);
  });

  it('starts before the end of standard input', async () => {
    const world = await registered('Sandbox synced A', 'Sandbox synced B');
    const stdin = new PassThrough();
    const running = run(['watch', '-', '--sandbox', '--json'], {
      ...world,
      stdin,
      onOutput: (text) => {
        if (text.startsWith('{"id":1,')) stdin.end('2\n');
      },
    });
    stdin.write('1\n1\n');
    const { stdout, exit } = await running;
    expect(jsonLines(stdout).map((line) => line.id)).toEqual([1, 2]);
    expect(exit).toBe(0);
  });

  it('retries when the service fails, and reports it', async () => {
    const { url, env, seen } = await serve(
      { status: 503, json: { status: 503, title: 'Busy', detail: 'Later.' } },
      {
        status: 429,
        json: { status: 429, title: 'Slow down', detail: 'Wait.' },
        headers: { 'retry-after': '45' },
      },
      { text: '<html>' },
      { json: { id: 1, name: 'Acme', status: 'synced' } },
    );
    const { exit, stderr, stdout } = await run(['watch', '1', '--csv'], { env });
    expect(exit).toBe(0);
    expect(stdout).toContain('\r\n1,Acme,synced,');
    expect(seen).toHaveLength(4);
    expect(stderr.replaceAll(url, '<url>')).toMatchInlineSnapshot(`
      "Too many requests (429): Wait; retrying in 45 s
      1: <url> responded 200 with a web page instead of JSON; next check in 20 s
      1 Acme: synced (1 min 5 s)
      "
    `);
  });

  it('says that resuming with -o replaces the file', async () => {
    const { env } = await serve({ json: { id: 1, name: 'Acme', status: 'researching' } });
    const out = join(newFolder(), 'record.ndjson');
    const { exit, stderr } = await run(['watch', '1', '--timeout', '1m', '-o', out], { env });
    expect(exit).toBe(8);
    expect(stderr).toContain('To resume, run the same command again with --overwrite\n');
  });

  it('fails when the service sends no response before the time limit', async () => {
    const { env } = await serve((response) => response.destroy());
    const one = await run(['watch', '1', '--timeout', '1m', '--no-progress'], { env });
    expect(one).toMatchObject({ exit: 6, stdout: '' });
    expect(one.stderr).toMatch(/^Error: http:.* could not be reached: /);
    const two = await run(['watch', '1', '2', '--timeout', '1m', '--json'], { env });
    expect(two.exit).toBe(6);
    expect(two.stdout.match(/"ok":false/g)).toHaveLength(2);
    expect(two.stderr).toContain(
      '{"summary":{"failed":2,"errored":0,"pending":0,"of":2,"exit":6}}',
    );
  });

  it('is pending when standard input is still open at the time limit', async () => {
    const world = await registered('Sandbox synced A');
    const open = { ...world, stdin: new PassThrough() };
    expect((await run(['watch', '-', '--timeout', '1m', '--sandbox'], open)).exit).toBe(8);
    const stdin = new PassThrough();
    stdin.write('1\n404\n');
    const flags = ['--json', '--timeout', '1m', '--sandbox'];
    const { exit, stderr } = await run(['watch', '-', ...flags], { ...world, stdin });
    expect(exit).toBe(9);
    expect(stderr).toContain('{"summary":{"failed":1,"errored":0,"pending":0,"of":2,"exit":9}}');
  });

  it('says why it does not exit with 0, with names, even with --no-progress', async () => {
    const names = ['Sandbox errored A', 'Sandbox synced B', 'Sandbox pending C'];
    const world = await registered(...names);
    const argv = ['watch', '1', '2', '3', '--timeout', '3m', '--no-progress', '--sandbox'];
    const { stderr, exit } = await run(argv, world);
    expect([exit, stderr]).toEqual([
      9,
      expect.stringContaining(
        'Research failed: 1 Sandbox errored A (the service could not finish it: ask the service, with the ID). Still in progress: 3\n',
      ),
    ]);
    const only = await run(['watch', '1', '--no-progress', '--sandbox'], world);
    expect(only).toMatchObject({
      exit: 7,
      stderr:
        'Research failed: 1 Sandbox errored A (the service could not finish it: ask the service, with the ID)\n',
    });
    const changes = await run(['watch', '1', '2', '--sandbox'], world);
    expect(changes.stderr).toMatch(/^1 Sandbox errored A: research failed \(0 s\)$/m);
  });
});
