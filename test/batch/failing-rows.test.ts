import { readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UnauthorizedError, UnavailableError } from '../../src/api/errors.ts';
import { exitOf } from '../../src/cli/commands/batch/summary.ts';
import { hintOf } from '../../src/cli/errors.ts';
import { Pacer } from '../../src/pace/pacer.ts';
import { VirtualClock } from '../support/clock.ts';
import { runs } from '../support/seed.ts';
import { BatchFixture, type BatchResult, CountingService } from './batch-fixture.ts';

const names = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `n${from + index}\n`).join('');
const broken = () => new UnavailableError('service_failed', 'Oops. (500 Oops)', { status: 500 });
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

const summary = ({ outcome, failedRows, sent }: BatchResult) => [
  exitOf(outcome),
  failedRows,
  sent.length,
];

describe('Batch.send, when the service fails on a row in each run', () => {
  it.each([
    ['registers others', true],
    ['answers for a registered row', false],
  ])('records the row as failed after three runs in which it %s', async (_, registersOthers) => {
    const fixture = new BatchFixture(`name\n${names(0, 9)}`, failsOn(['n3']));
    expect(summary(await fixture.run())).toEqual([6, 0, 12]);
    const night = (rows: number) => {
      if (!registersOthers) return fixture.run({ answers: () => Promise.resolve(true) });
      fixture.write(`name\n${names(0, rows)}`);
      return fixture.run();
    };
    const sent = registersOthers ? 5 : 4;
    expect(summary(await night(10))).toEqual([6, 0, sent]);
    const third = await night(11);
    expect(summary(third)).toEqual([9, 1, sent]);
    expect(third.events.find(({ line }) => line === 5)).toMatchObject({
      kind: 'refused',
      earlier: false,
    });
    const reason = '\ufeffname,carbon_line,carbon_error\nn3,5,failed in 3 runs: Oops. (500 Oops)\n';
    expect(readFileSync(third.failed, 'utf8')).toBe(reason);

    const fourth = await fixture.run();
    expect(summary(fourth)).toEqual([9, 1, 0]);
    expect(fourth.events.find(({ line }) => line === 5)).toMatchObject({
      kind: 'refused',
      earlier: true,
      error: { code: 'service_failed', status: 500, message: 'failed in 3 runs: Oops. (500 Oops)' },
    });
    const answers = () => Promise.resolve(true);
    expect(summary(await fixture.run({ retryFailed: true, answers }))).toEqual([6, 1, 4]);
    fixture.api = failsOn([], fixture.api);
    expect(summary(await fixture.run({ retryFailed: true }))).toEqual([0, 0, 1]);
    expect(summary(await fixture.run())).toEqual([0, 0, 0]);
  });

  it('records a row that always gets a 429 as failed after three runs', async () => {
    const refused = () => new UnavailableError('rate_limited', 'Slow down. (429)', { status: 429 });
    const clock = new VirtualClock();
    const night = async (fixture: BatchFixture, answers: boolean) => {
      const pacer = new Pacer({ concurrency: 4 });
      const { outcome } = await fixture.run({ clock, pacer, answers: async () => answers });
      const { counts, stop } = outcome;
      return [exitOf(outcome), counts.refused, stop?.code];
    };
    const fixture = new BatchFixture(`name\n${names(0, 30)}`, failsOn(['n3'], undefined, refused));
    expect(await night(fixture, true)).toEqual([6, 0, undefined]);
    // A night of a used-up quota does not count.
    expect(await night(fixture, false)).toEqual([6, 0, 'rate_limited']);
    expect(await night(fixture, true)).toEqual([6, 0, undefined]);
    expect(await night(fixture, true)).toEqual([9, 1, undefined]);
    expect(await night(fixture, true)).toEqual([9, 1, undefined]);
  });

  it('does not record the rows that a used-up quota refuses as failed', async () => {
    const clock = new VirtualClock();
    let left = 0;
    const api = new CountingService(() => {
      left -= 1;
      if (left < 0) throw new UnavailableError('rate_limited', 'Slow down. (429)', { status: 429 });
    });
    const fixture = new BatchFixture(`name\n${names(0, 100)}`, api);
    for (let day = 0; day < 4; day += 1) {
      left = 20;
      const pacer = new Pacer({ concurrency: 4 });
      const { outcome } = await fixture.run({ clock, pacer, answers: async () => true });
      expect([outcome.stop?.code, outcome.counts.refused]).toEqual(['rate_limited', 0]);
    }
  });

  it('sends the row after all others, so that many of them do not stop the run', async () => {
    const failing = Array.from({ length: 60 }, (_, index) => `n${2 * index}`);
    const fixture = new BatchFixture('', failsOn(failing));
    for (const [night, exit] of [6, 6, 9].entries()) {
      fixture.write(`name\n${names(0, 121 + night)}`);
      const { outcome, failedRows, sent } = await fixture.run();
      expect(outcome).toMatchObject({ stop: undefined, left: 0 });
      expect([exitOf(outcome), failedRows]).toEqual([exit, exit === 9 ? 60 : 0]);
      expect(sent[0]).toEqual({ name: night === 0 ? 'n0' : `n${120 + night}` });
    }
  });

  it('does not count runs in which the service answers nothing', async () => {
    const fixture = new BatchFixture(`name\n${names(0, 9)}`, failsOn(['n3']));
    await fixture.run();
    for (let night = 0; night < 4; night += 1) {
      const { outcome } = await fixture.run({ answers: () => Promise.resolve(false) });
      expect([outcome.stop?.code, exitOf(outcome)]).toEqual(['service_failed', 6]);
      expect(outcome.counts).toMatchObject({ refused: 0, postponed: 1 });
    }
  });

  it.each([4, 19])(
    'records %d such rows as failed when there are no others to send',
    async (rows) => {
      const failing = Array.from({ length: rows }, (_, index) => `n${2 * index}`);
      const fixture = new BatchFixture(`name\n${names(0, 60)}`, failsOn(failing));
      const answers = () => Promise.resolve(true);
      const exits: number[] = [];
      for (let night = 0; night < 4; night += 1)
        exits.push(exitOf((await fixture.run({ answers })).outcome));
      expect(exits).toEqual([6, 6, 9, 9]);
    },
  );

  it('counts the attempts when consecutive failures end the run', async () => {
    const failing = Array.from({ length: 32 }, (_, index) => `n${index + 60}`);
    const fixture = new BatchFixture('', failsOn(failing));
    const nights: unknown[] = [];
    for (let night = 0; night < 4; night += 1) {
      fixture.write(`name\n${names(0, 200 + night)}`);
      const { outcome, failedRows } = await fixture.run();
      nights.push([outcome.stop !== undefined, exitOf(outcome), failedRows]);
    }
    // Those that the first night did not get to need one more.
    expect(nights).toEqual([
      [true, 6, 0],
      [false, 6, 0],
      [false, 6, expect.any(Number)],
      [false, 9, 32],
    ]);
  });

  it('records the row as failed in the third run when it fails before any registration', async () => {
    const clock = new VirtualClock();
    const failing = new UnavailableError('service_failed', 'Oops.', {
      status: 500,
      retryAfterMs: 0,
    });
    const api = new CountingService(async ({ name }) => {
      if (name === 'n0') throw failing;
      await clock.sleep(400);
    });
    const fixture = new BatchFixture('', api);
    for (const [night, exit] of [6, 6, 9].entries()) {
      fixture.write(`name\n${names(0, 2 + night)}n0\n`);
      const { outcome, failedRows, events } = await fixture.run({ clock });
      const isLast = exit === 9;
      expect([exitOf(outcome), failedRows, outcome.left]).toEqual([exit, isLast ? 2 : 0, 0]);
      const kind = isLast ? 'refused' : 'postponed';
      expect(outcome.counts).toMatchObject({ registered: 1, refused: isLast ? 2 : 0, [kind]: 2 });
      expect(events.filter((event) => event.kind === kind).map(({ line }) => line)).toEqual([
        2,
        4 + night,
      ]);
    }
  });

  it('reports the row when its attempt counts and twenty failures end the run', async () => {
    const failing = Array.from({ length: 60 }, (_, index) => `n${index + 30}`);
    const fixture = new BatchFixture(`name\n${names(0, 150)}`, failsOn(['n10', ...failing]));
    const { outcome, events, journal } = await fixture.run();
    expect([outcome.stop?.code, outcome.counts.registered]).toEqual(['service_failed', 29]);
    const named = events.filter(({ kind }) => kind === 'postponed').map(({ line }) => line);
    expect(named).toContain(12);
    // The service failed on the last ones without a success in between: those runs do not count.
    expect(named.length).toBeLessThan(8);
    const counted = readFileSync(journal, 'utf8').match(/(?<="failed attempt".*"line":)\d+/g);
    expect(counted?.map(Number).sort()).toEqual(named.sort());
    expect(outcome.left).toBe(150 - 29 - named.length);
  });

  it('does not count attempts during the outage that ends the run', async () => {
    const away = new CountingService((_, sent) => {
      if (sent > 10) throw broken();
    });
    const fixture = new BatchFixture(`name\n${names(0, 50)}`, away);
    const { outcome, journal } = await fixture.run({ concurrency: 1 });
    expect([outcome.stop?.code, outcome.counts.registered, outcome.left]).toEqual([
      'service_failed',
      10,
      40,
    ]);
    expect(readFileSync(journal, 'utf8')).not.toContain('"failed attempt"');
    fixture.api = failsOn([], away);
    expect(summary(await fixture.run())).toEqual([0, 0, 40]);
  });

  it('sends others while a service that has not responded yet fails on the first rows', async () => {
    const failing = Array.from({ length: 10 }, (_, index) => `n${index}`);
    const fixture = new BatchFixture(`name\n${names(0, 90)}`, failsOn(failing));
    const { outcome } = await fixture.run();
    expect(outcome).toMatchObject({ left: 0, counts: { registered: 80, postponed: 10 } });
  });

  it('does not fix the columns of the next run unless a row is registered or refused', async () => {
    const rows = Array.from({ length: 30 }, (_, index) => `n${index},m${index}\n`).join('');
    const down = new CountingService(() => {
      throw broken();
    });
    const fixture = new BatchFixture(`name,brand\n${rows}`, down);
    expect((await fixture.run({ map: ['name=brand'] })).sent[0]).toEqual({ name: 'm0' });
    fixture.api = failsOn([], down);
    expect((await fixture.run()).sent[0]).toEqual({ name: 'n0' });
  });

  it('counts attempts by key when the journal is truncated or the file is edited', {
    tags: ['property'],
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.integer({ min: 1, max: 5 }), async (cut, nights) => {
        const fixture = new BatchFixture('', failsOn(['n1', 'n3']));
        let rows = 6;
        const night = () => {
          rows += 1;
          fixture.write(`name\n${names(0, rows).split('\n').reverse().join('\n')}`);
          return fixture.run();
        };
        let journal = '';
        for (let index = 0; index < nights; index += 1) ({ journal } = await night());
        const whole = readFileSync(journal);
        const kept = whole.subarray(0, cut % (whole.length + 1));
        writeFileSync(journal, kept);
        const counted = kept.toString().split('\n').slice(1, -1);
        const runs = (line: number) =>
          counted.filter((text) => text.includes('"failed attempt"') && text.includes(keyOf(line)))
            .length;
        const isOver = counted.some((text) => /"id": +null/.test(text));
        const keys = whole.toString().match(/"failed attempt","key":"\w+"/g) ?? [];
        const keyOf = (index: number) => keys[index]?.slice(-33, -1) ?? 'none';
        const { outcome } = await night();
        if (isOver || Math.max(runs(0), runs(1)) >= 2)
          expect(outcome.counts.refused).toBeGreaterThan(0);
        else expect(outcome.counts).toMatchObject({ refused: 0, postponed: 2 });
        expect(outcome.left).toBe(0);
        expect(readFileSync(journal).subarray(0, kept.length).equals(kept)).toBe(true);
      }),
      { numRuns: runs(25) },
    );
  });
});

