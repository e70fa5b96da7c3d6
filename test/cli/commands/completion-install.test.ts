import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { newFolder, run } from '../../support/run.ts';

const isInstalled = (shell: string) => spawnSync(shell, ['--version']).status === 0;
const loader = '/usr/share/bash-completion/bash_completion';
const install = (home: string, ...words: string[]) =>
  run(['completion', '--install', ...words], { home });

describe('carbon completion --install', () => {
  it.each([
    ['bash', {}, '.local/share/bash-completion/completions/carbon'],
    ['bash', { XDG_DATA_HOME: 'data' }, 'data/bash-completion/completions/carbon'],
    ['bash', { BASH_COMPLETION_USER_DIR: 'bc' }, 'bc/completions/carbon'],
    ['zsh', {}, '.zfunc/_carbon'],
    ['zsh', { ZDOTDIR: 'zdot' }, 'zdot/.zfunc/_carbon'],
    ['fish', {}, '.config/fish/completions/carbon.fish'],
    ['fish', { XDG_CONFIG_HOME: 'config' }, 'config/fish/completions/carbon.fish'],
  ])('writes the script of %s with %j to %s', async (shell, variables, path) => {
    const home = newFolder();
    const env = Object.fromEntries(
      Object.entries(variables).map(([name, folder]) => [name, join(home, folder)]),
    );
    const { exit, stdout, stderr } = await run(['completion', '--install', shell], { home, env });
    const file = join(home, path);
    expect([exit, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`Wrote ${file}\n`);
    expect(readFileSync(file, 'utf8')).toBe((await run(['completion', shell])).stdout);
    // zsh ignores a file that others can change.
    expect(statSync(file).mode & 0o777).toBe(0o644);
  });

  it('ignores a relative XDG base directory', async () => {
    const home = newFolder();
    const env = { XDG_DATA_HOME: 'data' };
    const { stdout } = await run(['completion', '--install', 'bash'], { home, env });
    expect(stdout).toContain(join(home, '.local/share/bash-completion/completions/carbon'));
  });

  it('uses the shell of SHELL', async () => {
    const home = newFolder();
    const env = { SHELL: '/usr/local/bin/fish' };
    const { stdout } = await run(['completion', '--install'], { home, env });
    expect(stdout).toBe(
      `Wrote ${join(home, '.config/fish/completions/carbon.fish')}\nNew shells complete carbon.\n`,
    );
  });

  it.each([
    [['completion'], {}, 'carbon completion needs a shell'],
    [['completion', '--install'], {}, '--install needs a shell: SHELL is not set'],
    [
      ['completion', '--install'],
      { SHELL: '/bin/tcsh' },
      '--install needs a shell: no completion script for SHELL=/bin/tcsh',
    ],
    [['completion', '--install', 'csh'], {}, 'No completion script for "csh"'],
  ])('refuses %j with %j', async (argv, env, message) => {
    const { exit, stdout, stderr } = await run(argv, { env });
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toContain(`Error: ${message}\nHint: `);
  });

  it('names only shells that it installs for', async () => {
    const { stderr } = await run(['completion', '--install']);
    expect(stderr).toContain('Hint: Name one of bash, zsh, fish: carbon completion --install bash');
  });

  it('refuses to install without a home directory', async () => {
    const { exit, stderr } = await run(['completion', '--install', 'bash'], { home: '' });
    expect([exit, stderr]).toEqual([
      2,
      'Error: No home directory found\nHint: Set HOME, or write the script yourself: carbon completion bash > <file>\n',
    ]);
  });

  it('changes nothing when the script is up to date, and replaces an older one', async () => {
    const home = newFolder();
    const file = join(home, '.config/fish/completions/carbon.fish');
    await install(home, 'fish');
    const before = statSync(file);
    expect((await install(home, 'fish')).stdout).toContain(`${file} is up to date\n`);
    expect(statSync(file).ino).toBe(before.ino);
    writeFileSync(file, '# fish completion of carbon\ncomplete -c carbon -a old\n');
    expect((await install(home, 'fish')).stdout).toContain(`Wrote ${file}\n`);
    expect(readFileSync(file, 'utf8')).not.toContain('old');
    expect(readdirSync(join(file, '..'))).toEqual(['carbon.fish']);
  });

  it('replaces no file that carbon did not write', async () => {
    const home = newFolder();
    const file = join(home, '.zfunc/_carbon');
    mkdirSync(join(home, '.zfunc'));
    writeFileSync(file, '#compdef carbon-copy\n');
    const { exit, stderr } = await install(home, 'zsh');
    expect([exit, stderr]).toEqual([
      1,
      `Error: ${file}: carbon did not write the existing file\nHint: Remove the file, or write the script yourself: carbon completion zsh > <file>\n`,
    ]);
    expect(readFileSync(file, 'utf8')).toBe('#compdef carbon-copy\n');
  });

  it('writes through a symbolic link, as dotfile managers create it', async () => {
    const home = newFolder();
    const real = join(home, 'dotfiles');
    mkdirSync(real);
    mkdirSync(join(home, '.zfunc'));
    writeFileSync(join(real, '_carbon'), '');
    symlinkSync(join(real, '_carbon'), join(home, '.zfunc/_carbon'));
    expect((await install(home, 'zsh')).exit).toBe(0);
    expect(readFileSync(join(real, '_carbon'), 'utf8')).toMatch(/^#compdef carbon\n/);
  });

  it('names the file that it cannot write', async () => {
    const home = newFolder();
    writeFileSync(join(home, '.config'), '');
    const { exit, stderr } = await install(home, 'fish');
    expect(exit).toBe(1);
    expect(stderr).toBe(
      `Error: Cannot write ${join(home, '.config/fish/completions/carbon.fish')}: not a directory (ENOTDIR)\nHint: Write the script yourself: carbon completion fish > <file>\n`,
    );
  });

  it.each([
    ['', 'Add these lines to FILE:\n  fpath+=(DIR)\n  autoload -Uz compinit && compinit\n'],
    [
      'autoload -Uz compinit\ncompinit\n',
      'Add this line to FILE, above compinit:\n  fpath+=(DIR)\n',
    ],
    ['fpath+=(~/.zfunc)\ncompinit\n', 'New shells complete carbon.\n'],
    [
      '# fpath+=(~/.zfunc)\n',
      'Add these lines to FILE:\n  fpath+=(DIR)\n  autoload -Uz compinit && compinit\n',
    ],
  ])('prints what to add to %j in .zshrc and never changes it', async (text, expected) => {
    const home = newFolder();
    const file = join(home, '.zshrc');
    if (text !== '') writeFileSync(file, text);
    const { stdout } = await install(home, 'zsh');
    const steps = expected.replace('FILE', file).replace('DIR', join(home, '.zfunc'));
    expect(stdout).toBe(`Wrote ${join(home, '.zfunc/_carbon')}\n${steps}`);
    expect(existsSync(file) ? readFileSync(file, 'utf8') : '').toBe(text);
  });
});

describe('the installed script', () => {
  it.skipIf(!isInstalled('bash') || !existsSync(loader))(
    'completes in bash (skipped without bash-completion)',
    async () => {
      const home = newFolder();
      expect((await install(home, 'bash')).stdout).toContain('New shells complete carbon.');
      const program = `
        source ${loader}
        _completion_loader carbon
        COMP_WORDS=(carbon wat) COMP_CWORD=1
        $(complete -p carbon | sed 's/.*-F \\([^ ]*\\).*/\\1/')
        echo "\${COMPREPLY[@]}"`;
      const env = { HOME: home, PATH: process.env['PATH'] };
      const { stdout } = spawnSync('bash', ['--norc', '-c', program], { env, encoding: 'utf8' });
      expect(stdout).toBe('watch\n');
    },
  );

  it.skipIf(!isInstalled('fish'))('completes in fish (skipped without fish)', async () => {
    const home = newFolder();
    await install(home, 'fish');
    // fish loads the completions only of programs that exist.
    writeFileSync(join(home, 'carbon'), '#!/bin/sh\n', { mode: 0o755 });
    const env = { HOME: home, PATH: `${process.env['PATH']}:${home}` };
    const { stdout } = spawnSync('fish', ['-c', "complete -C 'carbon wat'"], {
      env,
      encoding: 'utf8',
    });
    expect(stdout).toMatch(/^watch\t/);
  });

  it.skipIf(!isInstalled('zsh'))(
    'completes in zsh after the printed lines are added (skipped without zsh)',
    async () => {
      const home = newFolder();
      chmodSync(home, 0o755);
      const { stdout } = await install(home, 'zsh');
      const lines = stdout.split('\n').filter((line) => line.startsWith('  '));
      writeFileSync(join(home, '.zshrc'), [...lines, "PROMPT='READY>'", ''].join('\n'));
      const program = `
        zmodload zsh/zpty
        zpty -b shell zsh -i
        zpty -r -m shell out '*READY>*'
        zpty -n -w shell 'carbon wat'$'\\t'
        zpty -r -m shell out '*watch*'
        print -r -- "$out"`;
      const env = { HOME: home, PATH: process.env['PATH'], TERM: 'xterm' };
      const child = spawn('zsh', ['-f', '-c', program], { env });
      onTestFinished(() => void child.kill('SIGKILL'));
      expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0);
    },
  );
});
