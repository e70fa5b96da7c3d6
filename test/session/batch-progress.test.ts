import { expect, it, onTestFinished } from 'vitest';
import type { RowEvent } from '../../src/batch/outcome.ts';
import { plainStyle } from '../../src/render/style.ts';
import { BatchProgress } from '../../src/session/batch-progress.ts';
import type { Session } from '../../src/session/session.ts';
import { VirtualClock } from '../support/clock.ts';
import { screen, shown } from '../support/screen.ts';

const registered: RowEvent = { kind: 'registered', line: 2, id: 1, status: 'created', json: undefined };

async function begin(total: number) {
  const clock = new VirtualClock();
  const stderr = screen(80);
  const session = {
    context: { clock, stderr },
    messages: { style: plainStyle, divert: () => undefined },
    flags: {},
    isLive: true,
  } as unknown as Session;
  const progress = new BatchProgress(session, () => undefined);
  onTestFinished(() => progress.stop());
  await progress.begin(total);
  return { progress, stderr, clock };
}

it('shows what the service says while it refuses every row, and the rate again as soon as it takes one', async () => {
  const { progress, stderr, clock } = await begin(3);
  progress.count([registered]);
  await clock.sleep(600);
  expect(shown(stderr)).toEqual([expect.stringMatching(/^. 1\/3 · 0 failed · 2\.0\/s · 1 s left$/u)]);
  progress.standStill('trying until 10:00: Too many requests');
  await clock.sleep(600);
  expect(shown(stderr)).toEqual([expect.stringMatching(/^. 1\/3 · trying until 10:00: Too many requests$/u)]);
  progress.count([registered]);
  await clock.sleep(600);
  expect(shown(stderr)).toEqual([expect.stringMatching(/^. 2\/3 · 0 failed · \d\.\d\/s · \d s left$/u)]);
});

it('leaves the line to results, and nothing behind', async () => {
  const { progress, stderr, clock } = await begin(2);
  await clock.sleep(300);
  await progress.aside(async () => {
    stderr.write('a result\n');
  });
  expect(shown(stderr)).toEqual(['a result', expect.stringMatching(/^. 0\/2 · 0 failed · 0\.0\/s$/u)]);
  progress.stop();
  await clock.sleep(600);
  expect(shown(stderr)).toEqual(['a result', '']);
});
