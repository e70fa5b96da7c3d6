import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { exitOf } from '../../../src/cli/commands/lists/batch/summary.ts';
import { hintOf } from '../../../src/cli/errors.ts';
import {
  RejectedError,
  UnauthorizedError,
  UnavailableError,
} from '../../../src/client/api/errors.ts';
import { BatchFixture, type BatchResult, CountingService } from './batch-fixture.ts';

const names = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `n${from + index}\n`).join('');
const broken = () =>
  new UnavailableError('service_failed', 'Oops. (500 Oops)', {
    status: 500,
    title: 'Oops',
    detail: 'Oops.',
  });
const page = () => new UnavailableError('unreadable_response', 'a web page', { status: 500 });
const refused = () => new UnavailableError('network', 'connection refused');
const reset = () => new UnavailableError('network', 'reset', { reason: 'connection_lost' });
const busy = () =>
  new UnavailableError('service_failed', 'busy', { status: 503, retryAfterMs: 1_000 });
const forbidden = () => new UnauthorizedError('Not this one. (403 Forbidden)', { status: 403 });

/* A service that fails on these names alone, with the ids of the one before. */
function failsOn(
  failing: readonly string[],
  before?: CountingService,
  error: () => Error = broken,
) {
  const service = new CountingService(({ name }) => {
    if (failing.includes(name)) throw error();
  });
  return Object.assign(service, before === undefined ? {} : { ids: before.ids });
}

const summary = ({ outcome, sent }: BatchResult) => [exitOf(outcome), sent.length];

const notes = (kind: 'failed' | 'tried', journal: string) =>
  readFileSync(journal, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith(`{"carbon":"${kind}"`))
    .map((line) => (JSON.parse(line) as { line: number }).line);

