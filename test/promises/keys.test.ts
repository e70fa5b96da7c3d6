/* Promises about API keys. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { execute } from '../support/executable.ts';
import { newFolder } from '../support/run.ts';
import { listen, notFound0, serve } from '../support/server.ts';
import { newList, recordOf, serveOrganizations } from './scene.ts';

const key = 'canary-key-4711';
const record = { json: recordOf(1, 'Acme') };

/* A directory in which `carbon login` stored a key for a service. */
async function loggedIn() {
  const home = newFolder();
  const service = await serve(notFound0, record);
  const argv = ['login', '--base-url', service.url, '--with-key'];
  const login = await execute(argv, { env: { HOME: home }, stdin: key });
  expect(login).toMatchObject({ exit: 0 });
  return { home, ...service, output: login.stdout + login.stderr };
}
const bearers = (seen: readonly { headers: { authorization?: string | undefined } }[]) =>
  seen.map(({ headers }) => headers.authorization);

describe('an API key', () => {
  it('is sent only to the origin that it was stored for', async () => {
    const { home, seen } = await loggedIn();
    const other = await serve(record);
    const env = { HOME: home, CARBON_BASE_URL: other.url };
    expect(await execute(['get', '1'], { env })).toMatchObject({ exit: 4 });
    expect(other.seen).toEqual([]);
    expect(await execute(['get', '1', '-q'], { env: { HOME: home } })).toMatchObject({ exit: 0 });
    expect(bearers(seen).at(-1)).toBe(`Bearer ${key}`);
  });

  it('does not follow a redirect', async () => {
    const other = await serve(record);
    const { env } = await serve({ status: 307, text: '', headers: { location: other.url } });
    const { exit } = await execute(['get', '1'], { env: { ...env, CARBON_API_KEY: key } });
    expect([exit, other.seen]).toEqual([6, []]);
  });

  it('is sent over http only to this machine', async () => {
    const env = { CARBON_BASE_URL: 'http://service.example', CARBON_API_KEY: key };
    const { exit, stderr } = await execute(['get', '1'], { env });
    expect([exit, stderr]).toEqual([2, expect.stringContaining('https')]);
  });

  it('is sent only to a server whose certificate is valid, whatever Node is told', async () => {
    const certificates = join(import.meta.dirname, '../hostile/certificates');
    const [cert, privateKey] = ['valid.pem', 'key.pem'].map((name) =>
      readFileSync(join(certificates, name)),
    );
    let requests = 0;
    const server = createServer({ cert, key: privateKey }, (_, response) => {
      requests += 1;
      response.end(JSON.stringify(recordOf(1, 'Acme')));
    });
    const env = {
      CARBON_BASE_URL: `https://127.0.0.1:${await listen(server)}`,
      CARBON_API_KEY: key,
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
    };
    const { exit, stderr } = await execute(['get', '1'], { env });
    expect([exit, stderr]).toEqual([6, expect.stringContaining('certificate')]);
    expect(requests).toBe(0);
  });

  it('never reaches output, logs, files, snapshots or metrics', async () => {
    const { home, env: of, output } = await loggedIn();
    expect(output).not.toContain(key);
    const service = await serveOrganizations();
    const { path, folder } = newList('name\nAcme\n');
    const env = { ...service.env, CARBON_API_KEY: key, HOME: folder };
    const words = ['--debug', '--metrics-file', join(folder, 'run.prom')];
    const sync = await execute(['sync', path, ...words, '-o', join(folder, 'out.csv')], { env });
    expect(sync.exit).toBe(0);
    const whoami = await execute(['whoami'], { env: { HOME: home } });
    const refused = await serve({ status: 401, text: key });
    const rejected = await execute(['get', '1', '--debug'], {
      env: { ...of, CARBON_BASE_URL: refused.url, CARBON_API_KEY: key },
    });
    for (const { stdout, stderr } of [sync, whoami, rejected])
      expect(stdout + stderr).not.toContain(key);
    const files = readdirSync(folder).filter((name) => statSync(join(folder, name)).isFile());
    expect(files.length).toBeGreaterThan(3);
    for (const name of files) expect(readFileSync(join(folder, name), 'utf8')).not.toContain(key);
  });

  it('is stored in a file that only its owner may read', async () => {
    const { home } = await loggedIn();
    const folder = join(home, '.config/carbon');
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, 'config.json')).mode & 0o777).toBe(0o600);
  });
});

describe('a setting', () => {
  it('comes from the option, the environment, the profile or the default, in this order', async () => {
    const { home, seen } = await loggedIn();
    const [ofEnvironment, ofOption] = [await serve(record), await serve(record)];
    const env = { HOME: home, CARBON_BASE_URL: ofEnvironment.url, CARBON_API_KEY: 'k' };
    await execute(['get', '1', '--base-url', ofOption.url], { env });
    expect([seen.length, ofEnvironment.seen.length, ofOption.seen.length]).toEqual([1, 0, 1]);
    await execute(['get', '1'], { env });
    expect([seen.length, ofEnvironment.seen.length, ofOption.seen.length]).toEqual([1, 1, 1]);
    await execute(['get', '1'], { env: { HOME: home } });
    expect([seen.length, ofEnvironment.seen.length, ofOption.seen.length]).toEqual([2, 1, 1]);
  });

  it('is read from no file if everything is in the environment', async () => {
    const { env } = await serve(record);
    const home = newFolder();
    writeFileSync(join(home, '.config'), 'a file, in which nothing can be created');
    const { exit, stderr } = await execute(['get', '1', '-q'], { env: { HOME: home, ...env } });
    expect([exit, stderr]).toEqual([0, '']);
    expect(readdirSync(home)).toEqual(['.config']);
  });
});
