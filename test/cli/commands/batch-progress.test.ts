import { expect, it, onTestFinished } from 'vitest';
import { UnavailableError } from '../../../src/api/errors.ts';
import type { Batch } from '../../../src/batch/batch.ts';
import type { RowEvent } from '../../../src/batch/rows.ts';
import { BatchScreen } from '../../../src/cli/commands/batch/screen.ts';
import type { Notice } from '../../../src/cli/messages.ts';
import { Session } from '../../../src/cli/session.ts';
import { plainStyle } from '../../../src/terminal/style.ts';
import { VirtualClock } from '../../support/clock.ts';
import { screen, shown } from '../../support/screen.ts';

const registered: RowEvent = {
  kind: 'registered',
  line: 2,
  id: 1,
  name: 'Acme',
  status: 'created',
  json: undefined,
};

async function begin(
  total: number,
  permitted: () => number | undefined = () => undefined,
  format = 'human',
) {
  const clock = new VirtualClock();
  const stderr = screen(80);
  const stop = new AbortController();
  const lines: string[] = [];
  const session = {
    context: { clock, stderr, signal: stop.signal, stdout: stderr },
    messages: {
      style: plainStyle,
      redirectTo: () => undefined,
      print: ({ text }: Notice) => void lines.push(text),
    },
    flags: {},
    format,
    isLive: true,
    view: { terminal: true },
    print: Session.prototype.print,
  };
  const list = { preflight: { rows: total } } as Batch;
  const progress = new BatchScreen(session as unknown as Session, list, true);
  onTestFinished(() => progress.close());
  await progress.begin(permitted);
  return { progress, stderr, clock, stop, lines };
}

const error = new UnavailableError('rate_limited', 'Too many requests');
const refusals = { since: -10_000, until: 60_000 };
const retrying = /^. Registering 1 of 3 · retrying until \d\d:\d\d UTC: Too many requests$/u;

it('shows the refusal while the service refuses every row, and the rate again once it accepts one', async () => {
  const { progress, stderr, clock } = await begin(3);
  await progress.take([registered]);
  await clock.sleep(600);
  expect(shown(stderr)).toEqual([
    expect.stringMatching(/^. Registering 1 of 3 · 2\.0\/s · about 1 s left$/u),
  ]);
  progress.reportRefusalStreak(refusals, error);
  await clock.sleep(600);
  expect(shown(stderr)).toEqual([expect.stringMatching(retrying)]);
  await progress.take([registered]);
  await clock.sleep(600);
  expect(shown(stderr)).toEqual([
    expect.stringMatching(/^. Registering 2 of 3 · \d\.\d\/s · about \d s left$/u),
  ]);
});

it('shows after Ctrl-C that the run waits for the requests in flight', async () => {
  const { stderr, clock, stop } = await begin(3);
  stop.abort();
  await clock.sleep(600);
  expect(shown(stderr)).toEqual([
    expect.stringMatching(
      /^. 0 of 3 · stopping: up to 7 s for requests in flight; Ctrl-C again stops now$/u,
    ),
  ]);
});

it('hides the live line while results are printed, and at the end', async () => {
  const { progress, stderr, clock } = await begin(2, undefined, 'ids');
  await clock.sleep(300);
  await progress.take([registered]);
  expect(shown(stderr)).toEqual(['1', expect.stringMatching(/^. Registering 1 of 2 · /u)]);
  progress.close();
  await clock.sleep(600);
  expect(shown(stderr)).toEqual(['1', '']);
});

it('counts postponed rows neither as done nor as failed', async () => {
  const { progress, stderr, clock } = await begin(4);
  await progress.take([
    registered,
    { kind: 'postponed', line: 3, name: 'A', error, earlier: false },
    { kind: 'postponed', line: 4, name: 'B', error, earlier: false },
  ]);
  await clock.sleep(1_000);
  expect(shown(stderr)).toEqual([
    expect.stringMatching(/^. Registering 1 of 4 · 2 postponed · \d\.\d\/s · about \d s left$/u),
  ]);
  progress.reportRefusalStreak(refusals, error);
  await clock.sleep(300);
  expect(shown(stderr)).toEqual([
    expect.stringMatching(/^. Registering 1 of 4 · retrying until /u),
  ]);
});

it('shows that the service limits the rate, and the actual rate', async () => {
  const { progress, stderr, clock } = await begin(10, () => 108.1);
  await progress.take([registered]);
  await clock.sleep(300);
  expect(shown(stderr)[0]).toContain('Registering 1 of 10 · slowed by the rate limit · 4.0/s · ');
});

it('describes a streak of refusals once', async () => {
  const { progress, clock, lines } = await begin(3);
  const since = clock.elapsed();
  for (let check = 0; check < 20; check += 1) {
    await clock.sleep(15_000);
    progress.reportRefusalStreak({ since, until: since + 300_000 }, error);
  }
  const line = expect.stringMatching(
    /^Too many requests\. Retrying until \d\d:\d\d UTC, then stopping$/,
  );
  expect(lines).toEqual([line]);
  progress.reportRefusalStreak({ since: since + 1, until: since + 300_000 }, error);
  expect(lines).toEqual([line, line]);
});
