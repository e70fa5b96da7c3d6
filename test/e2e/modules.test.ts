import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { execute } from '../support/executable.ts';
import { newFolder } from '../support/run.ts';
import { serve } from '../support/server.ts';

/*
 * What the light commands load: a heavy import on a light path fails here, without a clock.
 * After a change that is meant: `npx vitest run test/e2e/modules.test.ts -u`.
 */
const root = resolve(import.meta.dirname, '../..');
const hook = join(root, 'test/support/loads.cjs');

/**
 * Runs the executable; returns the parts of Node and its own files that it loaded, their size, and
 * what it built.
 */
async function loads(argv: readonly string[], env: Record<string, string> = {}) {
  const file = join(newFolder(), 'loads.json');
  const options = { NODE_OPTIONS: `--require ${JSON.stringify(hook)}`, LOADS: file };
  expect(await execute(argv, { env: { ...env, ...options } })).toMatchObject({
    exit: 0,
    stderr: '',
  });
  const { loads, patterns }: { loads: string[]; patterns: string[] } = JSON.parse(
    readFileSync(file, 'utf8'),
  );
  const own = loads.filter((name) => /^(bin|dist)\//.test(name));
  // v8 is asked for on Node 20 only.
  const ofNode = loads.filter((name) => !own.includes(name) && name !== 'v8');
  return {
    node: ofNode.sort().join(' '),
    own: own
      .map((name) => name.replace(/^dist\/(chunks\/)?|\.cjs$/g, ''))
      .sort()
      .join(' '),
    // V8 collects all characters that have a property when it builds the pattern.
    unicodePatterns: patterns.filter((pattern) => pattern.includes('\\p{')).length,
    kilobytes: own.reduce((sum, name) => sum + statSync(join(root, name)).size, 0) / 1000,
  };
}

it.each(['--version', '--help', 'get --help'])('answers %s from one file', async (words) => {
  expect(await loads(words.split(' '))).toMatchObject({
    node: 'fs path',
    own: 'answers.json bin/carbon',
  });
});

it('shows the settings with nothing but commander', async () => {
  const { kilobytes, ...names } = await loads(['whoami']);
  expect(names).toMatchInlineSnapshot(`
    {
      "node": "events fs os path process stream",
      "own": "bin/carbon currency main whoami",
      "unicodePatterns": 0,
    }
  `);
  expect(kilobytes).toBeLessThan(100);
});

it('passes a record on with a part of undici, and looks at no schema', async () => {
  const { url } = await serve({ json: { id: 1, status: 'synced' } });
  const env = { CARBON_BASE_URL: url, CARBON_API_KEY: 'k' };
  const { kilobytes, ...names } = await loads(['get', '1', '--json'], env);
  expect(names).toMatchInlineSnapshot(`
    {
      "node": "buffer diagnostics_channel events fs net os path process querystring stream util",
      "own": "bin/carbon client currency get live-status main parse-ids pool runner undici-parts",
      "unicodePatterns": 0,
    }
  `);
  expect(kilobytes).toBeLessThan(340);
});
