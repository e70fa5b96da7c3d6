import { readFileSync, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { whileInUse } from '../../src/runtime/atomic-file.ts';
import { explainSystemError } from '../../src/runtime/carbon-error.ts';
import { newFolder } from '../support/run.ts';

const failure = (code: string) =>
  Object.assign(new Error(`${code}: rename`), { code, syscall: 'rename' });

/* A rename that fails this many times, as while another program has the target open. */
function failing(times: number, code: string) {
  const folder = newFolder();
  const [from, to] = [join(folder, 'new'), join(folder, 's.failed.csv')];
  writeFileSync(from, 'new');
  writeFileSync(to, 'old');
  const waits: number[] = [];
  const wait = async (ms: number) => void waits.push(ms);
  let attempts = 0;
  const change = async () => {
    attempts += 1;
    if (attempts <= times) throw failure(code);
    await rename(from, to);
  };
  const on = (platform: NodeJS.Platform) => whileInUse(change, { platform, wait });
  return { on, waits, to };
}

describe('whileInUse', () => {
  it('repeats a rename on Windows until the other program closes the file', async () => {
    for (const code of ['EPERM', 'EACCES', 'EBUSY']) {
      const { on, waits, to } = failing(3, code);
      await on('win32');
      expect([readFileSync(to, 'utf8'), waits]).toEqual(['new', [10, 20, 40]]);
    }
  });

  it('names the cause and keeps the file when it stays open', async () => {
    const { on, waits, to } = failing(Number.POSITIVE_INFINITY, 'EBUSY');
    const error = await on('win32').catch((thrown: unknown) => thrown);
    expect(explainSystemError(error)).toBe(
      'permission denied, or another program, such as Excel, has the file open (EBUSY)',
    );
    expect([readFileSync(to, 'utf8'), waits.length]).toEqual(['old', 7]);
  });

  it.each([
    ['win32', 'ENOSPC'],
    ['linux', 'EPERM'],
  ] as const)('fails at once on %s for %s', async (platform, code) => {
    const { on, waits } = failing(1, code);
    await expect(on(platform)).rejects.toMatchObject({ code });
    expect(waits).toEqual([]);
  });
});
