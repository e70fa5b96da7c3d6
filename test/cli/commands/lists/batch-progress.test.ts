import { expect, it, onTestFinished } from 'vitest';
import { BatchScreen } from '../../../../src/cli/commands/lists/batch/screen.ts';
import type { Notice } from '../../../../src/cli/messages.ts';
import { Session } from '../../../../src/cli/session.ts';
import { UnavailableError } from '../../../../src/client/api/errors.ts';
import { plainStyle } from '../../../../src/display/terminal/style.ts';
import type { Batch } from '../../../../src/lists/batch/batch.ts';
import type { RowEvent } from '../../../../src/lists/batch/rows.ts';
import { VirtualClock } from '../../../support/clock.ts';
import { screen, shown } from '../../../support/screen.ts';

const registered: RowEvent = {
  kind: 'registered',
  rows: 1,
  line: 2,
  id: 1,
  name: 'Acme',
  status: 'created',
  json: undefined,
};

async function begin(total: number) {
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
    format: 'human',
    isLive: true,
    view: { terminal: true },
    print: Session.prototype.print,
  };
  const list = { preflight: { rows: total } } as Batch;
  const progress = new BatchScreen(session as unknown as Session, list, true);
  onTestFinished(() => progress.close());
  await progress.begin();
  const reportStall = Session.prototype.reportStalls.call(session as unknown as Session);
  return { progress, reportStall, stderr, clock, stop, lines };
}

const error = new UnavailableError('rate_limited', 'Too many requests');

it('shows the rate and the remaining time', async () => {
  const { progress, stderr, clock } = await begin(3);
  await progress.take([registered]);
  await clock.sleep(600);
  expect(shown(stderr)).toEqual([
    expect.stringMatching(/^. Registering 1 of 3 · 2\.0\/s · about 1 s left$/u),
  ]);
});

it('forecasts an end that never moves away, and none while nothing is accepted', async () => {
  const { progress, stderr, clock } = await begin(100);
  const seen: (number | undefined)[] = [];
  for (let second = 0; second < 90; second += 1) {
    // Two rows a second, none for half a minute, one a second.
    const rows = second < 20 ? 2 : second < 50 ? 0 : 1;
    for (let row = 0; row < rows; row += 1) await progress.take([registered]);
    await clock.sleep(1_000);
    const left = /about (\d+) s left$/.exec(shown(stderr).at(-1) ?? '')?.[1];
    seen.push(left === undefined ? undefined : Number(left));
  }
  const known = seen.filter((left) => left !== undefined);
  expect(known).toEqual(known.toSorted((a, b) => b - a));
  expect(seen.slice(0, 4)).toEqual([undefined, undefined, undefined, undefined]);
  expect([seen[10], seen.slice(30, 50).every((left) => left === undefined)]).toEqual([35, true]);
  expect(seen.at(-1)).toBeLessThan(30);
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

it('describes a streak of refusals once', async () => {
  const { reportStall, clock, lines } = await begin(3);
  const since = clock.elapsed();
  for (let check = 0; check < 3; check += 1) {
    await clock.sleep(15_000);
    reportStall({ since, until: since + 300_000 }, error);
  }
  const line = expect.stringMatching(
    /^Too many requests\. Retrying until \d\d:\d\d UTC, then stopping$/,
  );
  expect(lines).toEqual([line]);
  reportStall({ since: since + 1, until: since + 300_000 }, error);
  expect(lines).toEqual([line, line]);
});
