import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { signedTenths, tenthsAddingUp, tenthsOf } from '../../../src/portfolio/footprint/shares.ts';

const shown = (shares: readonly number[]) => {
  const sum = tenthsOf(shares.reduce((total, each) => total + each, 0));
  const tenths = tenthsAddingUp(shares, sum);
  return tenths.map(signedTenths);
};

describe('parts of a change', () => {
  it('are numbers that a reader can add up, also those that round to nothing', () => {
    // 0.1 is the nearest that makes them 7.0.
    const shares = [0.10134, 0.02537, -0.03222, -0.02176, -0.00203, 0.00048, -0.00112];
    expect(shown(shares)).toEqual(['+10.1', '+2.5', '−3.2', '−2.2', '−0.2', '+0.1', '−0.1']);
    expect(shown([0.00048, -0.0002, 0])).toEqual(['0.0', '0.0', '0.0']);
  });

  it('round a large part the other way rather than a small one by half of it', () => {
    // 0.12, 0.12 and 5.12 are 5.36, which reads 5.4.
    expect(shown([0.0012, 0.0012, 0.0512])).toEqual(['+0.1', '+0.1', '+5.2']);
    expect(shown([-0.0012, -0.0012, -0.0512])).toEqual(['−0.1', '−0.1', '−5.2']);
  });

  it('add up, and none differs by 0.1 or more', { tags: ['property'] }, () => {
    const share = fc.integer({ min: -40_000, max: 40_000 }).map((units) => units / 1e5);
    fc.assert(
      fc.property(fc.array(share, { minLength: 1, maxLength: 9 }), (shares) => {
        const sum = tenthsOf(shares.reduce((total, each) => total + each, 0));
        const tenths = tenthsAddingUp(shares, sum);
        expect(tenths.reduce((total, each) => total + each, 0) - sum).toBe(0);
        for (const [at, each] of shares.entries())
          expect(Math.abs(1_000 * each - (tenths[at] ?? 0))).toBeLessThan(1 + 1e-9);
      }),
    );
  });
});
