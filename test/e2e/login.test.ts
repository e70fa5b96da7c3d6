import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { carbonCommand, execute } from '../support/executable.ts';
import { describeNeeds } from '../support/programs.ts';
import { newFolder } from '../support/run.ts';
import { serve, notFound0 as unknown } from '../support/server.ts';

/* The program `script` provides a terminal, and a shell in it prints exit codes. */
const logIn = (url: string) => `${carbonCommand} login --base-url ${url}; echo "[exit $?]"`;
const echo = 'stty -a | grep -ow -e -echo -e echo';

/**
 * Types text, or acts, at the first prompt of a script that runs `login`. Returns what the terminal
 * showed.
 *
 * @param shell `-ic` for an interactive shell, which continues after exit code 130 but not after a
 * process that SIGINT ended
 */
async function atPrompt(
  home: string,
  script: string,
  typed: string | (() => void),
  shell = '-c',
): Promise<string> {
  const env = { HOME: home, PATH: process.env['PATH'] ?? '', SHELL: '/bin/bash', NO_COLOR: '1' };
  const child = spawn('script', ['-qec', `bash --norc ${shell} '${script}'`, '/dev/null'], { env });
  onTestFinished(() => void child.kill('SIGKILL'));
  let shown = '';
  child.stdout.on('data', (chunk) => {
    if (!shown.includes('API key for ') && `${shown}${chunk}`.includes('API key for '))
      typeof typed === 'string' ? child.stdin.write(typed) : typed();
    shown += chunk;
  });
  await new Promise((resolve) => child.on('close', resolve));
  return shown.replaceAll('\r', '');
}

describeNeeds('script', 'the hidden prompt of carbon login', () => {
  const key = 'typed-canary-4711';

  it('reads a key, hides it and ends the line', async () => {
    const { url } = await serve(unknown);
    const home = newFolder();
    const shown = await atPrompt(home, `${logIn(url)}; ${echo}`, `${key}\r`);
    expect(shown).toContain(`API key for ${url}\n`);
    expect(shown).toMatch(/▪[\s\S]*Logged in to http\S+ as profile default\./);
    expect(shown).toContain('[exit 0]\necho\n');
    expect(shown).not.toContain('canary');
    expect(readFileSync(join(home, '.config/carbon/config.json'), 'utf8')).toContain(key);
  });

  it('ends by Ctrl-C without an error and restores the terminal', async () => {
    const home = newFolder();
    const login = `${logIn('https://a.example')}; ${echo}`;
    // This shell survives Ctrl-C, so that it can read the state of the terminal.
    const shown = await atPrompt(home, `trap : INT; ${login}`, 'typed\u0003');
    expect(shown).toMatch(
      /^\S+ +API key for https:\/\/a\.example\n[\s\S]*\n\S*\[exit 130\]\necho\n$/,
    );
    const interactive = await atPrompt(home, login, 'typed\u0003', '-ic');
    expect(interactive).not.toContain('[exit');
    expect(readdirSync(home)).toEqual([]);
  });

  it('ends by SIGTERM and restores the terminal', async () => {
    const home = newFolder();
    const own = join(home, 'pid');
    const login = `exec ${carbonCommand} login --base-url https://a.example`;
    const end = () => void process.kill(Number(readFileSync(own, 'utf8')), 'SIGTERM');
    const shown = await atPrompt(
      home,
      `sh -c "echo \\$\\$ > ${own}; ${login}"; echo "[exit $?]"; ${echo}`,
      end,
    );
    expect(shown).toMatch(/API key for [\s\S]*(Terminated\n)?\[exit 143\]\necho\n$/);
    expect(readdirSync(home)).toEqual(['pid']);
  });

  it('stores nothing after Ctrl-D', async () => {
    const home = newFolder();
    const shown = await atPrompt(home, `${logIn('https://a.example')}; ${echo}`, '\u0004');
    expect(shown).toContain('Error: API key: the API key is empty\n');
    expect(shown).toContain('[exit 2]\necho\n');
    expect(readdirSync(home)).toEqual([]);
  });
});

describe('carbon login', () => {
  it('stores every profile when six processes log in at the same time', async () => {
    const { url } = await serve(unknown);
    const home = newFolder();
    const names = ['p1', 'p2', 'p3', 'p4', 'p5', 'p6'];
    const outcomes = await Promise.all(
      names.map((name) =>
        execute(['login', '--profile', name, '--base-url', url, '--with-key'], {
          env: { HOME: home },
          stdin: `key-of-${name}`,
        }),
      ),
    );
    for (const [index, { exit, stdout, stderr }] of outcomes.entries())
      expect([exit, stdout, stderr]).toEqual([
        0,
        expect.stringContaining(`Logged in to ${url} as profile ${names[index]}.`),
        '',
      ]);
    const folder = join(home, '.config/carbon');
    const { profiles } = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'));
    expect(profiles).toEqual(
      Object.fromEntries(names.map((name) => [name, { baseUrl: url, apiKey: `key-of-${name}` }])),
    );
    expect(readdirSync(folder)).toEqual(['config.json']);
  });
});
