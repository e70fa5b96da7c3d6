import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { keepOption, ownOptions, repeatedWords } from '../../src/cli/options.ts';
import { loadDeclarations } from '../../src/cli/program.ts';
import { loadRepeatedOptions } from '../../src/cli/repeated-options.ts';
import type { CommandLine } from '../../src/runtime/hint.ts';
import { command } from '../../src/runtime/hint.ts';
import { newFolder, run } from '../support/run.ts';

describe('commands in hints', () => {
  const everyOption = { sandbox: true, profile: 'p', baseUrl: 'https://b.example', keep: 'k' };

  it('repeat the options that their commands declare', async () => {
    const repeated = await loadRepeatedOptions();
    const declarations = await loadDeclarations();
    expect(declarations.length).toBeGreaterThan(10);
    for (const declaration of declarations) {
      const { name, service = [], explains = [] } = declaration;
      const words = repeatedWords({ words: [name, 'x'] }, everyOption, repeated);
      const expected = [
        ...service.filter((option) => !explains.includes(option)),
        ...(ownOptions(declaration).includes(keepOption) ? ['--keep'] : []),
      ];
      expect(words.filter((word) => word.startsWith('--')).sort()).toEqual(expected.sort());
    }
    expect(declarations.flatMap(({ explains = [] }) => explains)).toEqual(['--sandbox']);
  });

  it('go to the service of the run', async () => {
    const home = newFolder();
    const hintOf = async (...words: string[]) =>
      (await run(words, { home })).stderr.split('\n').find((line) => line.startsWith('Hint: '));
    expect(await hintOf('get', '9999', '--sandbox')).toContain(
      '`carbon register --name "<name>" --sandbox`',
    );
    expect(await hintOf('--sandbox', 'get', 'abc')).toContain(
      '`carbon register --name abc --sandbox`',
    );
    expect(await hintOf('register', '--sandbox')).toContain(
      '`carbon register --name "<name>" --sandbox`',
    );
    expect(await hintOf('sync', 'a.csv', 'b.csv', '--sandbox')).toContain(
      '`carbon sync a.csv --sandbox`, then `carbon sync b.csv --sandbox`',
    );
  });

  it('keep their own options, and add only those that apply', async () => {
    const repeated = await loadRepeatedOptions();
    const flags = { profile: 'my work', baseUrl: 'https://api.example.com', keep: 'my dir' };
    const service = ['--profile', 'my work', '--base-url', 'https://api.example.com'];
    const keep = ['--keep', 'my dir'];
    const added = (line: CommandLine) => repeatedWords(line, flags, repeated);
    expect(added(command`login --base-url https://...`)).toEqual([]);
    expect(added(command`whoami`)).toEqual(service);
    expect(added(command`list a.csv`)).toEqual(keep);
    expect(added(command`list a.csv --keep b`)).toEqual([]);
    expect(added(command`sync a.csv`)).toEqual([...service, ...keep]);
    // Without an operand, it is the name of a command.
    expect(added(command`check`)).toEqual([]);
    expect(added(command`help sync`)).toEqual([]);
    expect(repeatedWords(command`list a.csv`, { sandbox: true }, repeated)).toEqual(['--sandbox']);
    expect(repeatedWords(command`login`, { sandbox: true }, repeated)).toEqual([]);
    expect(repeatedWords(command`whoami`, {}, repeated)).toEqual([]);
  });

  it('read the same list', async () => {
    const cwd = newFolder();
    writeFileSync(join(cwd, 'list.csv'), 'name,country\nAcme AG,DE\n');
    const { stderr } = await run([
      'report',
      join(cwd, 'list.csv'),
      '--keep',
      'my dir',
      '--sandbox',
    ]);
    expect(stderr).toMatch(/`carbon sync \S+list\.csv --sandbox --keep "my dir"`/);
  });
});
