import { existsSync, readFileSync, statSync } from 'node:fs';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { spool } from '../../src/batch/spool.ts';
import { Nightly } from './nightly.ts';

it('keeps standard input in a file of this user alone until it is removed', async () => {
  const nightly = new Nightly('');
  const { path, remove } = await spool(Readable.from(['name\n', 'Acme\n']), new AbortController().signal);
  expect(readFileSync(path, 'utf8')).toBe('name\nAcme\n');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const journal = `${nightly.folder}/night.carbon.jsonl`;
  const { sent, failed } = await nightly.run({ path, name: 'standard input', journal });
  expect(sent).toEqual([{ name: 'Acme' }]);
  expect(failed).toBe(`${nightly.folder}/night.failed.csv`);
  await remove();
  expect(existsSync(path)).toBe(false);
});

it('leaves nothing behind when it is interrupted', async () => {
  const stop = new AbortController();
  const endless = new Readable({ read: () => stop.abort(new Error('stopped')) });
  await expect(spool(endless, stop.signal)).rejects.toThrow('stopped');
});
