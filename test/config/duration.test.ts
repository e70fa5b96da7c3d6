import { describe, expect, it } from 'vitest';
import { readDuration } from '../../src/config/duration.ts';
import { UsageError } from '../../src/runtime/carbon-error.ts';

describe('readDuration', () => {
  it.each([
    ['0', 0],
    ['500ms', 500],
    ['1.5s', 1_500],
    ['1m30s', 90_000],
    ['1h30m', 5_400_000],
    ['2d', 172_800_000],
  ])('reads %j as %d ms', (text, ms) => {
    expect(readDuration(text, '--timeout')).toBe(ms);
  });

  it.each(['', '10', '-1s', '1 h', '1s2', 'h', '1e3s'])('rejects %j', (text) => {
    expect(() => readDuration(text, '--timeout')).toThrow(UsageError);
  });
});
