import { describe, expect, it } from 'vitest';
import type { Organization, Performance } from '../../../src/api/schema.ts';
import { hasInconsistentFactor } from '../../../src/footprint/calculation/factor-consistency.ts';
import {
  decideReading,
  noEvidence,
  readingOf,
  upstreamEvidence,
} from '../../../src/footprint/calculation/upstream-evidence.ts';

/* Scopes 1 and 2 are 0.15 of revenue (0.18 location-based), upstream is 0.3. */
const performance: Performance = {
  year: 2023,
  revenue: 100,
  emissions: {
    scope_1: { total: 10 },
    scope_2: { total_market_based: 5, total_location_based: 8 },
    scope_3: { purchased_goods_and_services: 25, business_travel: 5 },
    total: 45,
  },
};
const withFactor = (total_upstream_emission_factor: number): Organization => ({
  performances: [{ ...performance, total_upstream_emission_factor }],
});

describe('upstreamEvidence', () => {
  it.each([
    ['additive', 0.3],
    ['additive', 0.3029],
    ['neither', 0.304],
    ['nested', 0.45],
    ['nested', 0.4456],
    ['nested', 0.48],
    ['neither', 0.6],
  ])('is %s if the upstream factor is %s', (evidence, factor) => {
    expect(upstreamEvidence(withFactor(factor))).toBe(evidence);
  });

  it.each<[string, Partial<Performance>]>([
    ['without an upstream factor', {}],
    ['with a factor of 0', { total_upstream_emission_factor: 0 }],
    ['without revenue', { total_upstream_emission_factor: 0.3, revenue: null }],
    ['without emissions', { total_upstream_emission_factor: 0.3, emissions: null }],
    [
      'without scope 2',
      {
        total_upstream_emission_factor: 0.3,
        emissions: { ...performance.emissions, scope_2: null },
      },
    ],
    [
      'if its readings differ by less than 3 %',
      {
        total_upstream_emission_factor: 0.3,
        emissions: {
          scope_1_and_2: { total: 0.9 },
          scope_3: { purchased_goods_and_services: 30 },
        },
      },
    ],
  ])('is undecided for a record %s', (_, change) => {
    expect(upstreamEvidence({ performances: [{ ...performance, ...change }] })).toBe('undecided');
  });

  it('is the evidence of the years that have any', () => {
    const years = (...factors: (number | null)[]) => ({
      performances: factors.map((factor) => ({
        ...performance,
        total_upstream_emission_factor: factor,
      })),
    });
    expect(upstreamEvidence(years(null, 0.6, 0.45))).toBe('nested');
    expect(upstreamEvidence(years(0.3, 0.6))).toBe('additive');
    expect(upstreamEvidence(years(0.3, 0.45))).toBe('neither');
    expect(upstreamEvidence({})).toBe('undecided');
  });
});

describe('decideReading', () => {
  const counts = (additive: number, nested: number) => ({ ...noEvidence(), additive, nested });

  it.each([
    [1, 0, 'additive'],
    [0, 1, 'nested'],
    [95, 5, 'additive'],
    [94, 6, null],
    [1, 19, 'nested'],
    [1, 18, null],
    [0, 0, null],
  ])('reads %s additive and %s nested records as %s', (additive, nested, reading) => {
    expect(readingOf(counts(additive, nested))).toBe(reading);
  });

  it('ignores records that agree with neither reading, but counts them', () => {
    expect(decideReading({ ...counts(3, 0), neither: 9 }, undefined, true)).toEqual({
      reading: 'additive',
      decided_by: 'records',
      additive: 3,
      nested: 0,
      neither: 9,
      undecided: 0,
    });
  });

  it('uses the option even if the records support the other reading', () => {
    expect(decideReading(counts(9, 0), 'nested', true)).toMatchObject({
      reading: 'nested',
      decided_by: 'option',
      additive: 9,
    });
  });

  it('decides nothing if no row needs the reading', () => {
    expect(decideReading(counts(1, 1), 'nested', false)).toMatchObject({
      reading: null,
      decided_by: null,
    });
  });

  it('asks for the option when the records contradict each other', () => {
    const decide = () => decideReading({ ...counts(2, 1), undecided: 7 }, undefined, true);
    expect(decide).toThrowErrorMatchingInlineSnapshot(
      `[UsageError: The records contradict each other about the upstream factor: 2 additive, 1 nested, 0 with neither reading, 7 without evidence]`,
    );
    expect(decide).toThrow(
      expect.objectContaining({
        code: 'usage',
        hint: expect.stringMatching(/--upstream additive.*--upstream nested/),
      }),
    );
  });

  it('asks for the option when no record has evidence', () => {
    const decide = () => decideReading({ ...counts(0, 0), undecided: 7 }, undefined, true);
    expect(decide).toThrowErrorMatchingInlineSnapshot(
      `[UsageError: No record shows whether the upstream factor contains scopes 1 and 2: 0 with neither reading, 7 without evidence]`,
    );
  });
});

describe('hasInconsistentFactor', () => {
  const isInconsistent = (change: Partial<Performance>) =>
    hasInconsistentFactor({ performances: [{ year: 2022 }, { ...performance, ...change }] });

  it('compares the factor with emissions / revenue and tolerates 5 %', () => {
    expect(isInconsistent({ emission_factor: 0.45 })).toBe(false);
    expect(isInconsistent({ emission_factor: 0.472 })).toBe(false);
    expect(isInconsistent({ emission_factor: 0.473 })).toBe(true);
    expect(isInconsistent({ emission_factor: 0.427 })).toBe(true);
  });

  it('compares nothing without one of the three figures', () => {
    expect(isInconsistent({})).toBe(false);
    expect(isInconsistent({ emission_factor: 9, revenue: 0 })).toBe(false);
    expect(isInconsistent({ emission_factor: 9, emissions: {} })).toBe(false);
    expect(hasInconsistentFactor({})).toBe(false);
  });
});
