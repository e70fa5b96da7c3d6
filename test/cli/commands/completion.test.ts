import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { newFolder, run } from '../../support/run.ts';

const installed = (shell: string) => spawnSync(shell, ['--version']).status === 0;

async function script(shell: string): Promise<string> {
  const file = join(newFolder(), `carbon.${shell}`);
  writeFileSync(file, (await run(['completion', shell])).stdout);
  return file;
}

async function inBash(words: readonly string[]): Promise<string[]> {
  const line = words.map((word) => `'${word}'`).join(' ');
  const ask = `source '${await script('bash')}'; COMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _carbon; echo "\${COMPREPLY[@]}"`;
  const { stdout } = spawnSync('bash', ['--norc', '-c', ask], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] },
  });
  return stdout.trim().split(/\s+/);
}

describe.skipIf(!installed('bash'))('bash completion (skipped where bash is not installed)', () => {
  it('completes commands, the flags of a command, and shells', async () => {
    expect(await inBash(['carbon', 'wa'])).toEqual(['watch']);
    expect(await inBash(['carbon', '--json', 'get', '--cu'])).toEqual(['--currency']);
    expect(await inBash(['carbon', 'completion', 'f'])).toEqual(['fish']);
    expect(await inBash(['carbon', 'help', 'ex'])).toEqual(['exit-codes']);
  });

  it('completes known values', async () => {
    expect(await inBash(['carbon', 'register', '--hq-region', 'DE'])).toEqual(['DE']);
    expect(await inBash(['carbon', 'get', '--currency', 'EU'])).toEqual(['EUR']);
    expect(await inBash(['carbon', 'sandbox', '--fault', 'sl'])).toEqual(['slow']);
  });

  it('completes flags only after a hyphen, and leaves files to the shell', async () => {
    expect(await inBash(['carbon', 'batch', ''])).toEqual(['']);
    expect(await inBash(['carbon', 'get', ''])).toEqual(['']);
    expect(await inBash(['carbon', 'batch', '--enc'])).toEqual(['--encoding']);
    expect(await inBash(['carbon', ''])).not.toContain('--json');
    expect(await inBash(['carbon', 'batch', '--keep', ''])).toEqual(['']);
  });
});

describe.skipIf(!installed('fish'))('fish completion (skipped where fish is not installed)', () => {
  it('completes commands and flags with their descriptions', async () => {
    const ask = `source '${await script('fish')}'; complete -C 'carbon reg'; complete -C 'carbon get --cu'`;
    const { stdout } = spawnSync('fish', ['-c', ask], { encoding: 'utf8' });
    expect(stdout.split('\n').map((line) => line.split('\t')[0])).toEqual([
      'register',
      '--currency',
      '',
    ]);
  });

  it('completes files of a command that reads them', async () => {
    const cwd = newFolder();
    writeFileSync(join(cwd, 'suppliers.csv'), '');
    const ask = `source '${await script('fish')}'; complete -C 'carbon list supp'`;
    expect(spawnSync('fish', ['-c', ask], { encoding: 'utf8', cwd }).stdout).toBe(
      'suppliers.csv\n',
    );
  });
});

/*
 * A zsh at a terminal of its own, in which Tab is pressed behind a line; it ends when what is
 * expected is there.
 */
const pressTab = `
  zmodload zsh/zpty
  zpty -b shell zsh -f -i
  zpty -w shell "PROMPT='READY>' COLUMNS=200; fpath=($1 \\$fpath); autoload -Uz compinit; compinit -u -D; print LOA''DED"
  zpty -r -m shell out '*LOADED*READY>*'
  zpty -n -w shell "$2"$'\\t'
  zpty -r -m shell out "*$3*"
  print -r -- "$out"
`;

describe.skipIf(!installed('zsh'))('zsh completion (skipped where zsh is not installed)', () => {
  it.each([
    ['carbon get 12 --cu', '--currency'],
    ['carbon watch 1 2 - --inter', '--interval'],
    ['carbon batch a.csv --retry', '--retry-failed'],
    ['carbon register --name A --lei', '--lei-number'],
    ['carbon completion z', 'zsh'],
  ])('completes %j with %s', async (line, expected) => {
    const folder = newFolder();
    writeFileSync(join(folder, '_carbon'), (await run(['completion', 'zsh'])).stdout);
    const words = ['-f', '-c', pressTab, 'zsh', folder, line, expected];
    const env = { HOME: folder, PATH: process.env['PATH'], TERM: 'xterm' };
    const child = spawn('zsh', words, { env });
    onTestFinished(() => void child.kill('SIGKILL'));
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0);
  });

  it('prints a script that zsh can read', async () => {
    expect(spawnSync('zsh', ['-n', await script('zsh')], { encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: '',
    });
  });
});

describe('PowerShell completion', () => {
  it('is ASCII, because PowerShell 5.1 reads programs in the code page of the console', async () => {
    const { stdout } = await run(['completion', 'powershell']);
    expect(stdout).toMatch(/^[\n -~]+$/);
    expect(stdout).not.toContain("'?");
  });

  it('quotes every word', async () => {
    const { stdout } = await run(['completion', 'powershell']);
    const strings = /'(?:[^'\n]|'')*'/g;
    expect(stdout.match(strings)?.length).toBeGreaterThan(500);
    // Without the strings, no quote is left.
    expect(stdout.replace(strings, '').replace(/#.*/g, '')).not.toContain("'");
  });
});
