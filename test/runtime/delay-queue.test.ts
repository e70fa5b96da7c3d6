import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DelayQueue } from '../../src/runtime/delay-queue.ts';

it('gives items by time, and those of one time as they came, whatever is added in between', {
  tags: ['property'],
}, () => {
  const step = fc.oneof(fc.nat(20), fc.constant('take' as const));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const schedule = new DelayQueue<number>();
      const expected: { due: number; item: number }[] = [];
      for (const [at, step] of steps.entries()) {
        if (step === 'take') {
          expect(schedule.take()).toBe(expected.shift()?.item);
        } else {
          schedule.add(at, step);
          expected.push({ due: step, item: at });
          expected.sort((one, other) => one.due - other.due);
        }
        expect([schedule.size, schedule.due]).toEqual([
          expected.length,
          expected[0]?.due ?? Number.POSITIVE_INFINITY,
        ]);
        expect([...schedule].sort()).toEqual(expected.map(({ item }) => item).sort());
      }
    }),
  );
});
