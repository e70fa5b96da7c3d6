/* Promises about runs that nobody watches: what always fails, what is lost, who else is running. */
import { appendFileSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { VirtualClock } from '../support/clock.ts';
import { execute, start } from '../support/executable.ts';
import { jsonLines, newFolder, run } from '../support/run.ts';
import { listen, notFound0, serve, serveSilence } from '../support/server.ts';
import { newList, recordOf, serveOrganizations } from './scene.ts';

const names = (count: number) => Array.from({ length: count }, (_, row) => `Supplier ${row}`);
const listOf = (rows: readonly string[]) => `name\n${rows.map((name) => `${name}\n`).join('')}`;

describe('rows that always fail', () => {
  it('stop no other row, neither in the first run nor in a later one', async () => {
    const clock = new VirtualClock();
    const failing = ['Supplier 0', 'Supplier 3', 'Supplier 5', 'Supplier 8', 'Supplier 11'];
    const ids: string[] = [];
    const { env, seen } = await serve((response) => {
      const { method, path, body } = seen.at(-1) ?? { method: '', path: '', body: '' };
      const name = method === 'POST' ? JSON.parse(body).name : ids[Number(/\d+$/.exec(path)) - 1];
      if (failing.includes(name)) {
        response.writeHead(500, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ status: 500, title: 'Failed', detail: 'Bad data.' }));
        return;
      }
      if (!ids.includes(name)) ids.push(name);
      response.end(JSON.stringify(recordOf(ids.indexOf(name) + 1, name)));
    });
    const { path, folder } = newList(listOf(names(12)));
    const words = ['sync', path, '--max-age', '0', '--json'];
    const world = { env, home: folder, clock };
    const first = await run(words, world);
    expect([first.exit, [...ids].sort()]).toEqual([
      9,
      names(12)
        .filter((name) => !failing.includes(name))
        .sort(),
    ]);
    const before = seen.length;
    const night = clock.now();
    const second = await run(words, world);
    expect(second.exit).toBe(0);
    expect(seen.slice(before).filter(({ method }) => method === 'GET')).toHaveLength(7);
    expect(clock.now() - night).toBeLessThan(60_000);
  });
});

describe('an emptied or halved list', () => {
  it.each([
    ['sync', 0],
    ['batch', 0],
    ['sync', 8],
    ['batch', 8],
  ])('stops carbon %s before anything is sent: of 20 rows, %i remain', async (command, rest) => {
    const service = await serveOrganizations();
    const { path, folder } = newList(listOf(names(20)));
    const world = { env: service.env, home: folder };
    expect(await run([command, path], world)).toMatchObject({ exit: 0 });
    const before = service.seen.length;
    writeFileSync(path, listOf(names(rest)));
    const { exit, stderr } = await run([command, path], world);
    expect([exit, service.seen.length]).toEqual([2, before]);
    expect(stderr).toContain('--accept-removed');
  });

  it('is accepted with --accept-removed, from then on', async () => {
    const service = await serveOrganizations();
    const { path, folder } = newList(listOf(names(20)));
    const world = { env: service.env, home: folder };
    await run(['sync', path], world);
    writeFileSync(path, listOf(names(8)));
    expect(await run(['sync', path, '--accept-removed'], world)).toMatchObject({ exit: 0 });
    expect(await run(['sync', path], world)).toMatchObject({ exit: 0 });
  });
});

describe('the dry run', () => {
  it('says the same with and without an account', async () => {
    const service = await serveOrganizations();
    const text = 'name,country\nAcme,DE\nGlobex,FR\nAcme,DE\n';
    const [withAccount, without] = [newList(text), newList(text)];
    const say = async ({ path, folder }: typeof without, env: Record<string, string>) => {
      const { exit, stdout, stderr } = await run(['batch', path, '--dry-run'], {
        env,
        home: folder,
      });
      return [exit, stdout, stderr.replaceAll(path, 'LIST')];
    };
    expect(await say(without, {})).toEqual(await say(withAccount, service.env));
    expect(service.seen).toEqual([]);
  });

  it('reads a list that was registered with an account, without it', async () => {
    const service = await serveOrganizations();
    const { path, folder } = newList('name\nAcme\n');
    await run(['batch', path], { env: service.env, home: folder });
    expect(await run(['batch', path, '--dry-run'], { home: folder })).toMatchObject({ exit: 0 });
  });
});

