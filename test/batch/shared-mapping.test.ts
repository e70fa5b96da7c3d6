import { describe, expect, it } from 'vitest';
import { BatchFixture, CountingService, type FixtureOptions } from './batch-fixture.ts';

const shard = (index: number, count = 3) => ({ shard: { index, count } });
const places = ['Germany', 'Japan', 'India', 'Kenya'];
const organizations = Array.from({ length: 60 }, (_, index) => `Organization ${index}`);
const table = (rows = organizations, header = 'Supplier No,Label,Country') =>
  `${header}\n${rows.map((name, index) => `${index % 7},${name},${places[index % 4]}`).join('\n')}\n`;

async function runShards(fixture: BatchFixture, choices: FixtureOptions = {}) {
  const sent = [];
  for (const index of [1, 2, 3])
    sent.push(...(await fixture.run({ ...shard(index), ...choices })).sent);
  return sent.map(({ name }) => name).sort();
}

describe('batch with the mappings of several shards', () => {
  it('uses the mapping of another shard and sends each row exactly once', async () => {
    const fixture = new BatchFixture(table());
    const map = ['name=Label', 'hq_region='];
    const first = await fixture.run({ ...shard(1), map });
    expect(first.sent).not.toHaveLength(60);
    const [second, third] = [await fixture.run(shard(2)), await fixture.run(shard(3))];
    const sent = [first, second, third].flatMap((run) => run.sent.map(({ name }) => name));
    expect(sent.sort()).toEqual([...organizations].sort());
    expect(await runShards(fixture)).toEqual([]);
  });

  it('keeps the mapping for another number of shards, and for the complete file', async () => {
    const fixture = new BatchFixture(table());
    const map = ['name=Label', 'hq_region='];
    const { sent } = await fixture.run({ ...shard(1, 50), map });
    expect(sent.length).toBeLessThan(10);
    const all = [...sent.map(({ name }) => name), ...(await runShards(fixture))];
    expect(all.sort()).toEqual([...organizations].sort());
    expect((await fixture.run()).sent).toEqual([]);
  });

  it('rejects different mappings unless --map decides', async () => {
    const fixture = new BatchFixture(table());
    await fixture.run({ ...shard(1), map: ['name=Label'] });
    await fixture.run({ ...shard(2), map: ['name=Label', 'hq_region='] });
    for (const index of [1, 2, 3]) {
      await expect(fixture.open(shard(index))).rejects.toMatchObject({
        name: 'UsageError',
        message: expect.stringMatching(
          /^The journals of this file read hq_region from different columns: (Country in suppliers\.csv\.1-of-3\.carbon\.jsonl, no column in suppliers\.csv\.2-of-3\.carbon\.jsonl|no column in suppliers\.csv\.2-of-3\.carbon\.jsonl, Country in suppliers\.csv\.1-of-3\.carbon\.jsonl)$/,
        ),
        hint: expect.stringMatching(
          /--map hq_region=(Country)? or --map hq_region=(Country)?\. Rows/,
        ),
      });
    }
    const map = ['hq_region=Country'];
    await runShards(fixture, { map });
    expect(await runShards(fixture)).toEqual([]);
  });

  it('accepts a header that was renamed between the runs of two shards', async () => {
    const fixture = new BatchFixture(table(organizations, 'Supplier No,Vendor,Country'));
    const sent = (await fixture.run(shard(1))).sent.map(({ name }) => name);
    sent.push(...(await fixture.run(shard(2))).sent.map(({ name }) => name));
    fixture.write(table(organizations, 'Supplier No,Supplier,Land'));
    sent.push(...(await runShards(fixture)));
    expect(sent.sort()).toEqual([...organizations].sort());
    fixture.write(table([...organizations, 'New'], 'Supplier No,Supplier,Land'));
    expect(await runShards(fixture)).toEqual(['New']);
  });

  it('ignores the mapping of a shard without settled rows', async () => {
    let isDown = true;
    const service = new CountingService(() => {
      if (isDown) throw new Error('down');
    });
    const fixture = new BatchFixture(table(), service);
    await fixture.run({ ...shard(1), map: ['name=Supplier No'] }).catch(() => undefined);
    isDown = false;
    expect(await runShards(fixture, { map: ['name=Label'] })).toEqual([...organizations].sort());
    expect(await runShards(fixture)).toEqual([]);
  });
});
