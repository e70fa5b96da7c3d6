import { appendFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { heartbeatMs } from '../../../src/batch/journal/lock.ts';
import { readState } from '../../../src/batch/state/read-state.ts';
import { VirtualClock } from '../../support/clock.ts';
import { BatchFixture, CountingService, type FixtureOptions, machine } from '../batch-fixture.ts';

const service = 'https://api.example.com/v1';
const rows = Array.from({ length: 40 }, (_, at) => `Organization ${at}`);
const text = `name\n${rows.join('\n')}\n`;

function read(fixture: BatchFixture, choices: FixtureOptions = {}) {
  return readState({
    path: fixture.path,
    name: fixture.path,
    service,
    profile: 'default',
    clock: new VirtualClock(),
    machine: machine(),
    signal: new AbortController().signal,
    ...choices,
  });
}

async function runShards(fixture: BatchFixture, count: number, ...indexes: readonly number[]) {
  for (const index of indexes) await fixture.run({ shard: { index, count } });
}

/* A lock as a run on another machine writes it. */
function lockOf(beat: number) {
  const holder = { host: 'heron', pid: 7, space: 'heron boot', started: '1', token: 't' };
  return JSON.stringify({ ...holder, since: '2026-01-15T09:30:00.000Z', beat });
}

describe('readState', () => {
  it('counts every row as left when there is no journal', async () => {
    const state = await read(new BatchFixture(text));
    expect(state).toMatchObject({ rows: 40, registered: 0, left: 40 });
    expect(state.shards).toMatchObject([{ shard: undefined, writtenMs: undefined, left: 40 }]);
  });

  it('counts registered, failed, invalid and left rows of each shard', async () => {
    const refusing = new CountingService(({ name }) => {
      if (name === 'Organization 3') throw refusal;
    });
    const fixture = new BatchFixture(`${text}\nN/A\n`, refusing);
    const { RefusedError } = await import('../../../src/api/errors.ts');
    const refusal = new RefusedError('no such organization', { status: 422 });
    await runShards(fixture, 4, 1, 2, 4);
    const state = await read(fixture);
    const before = state.shards.map(({ shard, left, writtenMs }) => [
      shard?.index,
      left > 0,
      writtenMs !== undefined,
    ]);
    expect(before).toEqual([
      [1, false, true],
      [2, false, true],
      [3, true, false],
      [4, false, true],
    ]);
    await runShards(fixture, 4, 3);
    const after = await read(fixture);
    expect(after).toMatchObject({ rows: 41, registered: 39, failed: 1, invalid: 1, left: 0 });
    const failed = after.shards.filter(({ failedRows }) => failedRows !== undefined);
    expect(failed.map((shard) => shard.failed + shard.invalid).every((count) => count > 0)).toBe(
      true,
    );
  });

  it('counts the rows that journals of eight shards record when four shards resume', async () => {
    const fixture = new BatchFixture(text);
    await runShards(fixture, 8, 1, 2, 3, 4, 5);
    const eight = await read(fixture);
    await runShards(fixture, 4, 1, 2);
    const four = await read(fixture);
    expect(eight.shards).toHaveLength(8);
    expect(four.shards).toHaveLength(4);
    expect(four.left).toBeLessThan(eight.left);
    expect(four.shards.map(({ left }) => left > 0)).toEqual([false, false, true, true]);
    expect(four.others).toHaveLength(5);
    expect(four.registered + four.left).toBe(40);
    expect(fixture.api.bodies).toHaveLength(four.registered);
  });

  it('counts only the rows of the shard that the user names', async () => {
    const fixture = new BatchFixture(text);
    await runShards(fixture, 8, 1, 2);
    const shard = { index: 1, count: 2 };
    const [first, second] = await Promise.all([
      read(fixture, { shard }),
      read(fixture, { shard: { index: 2, count: 2 } }),
    ]);
    expect(first.shards).toMatchObject([{ shard }]);
    expect(first.rows + second.rows).toBe(40);
    expect(first.registered + second.registered).toBe(fixture.api.bodies.length);
  });

  it('counts rows that are no longer in the file', async () => {
    const fixture = new BatchFixture(text);
    await fixture.run();
    fixture.write(`name\n${rows.slice(5).join('\n')}\nNew AG\n`);
    expect(await read(fixture)).toMatchObject({ rows: 36, registered: 35, left: 1, unmatched: 5 });
  });

  it('reads the journals that --journal names', async () => {
    const fixture = new BatchFixture(text);
    const journal = `${fixture.folder}/night.jsonl`;
    await fixture.run({ journal, shard: { index: 2, count: 2 } });
    const state = await read(fixture, { journal });
    expect(state.shards[0]).toMatchObject({ registered: 0, writtenMs: undefined });
    expect(state.shards[1]).toMatchObject({
      left: 0,
      journal: `${fixture.folder}/night.2-of-2.jsonl`,
    });
    expect(await read(fixture)).toMatchObject({ registered: 0, left: 40 });
  });

  it('reports a damaged journal and counts the others', async () => {
    const fixture = new BatchFixture(text);
    await runShards(fixture, 2, 1, 2);
    writeFileSync(`${fixture.path}.1-of-2.carbon.jsonl`, 'not a journal\n');
    appendFileSync(`${fixture.path}.2-of-2.carbon.jsonl`, '{"key":"000\nmore\n{"key":');
    const state = await read(fixture);
    expect(state.problems).toMatchObject([
      { path: `${fixture.path}.1-of-2.carbon.jsonl`, error: { code: 'usage' } },
    ]);
    expect([...state.unreadable.values()]).toEqual([{ lines: 2, first: expect.any(Number) }]);
    expect(state.shards).toMatchObject([{ registered: 0 }, { left: 0 }]);
  });

  it('reports a journal of another service with registrations', async () => {
    const fixture = new BatchFixture(text);
    await fixture.run();
    const state = await read(fixture, { service: 'https://other.example' });
    expect(state).toMatchObject({ registered: 0, left: 40 });
    expect(state.problems[0]?.error.message).toContain(`belongs to ${service}`);
  });

  it('ignores a file name with an impossible shard', async () => {
    const fixture = new BatchFixture(text);
    await fixture.run({ shard: { index: 1, count: 2 } });
    const journal = `${fixture.path}.1-of-2.carbon.jsonl`;
    renameSync(journal, `${fixture.path}.1-of-99999999999.carbon.jsonl`);
    const state = await read(fixture);
    expect(state.shards).toHaveLength(1);
    expect(state.registered).toBeGreaterThan(0);
  });

  it('recognizes a run on this machine, and one on another machine by its heartbeat', async () => {
    const fixture = new BatchFixture(text);
    await runShards(fixture, 3, 1, 2, 3);
    const lock = (index: number) => `${fixture.path}.${index}-of-3.carbon.jsonl.lock`;
    const { self } = machine();
    writeFileSync(lock(1), JSON.stringify({ ...self, token: 'own', since: '', beat: 0 }));
    writeFileSync(lock(2), lockOf(1));
    writeFileSync(lock(3), lockOf(1));
    const clock = new VirtualClock();
    clock.after(heartbeatMs, () => writeFileSync(lock(3), lockOf(2)));
    const state = await read(fixture, { clock });
    expect(state.shards.map(({ isRunning }) => isRunning)).toEqual([true, false, true]);
    rmSync(lock(1));
    expect((await read(fixture)).shards[0]).toMatchObject({ isRunning: false });
  });

  it('shows a run that ends during the report as running, because its counts are older', async () => {
    const fixture = new BatchFixture(text);
    await runShards(fixture, 2, 1);
    const lock = `${fixture.path}.2-of-2.carbon.jsonl.lock`;
    writeFileSync(lock, lockOf(1));
    const clock = new VirtualClock();
    clock.after(heartbeatMs, () => rmSync(lock));
    const state = await read(fixture, { clock });
    expect(state.shards.map(({ isRunning }) => isRunning)).toEqual([false, true]);
  });

  it('shows the shards of a run that has not written its journal yet', async () => {
    const fixture = new BatchFixture(text);
    const { self } = machine();
    writeFileSync(
      `${fixture.path}.2-of-4.carbon.jsonl.lock`,
      JSON.stringify({ ...self, token: 'own', since: '', beat: 0 }),
    );
    const state = await read(fixture);
    expect(state.shards.map(({ isRunning }) => isRunning)).toEqual([false, true, false, false]);
  });
});
