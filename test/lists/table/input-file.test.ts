import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { spool } from '../../../src/lists/table/input-file.ts';
import { BatchFixture } from '../batch/batch-fixture.ts';

describe('spool', () => {
  it('copies standard input to an unlinked file with mode 0600', async () => {
    const fixture = new BatchFixture('');
    const copy = await spool(Readable.from(['name\n', 'Ac', 'me\n']), new AbortController().signal);
    const { mode, nlink } = await copy.handle.stat();
    expect([mode & 0o777, nlink, existsSync(copy.path)]).toEqual([0o600, 0, false]);
    const keep = join(fixture.folder, 'night');
    const { path, handle } = copy;
    const { sent } = await fixture.run({
      path,
      name: 'standard input',
      file: handle,
      keep,
    });
    expect(sent).toEqual([{ name: 'Acme' }]);
    await copy.close();
  });

  it('leaves no file behind when it is aborted', async () => {
    const stop = new AbortController();
    const endless = new Readable({ read: () => stop.abort(new Error('stopped')) });
    await expect(spool(endless, stop.signal)).rejects.toThrow('stopped');
  });
});