describe('the kept files of a list', () => {
  it.each<[what: string, tail: (lastLine: string) => string]>([
    ['zeros, as after a power failure', () => '\0'.repeat(300)],
    ['a blank line, as an editor leaves', () => '\n'],
    ['half of a line, as after kill -9', (lastLine) => lastLine.slice(0, lastLine.length / 2)],
  ])('work with %s at their end', async (_, tailOf) => {
    const service = await serveOrganizations();
    const { path, folder, read } = newList('name\nAcme\n');
    const world = { env: service.env, home: folder };
    await run(['sync', path], world);
    const kept = readdirSync(folder).filter((name) => /\.(ndjson|jsonl)$/.test(name));
    expect(kept.length).toBeGreaterThan(1);
    for (const name of kept)
      appendFileSync(join(folder, name), tailOf(read(name).trim().split('\n').at(-1) ?? ''));
    expect(await run(['list', path, '-q'], world)).toMatchObject({ exit: 0, stdout: '1\n' });
    expect(await run(['sync', path, '--max-age', '0'], world)).toMatchObject({ exit: 0 });
    expect(service.sent()).toEqual(['Acme']);
  });
});

describe('a run that slept', () => {
  it('still holds its list: no other run takes over from a living process', async () => {
    const { env, asked } = await serveSilence();
    const { path, folder } = newList('name\nAcme\n');
    const first = start(['batch', path], { env: { HOME: folder, ...env } });
    await asked;
    first.child.kill('SIGSTOP');
    onTestFinished(() => void first.child.kill('SIGCONT'));
    const [lock = ''] = readdirSync(folder).filter((name) => name.endsWith('.lock'));
    // An hour ago, by the clock of the file system as well.
    const hourAgo = Date.now() / 1000 - 3600;
    utimesSync(join(folder, lock), hourAgo, hourAgo);
    const clock = new VirtualClock();
    const second = await run(['batch', path], { env, home: folder, clock });
    expect(second).toMatchObject({ exit: 1, stderr: expect.stringContaining('Another run') });
    expect(readdirSync(folder)).toContain(lock);
  });
});

describe('logins side by side', () => {
  it('lose no key', async () => {
    const { url } = await serve(notFound0);
    const home = newFolder();
    const profiles = names(6).map((_, index) => `p${index}`);
    const logins = profiles.map((profile) => {
      const words = ['login', '--base-url', url, '--profile', profile, '--with-key'];
      return execute(words, { env: { HOME: home }, stdin: `key-of-${profile}` });
    });
    for (const { exit } of await Promise.all(logins)) expect(exit).toBe(0);
    for (const profile of profiles) {
      const words = ['whoami', '--profile', profile, '--json'];
      const { exit, stdout } = await execute(words, { env: { HOME: home } });
      expect([profile, exit]).toEqual([profile, 0]);
      expect(jsonLines(stdout)[0]).toBeDefined();
    }
  });
});

describe('a proxy of the environment', () => {
  it('gets the requests to a service', async () => {
    const asked: string[] = [];
    const proxy = createServer();
    proxy.on('connect', (request, socket) => {
      asked.push(`${request.method} ${request.url}`);
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    });
    const env = {
      CARBON_BASE_URL: 'https://api.example.com',
      CARBON_API_KEY: 'k',
      HTTPS_PROXY: `http://127.0.0.1:${await listen(proxy)}`,
    };
    const { exit, stderr } = await execute(['get', '1'], { env });
    expect([exit, asked[0]]).toEqual([6, 'CONNECT api.example.com:443']);
    expect(stderr).toContain('proxy');
  });
});
