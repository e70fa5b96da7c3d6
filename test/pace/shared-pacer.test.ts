import { expect, it } from 'vitest';
import type { PaceBucket } from '../../src/pace/pace-bucket.ts';
import { SharedPacer } from '../../src/pace/shared-pacer.ts';
import { VirtualClock } from '../support/clock.ts';

it('SharedPacer gets new unpaced permits before the current ones end', async () => {
  const clock = new VirtualClock();
  const bucket: PaceBucket = {
    async call({ want }) {
      await clock.sleep(1);
      const reply = { now: String(clock.elapsed()), members: 1, isNew: false, gen: 1 };
      const known = { mode: 0, rate: 0, gap: 0, edges: 0 };
      return { ...reply, exhausted: false, known, ...(want > 0 && { count: 1_000 }) };
    },
  };
  const onNotice = () => undefined;
  const pacer = new SharedPacer({ bucket, concurrency: 64, clock, random: () => 0.5, onNotice });
  await pacer.open();
  const waits: number[] = [];
  for (let request = 0; request < 500; request += 1) {
    for (let ms = pacer.delay(clock.elapsed()); ms > 0; ms = pacer.delay(clock.elapsed())) {
      waits.push(clock.elapsed());
      await clock.sleep(ms);
    }
    const ticket = pacer.sent(clock.elapsed());
    await clock.sleep(3);
    pacer.responded(ticket, clock.elapsed(), { kind: 'accepted' });
  }
  await pacer.close();
  // Only the first permits are not there yet.
  expect(waits.filter((at) => at > 10)).toEqual([]);
});
