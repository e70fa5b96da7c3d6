/* Signals at every stage of a command. The tests wait only for observable events. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { carbon, carbonCommand, node, shell } from '../support/executable.ts';
import { stopped } from '../support/program.ts';
import { itNeeds, ownPids } from '../support/programs.ts';
import { newFolder, run } from '../support/run.ts';
import { serve, serveSilence } from '../support/server.ts';

describe('SIGINT', () => {
  it.each([
    ['get', '-'],
    ['batch', '-', '--sandbox', '--keep', '.'],
  ])('ends carbon %s %s when it reads standard input', async (...words) => {
    const { env } = await serveSilence();
    const cwd = newFolder();
    const child = spawn(node, [carbon, ...words, '--debug'], { env: { HOME: cwd, ...env }, cwd });
    const ended = new Promise((resolve) => child.on('close', (_, died) => resolve(died)));
    // After the second write, the process has read the first one.
    const line = words[0] === 'batch' ? 'name\n' : '{"id":1}\n';
    await new Promise((resolve) => child.stdin.write(line, resolve));
    await new Promise((resolve) => child.stdin.write(line.repeat(20_000), resolve));
    child.kill('SIGINT');
    expect(await ended).toBe('SIGINT');
  });

  it('ends carbon login during a request, and carbon get between two attempts', async () => {
    const busy = { status: 503, json: {}, headers: { 'retry-after': '50' } };
    for (const words of [
      ['login', '--with-key'],
      ['get', '1'],
    ]) {
      const stop = new AbortController();
      const onOutput = () => stop.abort(stopped('SIGINT'));
      const { env, seen } = await serve(words[0] === 'get' ? busy : onOutput);
      const { exit, stdout, stderr } = await run(words, {
        env,
        stdin: 'k',
        onOutput,
        signal: stop.signal,
      });
      expect([exit, stdout, seen.length]).toEqual([130, '', 1]);
      expect(stderr).not.toContain('Error');
    }
  });

  it('ends carbon get during a request, and the loop of a shell in which it runs', async () => {
    const { env, asked } = await serveSilence();
    const loop = `for i in 1 2 3; do ${carbonCommand} get "$i"; echo "after $i"; done; echo end`;
    const child = spawn('bash', ['--norc', '-c', loop], { env, detached: true });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data) => {
        output += data;
      });
    await asked;
    // A terminal sends the signal to the complete foreground group, too.
    process.kill(-(child.pid ?? 0), 'SIGINT');
    const died = await new Promise((resolve) => child.on('close', (_, signal) => resolve(signal)));
    expect([died, output]).toEqual(['SIGINT', '']);
  });
});

itNeeds(
  'unshare',
  'carbon batch, the first process of a container, ends at once by two SIGTERM',
  async () => {
    const { env, asked } = await serveSilence();
    const home = newFolder();
    writeFileSync(join(home, 's.csv'), 'name\nAcme\n');
    const parent = spawn('unshare', [...ownPids, node, carbon, 'batch', 's.csv'], {
      env: { PATH: process.env['PATH'], HOME: home, ...env },
      cwd: home,
    });
    onTestFinished(() => void parent.kill('SIGKILL'));
    const ended = new Promise((resolve) => parent.on('close', resolve));
    let stderr = '';
    parent.stderr.on('data', (data) => {
      stderr += data;
    });
    await asked;
    const pid = Number(readFileSync(`/proc/${parent.pid}/task/${parent.pid}/children`, 'utf8'));
    const again = setInterval(() => {
      // On a busy machine, the process ends before its parent reports it.
      if (existsSync(`/proc/${pid}`)) process.kill(pid, 'SIGTERM');
    }, 50);
    expect(await ended).toBe(143);
    clearInterval(again);
    // The summary of a run that waits for its requests.
    expect(stderr).not.toContain('Stopped after');
  },
);

it('carbon watch succeeds when the reader of standard error closes the pipe', async () => {
  const { env } = await serve(
    { json: { id: 1, status: 'created' } },
    { json: { id: 1, name: 'Acme', status: 'synced' } },
  );
  const command = `{ ${carbonCommand} watch 1 --interval 100ms -q --debug 2>&3; echo "exit $?"; } 3> >(head -c 1 >/dev/null)`;
  const { stdout } = await shell(command, { env });
  expect(stdout).toBe('1\nexit 0\n');
});
