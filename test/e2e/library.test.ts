/* The library as other projects use it: imported, required, and bundled with esbuild. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it, onTestFinished } from 'vitest';
import { realClock } from '../../src/runtime/clock.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { codeBlocks, root } from '../support/documents.ts';
import { startNode } from '../support/executable.ts';
import { newFolder } from '../support/run.ts';
import { serve } from '../support/server.ts';

const program = (load: string) => `${load}
const client = new CarbonClient({ baseUrl: process.argv[2], apiKey: 'key' });
client.retrieve(12).then(({ record }) => console.log(record.name));
`;
const imported = program("import { CarbonClient } from 'carbon-data';");
const required = program("const { CarbonClient } = require('carbon-data');");

/* A project that has installed the built package. */
function newProject(name: string, text: string): string {
  const packages = join(newFolder(), 'node_modules');
  mkdirSync(packages);
  symlinkSync(root, join(packages, 'carbon-data'));
  const file = join(packages, '..', name);
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

  it('retrieves a record after import, require() and in a bundle of esbuild', {
    tags: ['long'],
  }, async () => {
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
    const { url } = await serve({ json: { id: 12, name: 'Acme' } });
    const words = ['--require', byRequire, '--require', outfile, entry, url];
    const { stdout, stderr } = await startNode(words).ended;
    expect([stdout, stderr]).toEqual(['Acme\n'.repeat(3), '']);
  });
});