describe('Batch.send, when the service fails on a row in each run', () => {
  it('postpones the row in each run, and notes its first failure', async () => {
    const fixture = new BatchFixture(`name\n${names(0, 9)}`, failsOn(['n3']));
    const first = await fixture.run({ concurrency: 1 });
    expect(summary(first)).toEqual([9, 12]);
    expect(first.outcome.newFailures).toBe(1);
    for (let night = 0; night < 4; night += 1) {
      const { outcome, sent, events, journal } = await fixture.run();
      expect([exitOf(outcome), outcome.newFailures, sent.length]).toEqual([9, 0, 1]);
      expect(outcome).toMatchObject({ left: 0, stop: undefined, counts: { postponed: 1 } });
      const error = { status: 500, reason: 'row_failed' };
      const postponed = { kind: 'postponed', line: 5, earlier: true, error };
      expect(events.find(({ line }) => line === 5)).toMatchObject(postponed);
      expect(notes('failed', journal)).toEqual([5]);
    }
    fixture.api = failsOn([], fixture.api);
    expect(summary(await fixture.run())).toEqual([0, 1]);
    expect(summary(await fixture.run())).toEqual([0, 0]);
  });

  it('sends a rejected row in the next run once the service has failed on it', async () => {
    const rejected = () => new RejectedError('Invalid. (422)', { status: 422 });
    const fixture = new BatchFixture(`name\n${names(0, 3)}`, failsOn(['n1'], undefined, rejected));
    expect(summary(await fixture.run())).toEqual([9, 3]);
    fixture.write(`name\n${names(0, 4)}`);
    fixture.api = failsOn(['n1'], fixture.api);
    expect((await fixture.run({ retryFailed: true })).outcome.counts.postponed).toBe(1);
    fixture.api = failsOn([], fixture.api);
    expect(summary(await fixture.run())).toEqual([0, 1]);
  });

  it('sends the row after all others, so that many of them do not stop the run', async () => {
    const failing = Array.from({ length: 60 }, (_, index) => `n${2 * index}`);
    const fixture = new BatchFixture('', failsOn(failing));
    for (let night = 0; night < 3; night += 1) {
      fixture.write(`name\n${names(0, 121 + night)}`);
      const { outcome, sent } = await fixture.run();
      expect(outcome).toMatchObject({ stop: undefined, left: 0, counts: { postponed: 60 } });
      expect(exitOf(outcome)).toBe(9);
      expect(sent[0]).toEqual({ name: night === 0 ? 'n0' : `n${120 + night}` });
    }
  });

  it('passes a block of such rows in a later run when twenty failures end one', async () => {
    const failing = Array.from({ length: 32 }, (_, index) => `n${index + 60}`);
    const fixture = new BatchFixture(`name\n${names(0, 200)}`, failsOn(failing));
    const first = (await fixture.run()).outcome;
    expect([first.stop?.code, exitOf(first)]).toEqual(['service_failed', 6]);
    const { outcome } = await fixture.run();
    expect(outcome).toMatchObject({ counts: { registered: 108, postponed: 32 }, left: 0 });
    expect(exitOf(outcome)).toBe(9);
  });

  it('gets past many such rows at the head of the list, and then sends each once', async () => {
    const failing = Array.from({ length: 20 }, (_, index) => `n${index}`);
    const fixture = new BatchFixture(`name\n${names(0, 40)}`, failsOn(failing));
    const first = await fixture.run();
    expect([exitOf(first.outcome), first.outcome.counts.registered]).toEqual([6, 0]);
    expect(notes('failed', first.journal)).toEqual([]);
    const second = await fixture.run();
    expect(second.outcome).toMatchObject({ stop: undefined, newFailures: 20, left: 0 });
    expect([exitOf(second.outcome), second.outcome.counts.registered]).toEqual([9, 20]);
    // A row that the first run tried is known to fail when this one has registered another.
    const tried = notes('tried', first.journal).map((line) => `n${line - 2}`);
    const times = (name: string) => second.sent.filter((each) => each.name === name).length;
    expect(Math.max(...tried.map(times))).toBe(1);
    expect(notes('failed', second.journal).length).toBe(20);
    const third = await fixture.run();
    expect([exitOf(third.outcome), third.outcome.newFailures, third.sent.length]).toEqual([
      9, 0, 20,
    ]);
  });

  it('sends rows that no run has tried first, then those tried the longest ago', async () => {
    const down = new CountingService(() => {
      throw page();
    });
    const fixture = new BatchFixture(`name\n${names(0, 3)}`, down);
    await fixture.run({ concurrency: 1 });
    fixture.write(`name\n${names(0, 5)}`);
    const sent = (result: BatchResult) => [...new Set(result.sent.map(({ name }) => name))];
    expect(sent(await fixture.run({ concurrency: 1 })).slice(0, 2)).toEqual(['n3', 'n4']);
    fixture.write(`name\nn3\nn4\nn0\n`);
    fixture.api = failsOn([], down);
    const { outcome, sent: last, journal } = await fixture.run({ concurrency: 1 });
    const order = notes('tried', journal).map((line) => line - 2);
    expect([order.indexOf(3), order.lastIndexOf(3)].every((at) => at > 2)).toBe(true);
    expect(outcome.counts.registered).toBe(3);
    expect(last[0]?.name).toBe(order.lastIndexOf(0) < order.lastIndexOf(3) ? 'n0' : 'n3');
  });

  it.each([
    ['a web page', page, [6, 1, 0]],
    ['a lost connection', reset, [6, 1, 0]],
    ['a refused connection', refused, [6, undefined, 1]],
  ])('exits with 6 when it sends nothing else and gets %s', async (_, error, expected) => {
    const fixture = new BatchFixture(`name\n${names(0, 3)}`, failsOn(['n1']));
    await fixture.run();
    fixture.api = failsOn(['n1'], fixture.api, error);
    const { outcome, sent, journal } = await fixture.run();
    const [exit, requests = sent.length, tried] = expected;
    expect([exitOf(outcome), sent.length, notes('tried', journal).length]).toEqual([
      exit,
      requests,
      tried,
    ]);
    fixture.write(`name\n${names(0, 4)}`);
    expect(exitOf((await fixture.run()).outcome)).toBe(error === refused ? 6 : 9);
  });

  it.each([
    ['a refused connection', refused],
    ['a 503 with Retry-After', busy],
  ])('never blames a row for %s', async (_, error) => {
    const fixture = new BatchFixture(`name\n${names(0, 9)}`, failsOn(['n3'], undefined, error));
    const { outcome, journal } = await fixture.run({ concurrency: 1 });
    expect([exitOf(outcome), outcome.counts.registered]).toEqual([6, 8]);
    expect(notes('failed', journal)).toEqual([]);
  });

  it('postpones equal rows together', async () => {
    const fixture = new BatchFixture(`name\n${names(0, 9)}n3\n`, failsOn(['n3']));
    const { outcome, events } = await fixture.run();
    expect(outcome.counts).toMatchObject({ registered: 8, postponed: 2 });
    const lines = events.filter(({ kind }) => kind === 'postponed').map(({ line }) => line);
    expect(lines).toEqual([5, 11]);
  });

  it('sends others while a service that has not responded yet fails on the first rows', async () => {
    const failing = Array.from({ length: 10 }, (_, index) => `n${index}`);
    const fixture = new BatchFixture(`name\n${names(0, 90)}`, failsOn(failing));
    const { outcome } = await fixture.run();
    expect(outcome).toMatchObject({ left: 0, counts: { registered: 80, postponed: 10 } });
  });

  it('does not fix the columns of the next run unless a row is registered or refused', async () => {
    const letters = [...'abcdefghijklmnopqrstuvwxyz'];
    const rows = letters.map((letter) => `Acme ${letter},Brand ${letter}\n`).join('');
    const down = new CountingService(() => {
      throw broken();
    });
    const fixture = new BatchFixture(`company,brand\n${rows}`, down);
    expect((await fixture.run()).sent[0]).toEqual({ name: 'Acme a' });
    fixture.write(`brand,company name\n${rows}`);
    fixture.api = failsOn([], down);
    expect((await fixture.run()).sent[0]).toEqual({ name: 'Brand a' });
  });

  it('keeps the columns of --map for the next run even if no row is registered', async () => {
    const down = new CountingService(() => {
      throw broken();
    });
    const fixture = new BatchFixture('name,brand\nn0,m0\n', down);
    expect((await fixture.run({ map: ['name=brand'] })).sent[0]).toEqual({ name: 'm0' });
    fixture.api = failsOn([], down);
    expect((await fixture.run()).sent[0]).toEqual({ name: 'm0' });
  });

  it('ignores the notes of failed attempts of version 0.1, and sends their rows', async () => {
    const fixture = new BatchFixture(`name\n${names(0, 2)}`, failsOn(['n1']));
    const { journal } = await fixture.run();
    const [header, ...lines] = readFileSync(journal, 'utf8').trim().split('\n');
    const note = lines.find((line) => line.includes('"failed"')) ?? '';
    const old = ['failed attempt', 'failed attempt', 'uncounted attempt'].map((kind) =>
      note.replace('"carbon":"failed"', `"carbon":"${kind}"`),
    );
    const kept = lines.filter((line) => line !== note);
    writeFileSync(journal, `${[header, ...kept, ...old].join('\n')}\n`);
    fixture.api = failsOn([], fixture.api);
    expect(summary(await fixture.run())).toEqual([0, 1]);
  });
});

