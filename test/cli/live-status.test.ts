import { expect, it } from 'vitest';
import { withLiveStatus } from '../../src/cli/live-status.ts';
import type { Session } from '../../src/cli/session.ts';
import { plainStyle } from '../../src/display/terminal/style.ts';
import { VirtualClock } from '../support/clock.ts';
import { screen, shown } from '../support/screen.ts';

it('withLiveStatus shows a text that changes while the work is in progress', async () => {
  const clock = new VirtualClock();
  const stderr = screen(80);
  const messages = { style: plainStyle, redirectTo: () => undefined };
  const session = { context: { clock, stderr }, messages, isLive: true } as unknown as Session;
  let rows = 0;
  const isShown = () => shown(stderr).some((line) => /^. Checking rows: [1-9]\d* · \d/u.test(line));
  const work = async () => {
    while (!isShown()) {
      rows += 1;
      await clock.sleep(1_000);
    }
  };
  await withLiveStatus(session, () => `Checking rows: ${rows}`, work);
  expect(rows).toBeGreaterThan(0);
  expect(shown(stderr).join('')).toBe('');
});
