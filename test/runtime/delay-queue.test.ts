import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DelayQueue } from '../../src/runtime/delay-queue.ts';

describe('DelayQueue', () => {
  it('returns items by due time, then by insertion', {
    tags: ['property'],
  }, () => {
    const step = fc.oneof(fc.nat(20), fc.constant('take' as const));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const queue = new DelayQueue<number>();
        const expected: { due: number; item: number }[] = [];
        for (const [index, step] of steps.entries()) {
          if (step === 'take') {
            expect(queue.take()).toBe(expected.shift()?.item);
          } else {
            queue.add(index, step);
            expected.push({ due: step, item: index });
            expected.sort((a, b) => a.due - b.due);
          }
          expect([queue.size, queue.due]).toEqual([
            expected.length,
            expected[0]?.due ?? Number.POSITIVE_INFINITY,
          ]);
          expect([...queue].sort()).toEqual(expected.map(({ item }) => item).sort());
        }
      }),
    );
  });
});