describe('Batch.send, when the service responds with 403', () => {
  it('postpones the row once others are accepted', async () => {
    const fixture = new BatchFixture(
      `name\n${names(0, 60)}`,
      failsOn(['n20', 'n40'], undefined, forbidden),
    );
    const { outcome, events, sent, journal } = await fixture.run();
    const counts = { registered: 58, postponed: 2 };
    expect(outcome).toMatchObject({ left: 0, stop: undefined, counts });
    expect([exitOf(outcome), sent.length]).toEqual([9, 60]);
    const postponed = events.flatMap((event) => (event.kind === 'postponed' ? [event] : []));
    expect(postponed).toMatchObject([{ line: 22 }, { line: 42 }]);
    expect(postponed[0]?.error.message).toBe(
      'The service rejected this row (403): Not this one. (403 Forbidden)',
    );
    expect(postponed[0] && hintOf(postponed[0].error)).toContain('whether your account may');
    const notes = readFileSync(journal, 'utf8').match(/"carbon":"failed".*/g);
    expect(notes).toHaveLength(2);
    for (const note of notes ?? []) expect(note).toContain('The service rejected this row (403)');
  });

  it('ends the run with exit 4 and names the row when the service accepted none', async () => {
    const failing = ['n0', 'n1', 'n2', 'n3'];
    const fixture = new BatchFixture(
      `name\n${names(0, 60)}`,
      failsOn(failing, undefined, forbidden),
    );
    const { outcome, sent } = await fixture.run();
    expect([exitOf(outcome), outcome.left, outcome.counts.rejected]).toEqual([4, 60, 0]);
    expect(outcome.stop?.message).toBe('line 2: Not this one. (403 Forbidden)');
    expect(sent.length).toBeLessThanOrEqual(4);
  });
});
