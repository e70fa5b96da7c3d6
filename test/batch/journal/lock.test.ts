import { linkSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BatchFixture, CountingService, machine } from '../batch-fixture.ts';

describe('Batch.open', () => {
  it('lets only shards of the same count run at the same time', async () => {
    const fixture = new BatchFixture('name\nAcme\n');
    const shard = (index: number, count: number) => ({ shard: { index, count } });
    const first = await fixture.open(shard(1, 2));
    const second = await fixture.open(shard(2, 2));
    for (const choices of [{}, shard(1, 2), shard(3, 4)]) {
      await expect(fixture.open(choices)).rejects.toMatchObject({
        name: 'LocalError',
        message: expect.stringContaining('Another run'),
      });
    }
    first.close();
    await expect(fixture.open()).rejects.toMatchObject({ name: 'LocalError' });
    second.close();
    const complete = await fixture.open();
    await expect(fixture.open(shard(1, 2))).rejects.toMatchObject({ name: 'LocalError' });
    complete.close();
    expect(readdirSync(fixture.folder)).toEqual(['suppliers.csv']);
  });

  it('removes the lock of a killed run of the unsharded file in a run of a shard', async () => {
    const fixture = new BatchFixture('name\nAcme\n');
    const self = { ...machine(10).self, token: 'dead', since: '2026-01-15', beat: 3 };
    writeFileSync(`${fixture.path}.carbon.jsonl.lock`, JSON.stringify(self));
    for (const index of [1, 2]) await fixture.run({ shard: { index, count: 2 } });
    expect(readdirSync(fixture.folder).filter((name) => name.endsWith('.lock'))).toEqual([]);
  });

  it.each([
    ['symbolic', symlinkSync],
    ['hard', linkSync],
  ])('stops a run when another one writes its journal through a %s link', async (_, link) => {
    const fixture = new BatchFixture('name\nAcme\n');
    const { journal } = await fixture.run();
    const name = join(fixture.folder, 'other.jsonl');
    link(journal, name);
    const rows = Array.from({ length: 20 }, (_, index) => `n${index}\n`).join('');
    fixture.write(`name\n${rows}`);
    let other: Promise<unknown> | undefined;
    const { ids } = fixture.api;
    fixture.api = Object.assign(
      new CountingService(async (_, sent) => {
        if (sent !== 5) return;
        const second = Object.assign(new CountingService(), { ids });
        other = fixture.run({ journal: name, register: second.register });
        await other;
      }),
      { ids },
    );
    const { outcome } = await fixture.run({ concurrency: 1 });
    await other;
    expect(outcome.stop?.message).toContain('was changed during the run');
    expect((await fixture.run()).outcome).toMatchObject({ left: 0, stop: undefined });
    expect(ids.size).toBe(21);
  });
});
