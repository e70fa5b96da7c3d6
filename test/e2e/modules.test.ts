import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { execute, node, single } from '../support/executable.ts';
import { newFolder } from '../support/run.ts';
import { serve } from '../support/server.ts';

/*
 * Which modules the light commands load. A heavy import in a light command fails here, without a
 * time measurement. After an intended change, run `npx vitest run test/e2e/modules.test.ts -u`.
 */
const root = resolve(import.meta.dirname, '../..');
const hook = join(root, 'test/support/loads.cjs');

/* What test/support/loads.cjs writes. */
interface Loads {
  readonly loads: readonly string[];
  readonly patterns: readonly string[];
  readonly compiled: { readonly taken: readonly string[]; readonly refused: readonly string[] };
}

/** Lists records, with options of Node. Returns what was printed, and the compiled code it used. */
async function listRecords(nodeOptions: string) {
  const folder = newFolder();
  const [records, file] = [join(folder, 'records.ndjson'), join(folder, 'loads.json')];
  writeFileSync(records, '{"id":1,"name":"Acme","status":"synced"}\n');
  const options = `--require ${JSON.stringify(hook)} ${nodeOptions}`;
  const result = await execute(['list', records, '--csv'], {
    env: { NODE_OPTIONS: options, LOADS: file },
  });
  expect(result.exit).toBe(0);
  const { loads, compiled }: Loads = JSON.parse(readFileSync(file, 'utf8'));
  return { ...compiled, stdout: result.stdout, own: loads.filter((name) => /^dist/.test(name)) };
}

/**
 * Runs the executable. Returns the Node modules and own files that it loads, the size of these
 * files and the number of Unicode patterns that it constructs.
 */
async function loads(
  argv: readonly string[],
  env: Record<string, string> = {},
  expected: object = { exit: 0, stderr: '' },
) {
  const file = join(newFolder(), 'loads.json');
  const options = { NODE_OPTIONS: `--require ${JSON.stringify(hook)}`, LOADS: file };
  expect(await execute(argv, { env: { ...env, ...options } })).toMatchObject(expected);
  const { loads, patterns }: Loads = JSON.parse(readFileSync(file, 'utf8'));
  const own = loads.filter((name) => /^(bin|dist)\//.test(name));
  // Only Node 20 loads v8, and only the Node of the build loads vm.
  const ofNode = loads.filter((name) => !own.includes(name) && !['v8', 'vm'].includes(name));
  return {
    node: ofNode.sort().join(' '),
    own: own
      .map((name) => name.replace(/^dist\/(chunks\/)?|\.cjs$/g, ''))
      .sort()
      .join(' '),
    // V8 collects all characters with a Unicode property when it constructs a pattern.
    unicodePatterns: patterns.filter((pattern) => pattern.includes('\\p{')).length,
    kilobytes: own.reduce((sum, name) => sum + statSync(join(root, name)).size, 0) / 1000,
  };
}

/*
 * Sizes are those of the day when a limit was set, in kB. The limit is 5% above, so that a heavy
 * import reaches it and a new field or a sentence does not.
 */
function expectSize(usual: number, kilobytes: number, words: string, growth = 1.05): void {
  const more = Math.ceil(kilobytes - usual);
  const advice = 'load what it rarely needs with import(), or write its new size in this file';
  const message = `carbon ${words} loads ${kilobytes} kB, ${more} kB more than when its limit was set: ${advice}`;
  expect(kilobytes <= Math.ceil(usual * growth), message).toBe(true);
}

describe.skipIf(single !== undefined)(
  'modules (skipped for a single executable: it loads no files)',
  () => {
    it.each([
      ['--version', packageJson.version],
      ['--help', 'Usage: carbon <command> [options]'],
      ['get --help', 'Usage: carbon get'],
    ])('carbon prints %s from one file', async (words, text) => {
      const expected = { exit: 0, stdout: expect.stringContaining(text), stderr: '' };
      expect(await loads(words.split(' '), {}, expected)).toMatchObject({
        node: 'fs path',
        own: 'bin/carbon prerendered.json',
      });
    });

    it('every file runs in strict mode, as the modules of src/ do', () => {
      const chunks = readdirSync(join(root, 'dist/chunks')).filter((name) => name.endsWith('.cjs'));
      for (const name of ['main.cjs', ...chunks.map((chunk) => `chunks/${chunk}`)])
        expect(readFileSync(join(root, 'dist', name), 'utf8'), name).toMatch(/^"use strict"/);
    });

    it('carbon takes the compiled code of the build if its Node is that of the build', async () => {
      const version = "[process.version, process.platform, process.arch].join('-')";
      const own = spawnSync(node, ['-p', version], { encoding: 'utf8' }).stdout.trim();
      const builds = readdirSync(join(root, 'dist/compiled'));
      expect(builds).toHaveLength(1);
      const usual = await listRecords('');
      const sorted = [...usual.taken].sort();
      expect(sorted).toEqual(builds.includes(own) ? [...usual.own].sort() : []);
      // V8 has compiled for other flags.
      const other = await listRecords('--max-old-space-size=300');
      expect(other.refused).toEqual(builds.includes(own) ? ['dist/main.cjs'] : []);
      expect(other).toMatchObject({ taken: [], stdout: usual.stdout });
    });

    it('carbon whoami loads no library but commander', async () => {
      const { kilobytes, ...names } = await loads(['whoami']);
      expect(names).toMatchInlineSnapshot(`
        {
          "node": "events fs os path process stream",
          "own": "bin/carbon core main rolldown-runtime whoami",
          "unicodePatterns": 0,
        }
      `);
      // It has no fields and no figures, so it has little reason to grow.
      expectSize(107, kilobytes, 'whoami', 1.01);
    });

    it('carbon get --json loads only a part of undici and no schema', async () => {
      const { env } = await serve({ json: { id: 1, status: 'synced' } });
      const { kilobytes, ...names } = await loads(['get', '1', '--json'], env);
      expect(names).toMatchInlineSnapshot(`
        {
          "node": "assert buffer diagnostics_channel events fs http http2 net os path process querystring stream timers/promises util",
          "own": "bin/carbon client connect core get main output pool rolldown-runtime",
          "unicodePatterns": 0,
        }
      `);
      expectSize(414, kilobytes, 'get --json');
    });

    it('commands on a synced list load no parser of Excel, no schema and no names of countries', async () => {
      const folder = newFolder();
      const [list, spend] = [join(folder, 'list.csv'), join(folder, 'spend.csv')];
      writeFileSync(list, 'name,country\nAcme,DE\n');
      writeFileSync(spend, 'supplier,spend,currency\nAcme,1000,EUR\n');
      const { env } = await serve({ json: { id: 1, name: 'Acme', status: 'synced' } });
      expect(await execute(['sync', list], { env })).toMatchObject({ exit: 0 });
      const everyday: [usual: number, argv: string[]][] = [
        [254, ['list', list]],
        [381, ['report', list]],
        [436, ['report', list, '-o', join(folder, 'report.html')]],
        [266, ['diff', list, '--since', '2020-01-01']],
        [319, ['check', list]],
        [460, ['footprint', spend, '--records', list]],
        [285, ['sync', list]],
      ];
      for (const [usual, argv] of everyday) {
        const { kilobytes, node, own } = await loads(argv, env, {});
        expect(`${argv[0]}: ${node}`).not.toMatch(/\b(?:http|zlib|worker_threads)\b/);
        expect(`${argv[0]}: ${own}`).not.toMatch(
          /country-words|prompter|questions|choices|terminal/,
        );
        expectSize(usual, kilobytes, `${argv[0]}`);
      }
    });
  },
);
