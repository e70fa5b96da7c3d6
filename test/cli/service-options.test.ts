import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  hintedOptions,
  keepingCommands,
  keepOption,
  ownOptions,
  withService,
} from '../../src/cli/options.ts';
import { loadDeclarations } from '../../src/cli/program.ts';
import { newFolder, run } from '../support/run.ts';

describe('commands in hints', () => {
  it('accept the options of a service that a hint adds', async () => {
    for (const { name, service = [] } of await loadDeclarations()) {
      const { [name]: hinted } = hintedOptions;
      const accepted = service.filter((option) => name !== 'login' || option !== '--sandbox');
      if (hinted) expect([name, hinted]).toEqual([name, accepted]);
      // Without a line in hintedOptions, a hint adds all of those that the run has.
      else expect([name, service.length]).not.toEqual([name, 0]);
    }
  });

  it('go to the service of the run', async () => {
    const home = newFolder();
    const hintOf = async (...words: string[]) =>
      (await run(words, { home })).stderr.split('\n').find((line) => line.startsWith('Hint: '));
    expect(await hintOf('get', '9999', '--sandbox')).toContain(
      '`carbon register --name ... --sandbox`',
    );
    expect(await hintOf('--sandbox', 'get', 'abc')).toContain(
      '`carbon register --name abc --sandbox`',
    );
    expect(await hintOf('register', '--sandbox')).toContain(
      '`carbon register --name "Acme AG" --sandbox`',
    );
    expect(await hintOf('sync', 'a.csv', 'b.csv', '--sandbox')).toContain(
      '`carbon sync a.csv --sandbox`, then `carbon sync b.csv --sandbox`',
    );
  });

  it('keep their own options, and add only those that apply', () => {
    const flags = { profile: 'my work', baseUrl: 'https://api.example.com' };
    const hint =
      'Run `carbon login --base-url https://...`, `carbon whoami`, `carbon list a.csv` or `carbon get --json`.';
    expect(withService(hint, flags, 'linux')).toBe(
      "Run `carbon login --base-url https://...`, `carbon whoami --profile 'my work' --base-url https://api.example.com`, `carbon list a.csv` or `carbon get --json`.",
    );
    expect(withService('`carbon list a.csv`', { sandbox: true }, 'linux')).toBe(
      '`carbon list a.csv --sandbox`',
    );
    expect(withService(hint, {}, 'linux')).toBe(hint);
  });

  it('read the same list', async () => {
    const declared = await loadDeclarations();
    const keeping = declared.filter((each) => ownOptions(each).includes(keepOption));
    expect(keeping.map(({ name }) => name).sort()).toEqual([...keepingCommands].sort());
    const flags = { keep: 'my dir', sandbox: true };
    const hint = '`carbon sync a.csv`, `carbon list a.csv --keep b`, `carbon sync --help`';
    expect(withService(hint, flags, 'linux')).toBe(
      "`carbon sync a.csv --sandbox --keep 'my dir'`, `carbon list a.csv --keep b --sandbox`, `carbon sync --help`",
    );
    const cwd = newFolder();
    writeFileSync(join(cwd, 'list.csv'), 'name,country\nAcme AG,DE\n');
    const { stderr } = await run(['report', join(cwd, 'list.csv'), '--keep', 'kept']);
    expect(stderr).toMatch(/`carbon sync \S+list\.csv --keep kept`/);
  });
});
