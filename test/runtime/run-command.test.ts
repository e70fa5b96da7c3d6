import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../../src/runtime/run-command.ts';

interface Limits {
  readonly signal?: AbortSignal;
  readonly onLine?: (line: string) => void;
}

const runScript = (script: string, { signal, onLine }: Limits = {}) =>
  runCommand(['sh', '-c', script], {
    env: { PATH: process.env['PATH'] },
    directory: '/',
    signal: signal ?? new AbortController().signal,
    limitMs: 60_000,
    onErrorLine: onLine ?? (() => undefined),
  });

/* Returns whether a process exists and has not ended (state Z in proc(5)). */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

describe('runCommand', () => {
  it.each([
    ['printf "a\\nb\\n"', 'a'],
    ['printf "a\\r\\nb"', 'a'],
    ['printf a; printf b; echo; echo c', 'ab'],
    ['printf "\\na"', ''],
    ['true', ''],
  ])('returns the first line of %j', async (script, firstLine) => {
    expect(await runScript(script)).toEqual({ end: 0, firstLine });
  });

  it('does not wait for a program that stays in the background', async () => {
    const { end, firstLine } = await runScript('sleep 1000 & echo $!');
    expect(end).toBe(0);
    process.kill(Number(firstLine));
  });

  it('stops the command and rejects with the reason when the signal aborts', async () => {
    const stop = new AbortController();
    const pids: number[] = [];
    const onLine = (line: string) => {
      pids.push(Number(line));
      stop.abort(new Error('stopped'));
    };
    await expect(
      runScript('echo $$ >&2; exec sleep 1000', { signal: stop.signal, onLine }),
    ).rejects.toThrow('stopped');
    await expect.poll(() => pids.some(isRunning), { timeout: 60_000 }).toBe(false);
    await expect(runScript('true', { signal: stop.signal })).rejects.toThrow('stopped');
  });
});
