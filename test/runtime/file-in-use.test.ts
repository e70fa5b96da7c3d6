import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { whileInUse } from '../../src/runtime/atomic-file.ts';
import { explainSystemError } from '../../src/runtime/system-error.ts';
import { newFolder } from '../support/run.ts';

const failure = (code: string) =>
  Object.assign(new Error(`${code}: rename`), { code, syscall: 'rename' });

/* A rename that fails this many times, as while another program has the target open. */
function failing(times: number, code: string) {
  const folder = newFolder();
  const [from, to] = [join(folder, 'new'), join(folder, 's.failed.csv')];
  writeFileSync(from, 'new');
  writeFileSync(to, 'old');
  let attempts = 0;
  const change = async () => {
    attempts += 1;
    if (attempts <= times) throw failure(code);
    await rename(from, to);
  };
  const waits: number[] = [];
  const wait = async (ms: number) => void waits.push(ms);
  return { change, wait, waits, folder, to, attempts: () => attempts };
}

describe('whileInUse', () => {
  it.each(['EPERM', 'EACCES', 'EBUSY'])(
    'repeats a rename on Windows until the other program closes the file (%s)',
    async (code) => {
      const { change, wait, waits, to } = failing(3, code);
      await whileInUse(change, { platform: 'win32', wait });
      expect([readFileSync(to, 'utf8'), waits]).toEqual(['new', [10, 20, 40]]);
    },
  );

  it.each([
    ['EBUSY', 'another program, such as Excel, has the file open (EBUSY)'],
    ['EPERM', 'permission denied, or another program, such as Excel, has the file open (EPERM)'],
  ])(
    'names the cause of %s and loses neither file when the file stays open',
    async (code, text) => {
      const { change, wait, folder, to, attempts } = failing(Number.POSITIVE_INFINITY, code);
      const error = await whileInUse(change, { platform: 'win32', wait }).catch(
        (thrown: unknown) => thrown,
      );
      expect(explainSystemError(error)).toBe(text);
      expect([attempts(), readdirSync(folder).sort()]).toEqual([8, ['new', 's.failed.csv']]);
      expect(readFileSync(to, 'utf8')).toBe('old');
    },
  );

  it.each([
    { platform: 'win32', code: 'ENOSPC' },
    { platform: 'linux', code: 'EPERM' },
  ] as const)('fails at once on $platform for $code', async ({ platform, code }) => {
    const { change, wait, waits } = failing(1, code);
    await expect(whileInUse(change, { platform, wait })).rejects.toMatchObject({ code });
    expect(waits).toEqual([]);
  });
});
