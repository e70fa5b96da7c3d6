import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LatestRecords } from '../../../src/portfolio/records/records.ts';

const id = fc.oneof(fc.nat(4), fc.constantFrom('1', '01', '__proto__'), fc.constant(undefined));
const time = fc.nat(9).map((hour) => `2026-01-15T0${hour}:00:00Z`);

function latestOf<Value>(
  records: readonly (readonly [Value, string | number | undefined, string?])[],
): LatestRecords<Value> {
  const latest = new LatestRecords<Value>();
  for (const record of records) latest.add(...record);
  return latest;
}

describe('LatestRecords', () => {
  it('keeps the record that was retrieved last, in any order of the input', {
    tags: ['property'],
  }, () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(time, id, time)), (given) => {
        // The value is the time, so equal times cannot be told apart.
        const records = given.map(([, key, at]) => [at, key, at] as const);
        const newest = (all: typeof records) =>
          [...latestOf(all).entries()].map(([key, at]) => `${key} ${at}`).sort();
        expect(newest(records.toReversed())).toEqual(newest(records));
        for (const [key, at] of latestOf(records).entries())
          expect(at).toBe(
            records
              .flatMap(([value, other]) => (other === key ? [value] : []))
              .sort()
              .at(-1),
          );
        expect(latestOf(records).undecided).toEqual([]);
      }),
    );
  });
});
