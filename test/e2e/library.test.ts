/* The library as other projects use it: imported, required, and bundled with esbuild. */
import { spawnSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it, onTestFinished } from 'vitest';
import { realClock } from '../../src/runtime/clock.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { codeBlocks, root } from '../support/documents.ts';
import { node, startNode } from '../support/executable.ts';
import { installLibrary } from '../support/library.ts';
import { newFolder } from '../support/run.ts';
import { serve } from '../support/server.ts';
import { serveProxy, serveTls, trusting } from '../support/tls.ts';

const program = (load: string) => `${load}
const client = new CarbonClient({ baseUrl: process.argv[2], apiKey: 'key' });
client.retrieve(1).then(({ record }) => console.log(record.name));
`;
const imported = program("import { CarbonClient } from 'carbon-data';");
const required = program("const { CarbonClient } = require('carbon-data');");

/* Creates a project that has installed the packed package. */
function newProject(name: string, text: string): string {
  const folder = newFolder();
  symlinkSync(join(installLibrary(), 'node_modules'), join(folder, 'node_modules'));
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

describe('the library', () => {
  it('runs the example of the documentation', async () => {
    const sandbox = await startSandbox({ clock: realClock, key: 'key', rate: 5, researchMs: 1 });
    onTestFinished(() => sandbox.close());
    const [example = ''] = codeBlocks('ts', ['docs/developers.md']);
    const text = example.replace('https://api.example.com', sandbox.url);
    const env = { CARBON_API_KEY: 'key' };
    const { stdout, stderr, exit } = await startNode([newProject('main.mjs', text)], { env }).ended;
    expect([stderr, exit]).toEqual(['', 0]);
    const lines = stdout.trim().split('\n').sort();
    expect(lines).toEqual([
      expect.stringMatching(/^Borg GmbH \d+$/),
      expect.stringMatching(/^Cyber SE \d+$/),
    ]);
  });

  it('retrieves a record after import, require() and in a bundle of esbuild', async () => {
    const [entry, byRequire] = [newProject('main.mjs', imported), newProject('main.cjs', required)];
    const outfile = join(entry, '../bundle.cjs');
    const { warnings } = await build({
      entryPoints: [entry],
      outfile,
      format: 'cjs',
      bundle: true,
      platform: 'node',
      logLevel: 'silent',
    });
    expect(warnings).toEqual([]);
    const { url } = await serve({ json: { id: 1, name: 'Acme' } });
    const words = ['--require', byRequire, '--require', outfile, entry, url];
    const { stdout, stderr } = await startNode(words).ended;
    expect([stdout, stderr]).toEqual(['Acme\n'.repeat(3), '']);
  });

  it.each([
    ['import', 'main.mts'],
    ['require()', 'main.cts'],
  ])('has types for %s that need nothing but zod and Node.js', (_, name) => {
    const file = newProject(
      name,
      `import { CarbonClient, organizationSchema, type Organization } from 'carbon-data';
const client = new CarbonClient({ baseUrl: 'https://api.example', apiKey: 'key' });
export const name: Promise<string | null | undefined> = client.retrieve(1).then((r) => r.record.name);
export const parsed: Organization = organizationSchema.parse({ id: 1 });
// @ts-expect-error: a registration needs a name
void client.register({ website: 'acme.com' });
`,
    );
    const words = ['--noEmit', '--strict', '--module', 'nodenext', '--types', 'node', file];
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const { status, stdout } = spawnSync(node, [compiler, ...words], {
      cwd: dirname(file),
      encoding: 'utf8',
    });
    expect([stdout, status]).toEqual(['', 0]);
  });

  it.each([
    ['import', imported, 'main.mjs'],
    ['require()', required, 'main.cjs'],
  ])(
    'after %s, uses the proxy of the environment unless its option proxy is false',
    async (_, text, name) => {
      const proxy = await serveProxy(await serveTls('elsewhere'));
      const env = { ...trusting, HTTPS_PROXY: proxy.url };
      const used = startNode([newProject(name, text), 'https://else.example'], { env });
      expect(await used.ended).toMatchObject({ exit: 0, stdout: 'Acme AG\n', stderr: '' });
      expect(proxy.tunnels).toHaveLength(1);
      // 0.0.0.0 leads to this machine, but is no loopback address.
      const url = (await serveTls('elsewhere')).replace('127.0.0.1', '0.0.0.0');
      const direct = text.replace("apiKey: 'key'", "apiKey: 'key', proxy: false, attempts: 1");
      const { exit, stderr } = await startNode([newProject(name, direct), url], { env }).ended;
      expect([exit, proxy.tunnels.length]).toEqual([1, 1]);
      expect(stderr).toContain('its certificate is for another host name');
    },
  );
});