describe('Batch.send, when the service responds with 403', () => {
  it.each([1, 4])(
    'postpones its row once others are accepted, %d in flight',
    async (concurrency) => {
      const fixture = new BatchFixture(
        `name\n${names(0, 60)}`,
        failsOn(['n20', 'n40'], undefined, forbidden),
      );
      const { outcome, events, sent } = await fixture.run({ concurrency });
      expect(outcome).toMatchObject({
        left: 0,
        stop: undefined,
        counts: { registered: 58, postponed: 2 },
      });
      expect(sent).toHaveLength(60);
      expect(events.filter(({ kind }) => kind === 'postponed')).toMatchObject([
        { line: 22, error: { status: 403 } },
        { line: 42, error: { status: 403 } },
      ]);
      expect(exitOf(outcome)).toBe(6);
    },
  );

  it('waits for the requests in flight before it ends the run', async () => {
    const clock = new VirtualClock();
    const fixture = new BatchFixture(
      `name\n${names(0, 9)}`,
      new CountingService(async ({ name }) => {
        if (name === 'n0') throw forbidden();
        await clock.sleep(100);
      }),
    );
    const { outcome } = await fixture.run({ clock });
    expect(outcome).toMatchObject({
      left: 0,
      stop: undefined,
      counts: { registered: 8, postponed: 1 },
    });
  });

  it('ends the run with exit 4 and names the row when the service accepted none', async () => {
    const fixture = new BatchFixture(
      `name\n${names(0, 60)}`,
      failsOn(['n0', 'n1', 'n2', 'n3'], undefined, forbidden),
    );
    const { outcome, sent } = await fixture.run();
    expect([exitOf(outcome), outcome.left, outcome.counts.refused]).toEqual([4, 60, 0]);
    expect(outcome.stop?.message).toBe('line 2: Not this one. (403 Forbidden)');
    expect(sent.length).toBeLessThanOrEqual(4);
  });

  it('postpones the row in runs without other rows', async () => {
    const fixture = new BatchFixture(
      `name\n${names(0, 3)}`,
      failsOn(['n0', 'n2'], undefined, forbidden),
    );
    for (let night = 0; night < 5; night += 1) {
      const { outcome, events } = await fixture.run();
      expect(outcome).toMatchObject({ stop: undefined, left: 0, counts: { postponed: 2 } });
      expect(exitOf(outcome)).toBe(6);
      const error = events.flatMap((event) => (event.kind === 'postponed' ? [event.error] : []))[0];
      expect(error?.message).toBe(
        'The service rejected this row (403): Not this one. (403 Forbidden)',
      );
      expect(error && hintOf(error)).toContain('whether your account may register');
    }
    // Nights that register another row count: the row fails for good on the third.
    const exits: number[] = [];
    for (let night = 0; night < 2; night += 1) {
      fixture.write(`name\n${names(0, 4 + night)}`);
      exits.push(exitOf((await fixture.run()).outcome));
    }
    expect(exits).toEqual([6, 9]);
  });

  it('postpones a single new row when earlier runs have registered others', async () => {
    const fixture = new BatchFixture(`name\n${names(0, 3)}`, failsOn(['n3'], undefined, forbidden));
    await fixture.run();
    fixture.write(`name\n${names(0, 4)}`);
    for (let night = 0; night < 3; night += 1)
      expect(summary(await fixture.run())).toEqual([6, 0, 1]);
  });

  it.each([1, 4])(
    'ends the run when every new row gets a 403, with %d in flight',
    async (concurrency) => {
      const fixture = new BatchFixture(`name\n${names(0, 9)}`, failsOn([]));
      await fixture.run();
      const all = names(9, 1_009).trim().split('\n');
      fixture.api = failsOn(all, fixture.api, forbidden);
      fixture.write(`name\n${names(0, 1_009)}`);
      for (let night = 0; night < 2; night += 1) {
        const { outcome, sent } = await fixture.run({ concurrency });
        expect([exitOf(outcome), outcome.left, outcome.counts.postponed]).toEqual([4, 1_000, 0]);
        expect(sent.length).toBeLessThanOrEqual(Math.max(3, concurrency));
      }
    },
  );
});

it.each([401, 402])(
  'Batch.send stops with exit 4 after a %d and refuses no row',
  async (status) => {
    const error = () =>
      new UnauthorizedError('no', { status }, status === 402 ? 'payment_required' : 'unauthorized');
    const fixture = new BatchFixture(`name\n${names(0, 60)}`, failsOn(['n20'], undefined, error));
    const { outcome, failedRows } = await fixture.run();
    expect([exitOf(outcome), outcome.stop?.code, failedRows]).toEqual([4, error().code, 0]);
    expect(outcome.counts).toMatchObject({ refused: 0, postponed: 0 });
    fixture.api = failsOn([], fixture.api);
    expect((await fixture.run()).outcome).toMatchObject({ left: 0, stop: undefined });
  },
);
