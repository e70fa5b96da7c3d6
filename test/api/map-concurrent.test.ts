import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mapConcurrent } from '../../src/api/map-concurrent.ts';
import { VirtualClock } from '../support/clock.ts';
import { runs } from '../support/seed.ts';

it('keeps the order and the concurrency, whatever each item takes', {
  tags: ['property'],
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(50), { maxLength: 60 }),
      fc.integer({ min: 1, max: 6 }),
      async (waits, most) => {
        const clock = new VirtualClock();
        let active = 0;
        let highest = 0;
        const results: number[] = [];
        const work = async (wait: number) => {
          active += 1;
          highest = Math.max(highest, active);
          await clock.sleep(wait);
          active -= 1;
          return wait;
        };
        for await (const result of mapConcurrent(waits, most, work)) results.push(result);
        expect(results).toEqual(waits);
        expect(highest).toBeLessThanOrEqual(most);
        expect(highest).toBe(Math.min(most, waits.length));
      },
    ),
    { numRuns: runs(40) },
  );
});

it('stops although the source never ends', async () => {
  async function* silent() {
    yield 1;
    await new Promise(() => {});
  }
  const results: number[] = [];
  for await (const result of mapConcurrent(silent(), 3, async (index) => index)) {
    results.push(result);
    break;
  }
  expect(results).toEqual([1]);
});

it('fails with the first failure in order', async () => {
  const work = async (index: number) => {
    if (index > 1) throw new Error(`item ${index}`);
    return index;
  };
  const all = async () => {
    for await (const _ of mapConcurrent([1, 2, 3], 2, work));
  };
  await expect(all()).rejects.toThrow('item 2');
});
