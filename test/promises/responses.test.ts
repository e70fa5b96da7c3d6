import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { root } from '../support/documents.ts';
import { startNode } from '../support/executable.ts';
import { jsonLines, run } from '../support/run.ts';
import { type Reply, serve } from '../support/server.ts';
import { newList, recordOf } from './scene.ts';

const problem = (status: number, more: object = {}): Reply => ({
  status,
  json: { status, title: 'No', detail: 'Because.', ...more },
});
const html: Reply = {
  status: 200,
  text: '<html>Welcome</html>',
  headers: { 'content-type': 'text/html' },
};

/* Runs a command against a service that always sends one response. */
async function answer(reply: Reply, ...words: string[]) {
  const { env, seen } = await serve(reply);
  return { ...(await run(words, { env })), seen };
}

describe('a response to get', () => {
  it.each<[what: string, reply: Reply, exit: number]>([
    ['a record', { json: recordOf(1, 'Acme') }, 0],
    ['JSON that is no record', { json: [1] }, 6],
    ['a record with another ID', { json: recordOf(2, 'Acme') }, 6],
    ['an HTML page', html, 6],
    ['an empty response', { text: '' }, 6],
    ['a redirect', { status: 302, text: '', headers: { location: '/' } }, 6],
    ['404 with the four members of the specification', problem(404, { id: '1' }), 5],
    ['404 without an ID, as of a wrong base URL', problem(404), 6],
    ['400', problem(400), 3],
    ['422', problem(422), 3],
    ['422 as an HTML page', { ...html, status: 422 }, 6],
    ['401', problem(401), 4],
    ['402', { status: 402, text: '' }, 4],
    ['403 before anything was accepted', problem(403), 4],
    ['500', problem(500), 6],
    ['418', { status: 418, text: '' }, 6],
  ])('decides as the specification says: %s', async (_, reply, exit) => {
    expect((await answer(reply, 'get', '1')).exit).toBe(exit);
  });

  it.each<[what: string, refusal: Reply]>([
    ['429 without a body', { status: 429, text: '' }],
    ['429 as an HTML page', { ...html, status: 429 }],
    ['503 with Retry-After', { status: 503, text: '', headers: { 'retry-after': '1' } }],
  ])('is a refusal for the moment if it is %s', async (_, refusal) => {
    const { env, seen } = await serve(refusal, { json: recordOf(1, 'Acme') });
    expect(await run(['get', '1', '-q'], { env })).toMatchObject({ exit: 0, stdout: '1\n' });
    expect(seen).toHaveLength(2);
  });
});

describe('a response to a registration', () => {
  it('is a rejection of the row if it is 404 with a status and a detail', async () => {
    const reply: Reply = { status: 404, json: { status: 404, detail: 'No such company.' } };
    const { exit, stderr } = await answer(reply, 'register', '--name', 'Acme');
    expect([exit, stderr]).toEqual([5, expect.stringContaining('No such company')]);
  });

  it.each<[what: string, reply: Reply]>([
    ['an HTML page', html],
    ['404 of a web server', { ...html, status: 404 }],
    ['JSON that is no record', { json: 'ok' }],
  ])('never blames the row for %s', async (_, reply) => {
    const { env } = await serve(reply);
    const { path, folder } = newList('name\nAcme\n');
    const { exit, stdout } = await run(['batch', path, '--json'], { env, home: folder });
    expect(exit).toBe(6);
    expect(jsonLines(stdout).filter(({ error }) => error?.code === 'rejected')).toEqual([]);
    const { stdout: status } = await run(['batch', path, '--status', '--json'], {
      home: folder,
      env,
    });
    expect(jsonLines(status)[0]).toMatchObject({ registered: 0, failed: 0, remaining: 1 });
  });
});

describe('the library', () => {
  it('rejects a record that has another ID than the one asked for', async () => {
    const { url } = await serve({ json: recordOf(2, 'Acme') });
    const library = pathToFileURL(join(root, 'dist/index.js')).href;
    const program = `import { CarbonClient } from '${library}';
      const client = new CarbonClient({ baseUrl: '${url}', apiKey: 'k' });
      await client.retrieve(1).then(() => console.log('accepted'), ({ code }) => console.log(code));`;
    const words = ['--input-type=module', '-e', program];
    expect((await startNode(words).ended).stdout).toBe('unreadable_response\n');
  });
});
