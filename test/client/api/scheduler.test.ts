import { describe, expect, it } from 'vitest';
import {
  RejectedError,
  UnauthorizedError,
  UnavailableError,
} from '../../../src/client/api/errors.ts';
import {
  type RunEnvironment,
  type ScheduleOptions,
  schedule,
  sendInOrder,
} from '../../../src/client/api/scheduler.ts';
import { Pacer } from '../../../src/client/pace/pacer.ts';
import { LocalError } from '../../../src/runtime/carbon-error.ts';
import { VirtualClock } from '../../support/clock.ts';

type Answer = Error | undefined;
type Options = Partial<ScheduleOptions<number, object, string>> &
  Partial<RunEnvironment> & { readonly concurrency?: number };

const limited = (retryAfterMs?: number) =>
  new UnavailableError('rate_limited', 'slower', { status: 429, retryAfterMs });
const failed = (status: number, retryAfterMs?: number) =>
  new UnavailableError('service_failed', `failed with ${status}`, { status, retryAfterMs });
const lost = () => new UnavailableError('network', 'lost');
const page = () => new UnavailableError('unreadable_response', 'a page');
const unauthorized = (status: number) => () => new UnauthorizedError('no', { status });
const forbidden = unauthorized(403);
const rejected = () => new RejectedError('no', { status: 422 });

/* Sends jobs to a service that takes 50 ms; `answer` knows the attempt at the job, from 1. */
async function play(
  jobs: number,
  answer: (job: number, attempt: number, seconds: number) => Answer,
  { concurrency = 4, ...options }: Options = {},
) {
  const clock = new VirtualClock();
  const attempts = new Map<number, number>();
  const results: string[] = [];
  const reports: string[] = [];
  let sent = 0;
  let read = 0;
  let error: unknown;
  const environment: RunEnvironment = {
    clock,
    random: () => 0.5,
    signal: new AbortController().signal,
    onShare: (share, { message }) => reports.push(`${message} ${Math.round(10 * share)}/10`),
    onStall: ({ since, until }, { message }) => reports.push(`${message} ${until - since}`),
    ...options,
  };
  const all: ScheduleOptions<number, object, string> = {
    next: () => (read < jobs ? ++read : undefined),
    async attempt(job, signal) {
      const attempt = (attempts.get(job) ?? 0) + 1;
      attempts.set(job, attempt);
      sent += 1;
      await clock.sleep(50, signal);
      const given = answer(job, attempt, clock.elapsed() / 1_000);
      if (given !== undefined) throw given;
      return {};
    },
    judge: (job, { error }) => ({
      result: error === undefined ? `${job}` : `${job} ${error.code}`,
    }),
    pacer: new Pacer({ concurrency }),
    ...options,
  };
  try {
    for await (const result of schedule(environment, all)) results.push(result);
  } catch (thrown) {
    error = thrown;
  }
  const most = Math.max(...attempts.values());
  return { results, reports, error, sent, most, seconds: Math.round(clock.elapsed() / 1_000) };
}

