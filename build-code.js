/*
 * Keeps in dist/code what V8 makes of the bundle, so that carbon starts without compiling (bin/load.cjs). It is good for the version of V8
 * that runs this; a package that shall start quickly on several is built once and has this run by each of them.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { load, loaded } from './bin/load.cjs';

/* Kept is what was called: these are the commands that shall start quickly. */
const commands = ['whoami', 'get 1 --json', 'register --name Acme --json', 'get 1'];

const dist = join(import.meta.dirname, 'dist');
const { main, realContext } = load(join(dist, 'main.cjs'));
const server = createServer((_, response) => response.end('{"id":1,"name":"Acme","status":"synced"}'));
await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
const env = { CARBON_BASE_URL: `http://127.0.0.1:${port}`, CARBON_API_KEY: 'any', CARBON_CONFIG_DIR: dist };
const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() });

for (const words of commands) {
  // Without a version: on Node 20 carbon sets a flag of V8, and code is good only under the flags that it was made under.
  const world = {
    env,
    versions: { node: '' },
    stdin: Readable.from([]),
    stdout: nowhere(),
    stderr: nowhere(),
  };
  const exit = await main(words.split(' '), realContext(world, new AbortController().signal));
  if (exit !== 0) throw new Error(`carbon ${words} exits ${exit}`);
}
server.close();
for (const [path, { script }] of loaded) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, script.createCachedData());
}
