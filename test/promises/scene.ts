/* What the tests of promises share: a list in a directory of its own, and a service that counts. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from '../support/run.ts';
import { serve, type TestServer } from '../support/server.ts';

/** Writes a list in a new directory, which is HOME as well. */
export function newList(text: string, name = 'suppliers.csv') {
  const folder = newFolder();
  const path = join(folder, name);
  writeFileSync(path, text);
  return {
    folder,
    path,
    /** Reads a file of the directory; empty if there is none. */
    read(file: string): string {
      const found = join(folder, file);
      return existsSync(found) ? readFileSync(found, 'utf8') : '';
    },
    readJournal: () => readFileSync(`${path}.carbon.jsonl`, 'utf8'),
  };
}

/** A record of the service that is complete enough for every command. */
export const recordOf = (id: number, name: string, more: object = {}) => ({
  id,
  name,
  hq_region: 'DE',
  status: 'synced',
  score: 0.5144,
  performances: [
    {
      year: 2024,
      emissions: { scope_1: { total: 100 }, scope_2: { sum: 20 }, scope_3: { total: 3000 } },
    },
  ],
  ...more,
});

/** A service that registers each name once, and finds it by its ID. */
export async function serveOrganizations(
  more: (name: string) => object = () => ({}),
  onRequest: (count: number) => void = () => undefined,
) {
  const names: string[] = [];
  const server: TestServer = await serve((response) => {
    const { method, path, body } = server.seen.at(-1) ?? { method: '', path: '', body: '' };
    onRequest(server.seen.length);
    let id = Number(/\d+$/.exec(path.replace(/\?.*/, ''))?.[0]);
    if (method === 'POST') {
      const { name } = JSON.parse(body) as { name: string };
      id = names.includes(name) ? names.indexOf(name) + 1 : names.push(name);
    }
    const name = names[id - 1];
    const missing = { status: 404, title: 'Not found', detail: 'None.', id: String(id) };
    response.writeHead(name === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(name === undefined ? missing : recordOf(id, name, more(name))));
  });
  /** Names of the registrations that the service received, in order. */
  const sent = () =>
    server.seen
      .filter(({ method }) => method === 'POST')
      .map(({ body }) => (JSON.parse(body) as { name: string }).name);
  return { ...server, names, sent };
}