describe('schedule decides about every job', () => {
  const always = (error: () => Answer) => () => error();
  const first = (job: number, error: () => Answer) => (each: number) =>
    each === job ? error() : undefined;
  const until = (seconds: number, error: () => Answer) => (_: number, __: number, now: number) =>
    now < seconds ? error() : undefined;
  const start = { mayStart: true };

  const alone = { concurrency: 1 };
  const wide = { ...start, concurrency: 16 };
  const down = { code: 'service_failed' };
  const used = { code: 'rate_limited', message: expect.stringContaining('no more requests: slow') };
  const slow = { message: '20 consecutive requests failed. Last error: lost' };
  const busy = (error: Answer) => (job: number, attempt: number) =>
    job === 1 && attempt < 12 ? error : undefined;
  const outage = (from: number, to: number) => (_: number, __: number, now: number) =>
    now > from && now < to ? failed(502) : undefined;

  it.each<[string, number, Parameters<typeof play>[1], Options, object]>([
    ['judges a 422', 2, first(1, rejected), {}, { sent: 2, results: ['1 rejected', '2'] }],
    ['stops after a 401', 9, first(3, unauthorized(401)), {}, { error: { code: 'unauthorized' } }],
    [
      'stops after a 403 at the start',
      9,
      always(forbidden),
      alone,
      { sent: 1, error: { status: 403 } },
    ],
    [
      'judges a later 403',
      3,
      first(2, forbidden),
      alone,
      { results: ['1', '2 unauthorized', '3'] },
    ],
    [
      'stops after a local failure',
      9,
      first(3, () => new LocalError('disk')),
      {},
      { error: { message: 'disk' } },
    ],
    [
      'sends a job again after each 429',
      3,
      busy(limited(3_000)),
      {},
      { results: ['2', '3', '1'], most: 12 },
    ],
    [
      'stops at a wait above an hour',
      9,
      first(1, () => limited(3_601_000)),
      alone,
      { sent: 1, error: { retryAfterMs: 3_601_000 } },
    ],
    [
      'stops when all is refused for five minutes',
      9,
      (job) => (job > 1 ? limited() : undefined),
      alone,
      { results: ['1'], error: used },
    ],
    [
      'judges a job that is refused alone',
      30,
      first(3, () => limited()),
      {},
      { results: { length: 30 }, error: undefined },
    ],
    [
      'makes four attempts after a 500, with growing waits',
      1,
      always(() => failed(500)),
      {},
      { results: ['1 service_failed'], sent: 4, seconds: 4 },
    ],
    [
      'makes one attempt at a job that is known to fail, without an outage',
      60,
      always(() => failed(500)),
      { ...start, isKnownToFail: () => true },
      { results: { length: 60 }, sent: 60, error: undefined },
    ],
    [
      'ends after the time for a start, even for a job that is known to fail',
      9,
      always(lost),
      { ...start, maxStartMs: 3_000, isKnownToFail: () => true },
      { seconds: 3, error: { message: 'No request succeeded in 3 seconds. Last error: lost' } },
    ],
    [
      'makes one attempt after what cannot change',
      2,
      first(2, page),
      {},
      { results: ['1', '2 unreadable_response'], sent: 2 },
    ],
    ['stops after twenty failures in a row', 99, always(lost), {}, { results: [], error: slow }],
    [
      'stops within seconds at a wrong address',
      99,
      always(page),
      start,
      { results: [], seconds: 0, error: down },
    ],
    [
      'waits for a service that starts, and says so',
      9,
      until(100, lost),
      start,
      {
        results: { length: 9 },
        error: undefined,
        reports: expect.arrayContaining(['lost 120000']),
      },
    ],
    [
      'stops after two minutes without a response',
      9,
      always(() => failed(500)),
      start,
      { results: [], error: { message: expect.stringContaining('in 2 minutes') } },
    ],
    [
      'survives an outage of 20 s with one request at a time',
      3_000,
      outage(3, 23),
      wide,
      { results: { length: 3_000 }, error: undefined, most: 2 },
    ],
    [
      'stops in a long outage after trying many jobs once',
      9_000,
      outage(3, 1e9),
      wide,
      { error: down, most: 1 },
    ],
    [
      'continues in an outage until the deadline',
      60,
      until(500, lost),
      { deadline: 600_000 },
      { error: undefined },
    ],
    ['sends nothing after a signal', 9, always(lost), { signal: AbortSignal.abort() }, { sent: 0 }],
    [
      'sends nothing after the deadline',
      99,
      until(500, lost),
      { deadline: 3_000 },
      { error: undefined, seconds: 3 },
    ],
  ])('%s', async (_, jobs, answer, options, expected) => {
    expect(await play(jobs, answer, options)).toMatchObject(expected);
  });

  it.each([
    [undefined, 4],
    [61_000, 1],
  ])(
    'makes at most four attempts at each of a few jobs, Retry-After %s',
    async (wait, attempts) => {
      const { results, sent } = await play(1, () => limited(wait), { isShort: true });
      expect([results, sent]).toEqual([['1 rate_limited'], attempts]);
    },
  );

  it('reports refusals of everything, and no failure among them', async () => {
    const answers = [limited(), lost(), limited(), undefined];
    const { reports } = await play(1, (_, attempt) => answers[attempt - 1], { concurrency: 1 });
    expect(reports).toEqual(['slower 300000']);
  });

  it('reports the share of refusals that do not depend on the rate', async () => {
    let requests = 0;
    const answer = () => (++requests % 3 === 0 ? limited() : undefined);
    const { results, reports, seconds } = await play(200, answer, { concurrency: 16 });
    expect([results.length, reports.at(-1)]).toEqual([200, 'slower 3/10']);
    expect(seconds).toBeLessThan(200 / (2 / 3));
  });

  it('does not slow down jobs among which every second one fails', async () => {
    const answer = (job: number) => (job % 2 === 0 ? failed(500, 0) : undefined);
    const { results, sent, seconds } = await play(600, answer, { ...start, concurrency: 2 });
    expect([results.length, sent]).toEqual([600, 300 + 4 * 300]);
    expect(seconds).toBeLessThan(((sent * 0.05) / 2) * 1.3);
  });

  it('paces requests when a limit responds with 503', async () => {
    let free = 0;
    const answer = (_job: number, _attempt: number, seconds: number) => {
      if (seconds < free) return failed(503);
      free = seconds + 1 / 20;
      return undefined;
    };
    const { results, error, sent, seconds } = await play(600, answer, {
      ...start,
      concurrency: 16,
    });
    expect([results.length, results.join().includes('failed'), error]).toEqual([
      600,
      false,
      undefined,
    ]);
    expect(sent).toBeLessThan(600 * 1.15);
    expect(seconds).toBeLessThan((600 / 20) * 1.5);
  });

  it('judges a job that always gets a 503 while others succeed', async () => {
    const answer = first(101, () => failed(503));
    const { results, error, sent } = await play(400, answer, { ...start, concurrency: 16 });
    expect([results.length, error]).toEqual([400, undefined]);
    expect(results).toContain('101 service_failed');
    expect(sent).toBeLessThan(430);
  });

  it('leaves the jobs that failed when the service is down', async () => {
    const left: number[] = [];
    await play(99, always(lost), { leave: (job) => left.push(job) });
    expect(new Set(left).size).toBe(left.length);
    expect(left.length).toBeGreaterThan(4);
  });

  it('aborts requests that exceed the time after the signal', async () => {
    const stop = new AbortController();
    const clock = new VirtualClock();
    const attempt = async (_: number, signal: AbortSignal) => {
      stop.abort();
      await clock.sleep(70_000, signal);
      return {};
    };
    await play(9, () => undefined, { clock, signal: stop.signal, attempt, graceMs: 7_000 });
    expect(clock.elapsed()).toBe(7_000);
  });
});

describe('sendInOrder', () => {
  it('yields in the order of the items, whatever each takes, and reads few ahead', async () => {
    const clock = new VirtualClock();
    let read = 0;
    function* items() {
      for (; read < 2_000; ) {
        read += 1;
        yield read;
      }
    }
    const attempt = async (item: number) => {
      await clock.sleep(item === 3 ? 60_000 : item % 7);
      return {};
    };
    const pacer = new Pacer({ concurrency: 4 });
    const environment = { clock, random: () => 0.5, signal: new AbortController().signal };
    const found: number[] = [];
    for await (const { item } of sendInOrder(environment, items(), { attempt, pacer })) {
      expect(read - item).toBeLessThanOrEqual(130);
      found.push(item);
    }
    expect(found).toEqual(Array.from({ length: 2_000 }, (_, index) => index + 1));
  });
});
