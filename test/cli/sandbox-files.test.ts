import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../../src/sandbox/server.ts';
import { VirtualClock } from '../support/clock.ts';
import { codeBlocks, shownFiles } from '../support/documents.ts';
import { newFolder, run } from '../support/run.ts';
import { wordsOf } from '../support/understands.ts';

/* A list in a directory of its own, and commands that run there. */
async function newWorld(text = 'Supplier,Country\nAcme AG,Germany\nGlobex,UK\nInitech,US\n') {
  const home = newFolder();
  const clock = new VirtualClock();
  const path = join(home, 'suppliers.csv');
  writeFileSync(path, text);
  // Stands for a service: nothing marks its responses.
  const service = await startSandbox({ key: 'key-0123456789', clock });
  onTestFinished(() => service.close());
  const env = { CARBON_BASE_URL: service.url, CARBON_API_KEY: service.key };
  const carbon = (...words: string[]) => run(words, { home, clock, env });
  const inSandbox = (...words: string[]) => run([...words, '--sandbox'], { home, clock });
  const names = () =>
    readdirSync(home)
      .filter((name) => /jsonl|ndjson/.test(name))
      .sort();
  return { home, path, carbon, inSandbox, names, url: service.url };
}

describe('the files of the sandbox', () => {
  it('do not stop the commands of README without --sandbox, and are not in their results', async () => {
    const { home, path, carbon, url } = await newWorld(
      shownFiles('README.md').get('suppliers.csv'),
    );
    const commands = codeBlocks('console', ['README.md'])
      .join('')
      .split('\n')
      .flatMap((line) => /^\$ carbon (.*)$/.exec(line)?.[1] ?? [])
      .filter((line) => /^\S+ suppliers\.csv/.test(line))
      .map((line) => wordsOf(line).map((word) => word.replace(/^suppliers.csv$/, path)));
    expect(commands.filter((words) => words.includes('--sandbox')).length).toBeGreaterThan(0);
    const inHome = (words: readonly string[]) =>
      words.map((word) => (/^[a-z]+\.(?:html|xlsx)$/.test(word) ? join(home, word) : word));
    // A goal that is not reached has an exit code of its own.
    const exitOf = (words: readonly string[]) => (words.includes('--goal') ? 10 : 0);
    for (const words of commands) expect((await carbon(...inHome(words))).exit).toBe(exitOf(words));
    expect(existsSync(`${path}.records.ndjson`)).toBe(false);
    for (const words of commands) {
      const own = inHome(words.filter((word) => word !== '--sandbox'));
      const replaces = own.includes('-o') ? ['--overwrite'] : [];
      const { exit, stderr } = await carbon(...own, ...replaces);
      expect([own.join(' '), exit, stderr]).toEqual([own.join(' '), exitOf(own), stderr]);
    }
    const records = readFileSync(`${path}.records.ndjson`, 'utf8').trim().split('\n');
    expect(records.map((line) => JSON.parse(line).service)).toEqual([url, url, url]);
  });

  it('are read if there are no others, or with --sandbox', async () => {
    const { path, carbon, inSandbox } = await newWorld();
    await inSandbox('sync', path);
    const only = await carbon('list', path, '-q');
    expect([only.stdout, only.exit]).toEqual(['1\n2\n3\n', 0]);
    expect((await carbon('list', path)).stderr).toContain('synthetic data');
    writeFileSync(path, 'Supplier,Country\nHooli,US\n');
    expect((await carbon('sync', path)).exit).toBe(0);
    expect((await carbon('list', path, '--columns', 'name')).stdout).toBe('Hooli\n');
    expect((await carbon('list', path, '--columns', 'name', '--sandbox')).stdout).toContain(
      'Globex',
    );
    for (const command of ['report', 'check', 'batch'])
      expect((await carbon(command, path, '--sandbox')).exit).toBeLessThan(11);
  });

  it('are not read under the names of those of a service, and the error says how to rename them', async () => {
    const { path, carbon, inSandbox } = await newWorld();
    await inSandbox('sync', path);
    const [journal, marked] = [`${path}.carbon.jsonl`, `${path}.sandbox.carbon.jsonl`];
    renameSync(marked, journal);
    const commands = ['sync', 'sync --dry-run', 'batch', 'batch --status', 'list'];
    for (const command of [...commands, 'sync --sandbox']) {
      const { exit, stderr } = await carbon(...command.split(' '), path);
      expect([command, exit, stderr]).toEqual([
        command,
        2,
        `Error: ${journal} is a journal of the sandbox, but its name does not say so\nHint: Rename it: mv ${journal} ${marked}\n`,
      ]);
    }
    renameSync(journal, marked);
    expect((await inSandbox('sync', path)).stderr).toContain('3 already registered');
  });
});
