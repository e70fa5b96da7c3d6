import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readDuration, writeDuration } from '../../src/config/duration.ts';
import { UsageError } from '../../src/runtime/carbon-error.ts';

it.each([
  ['0', 0],
  ['500ms', 500],
  ['1.5s', 1_500],
  ['1m30s', 90_000],
  ['1h30m', 5_400_000],
  ['2d', 172_800_000],
])('reads %s', (text, ms) => {
  expect(readDuration(text, '--timeout')).toBe(ms);
});

it.each(['', '10', '-1s', '1 h', '1s2', 'h', '1e3s'])('refuses %j', (text) => {
  expect(() => readDuration(text, '--timeout')).toThrow(UsageError);
});

it('reads back what it writes', { tags: ['property'] }, () => {
  fc.assert(
    fc.property(fc.nat(1_000_000_000), (ms) => {
      expect(readDuration(writeDuration(ms), '--timeout')).toBe(ms);
    }),
  );
});
