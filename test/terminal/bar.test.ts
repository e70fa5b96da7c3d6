import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderBar, renderStack } from '../../src/terminal/bar.ts';
import { plainStyle } from '../../src/terminal/style.ts';
import { width } from '../../src/terminal/text.ts';

describe('renderBar', () => {
  it.each([
    [0, '········'],
    [0.001, '▏·······'],
    [0.3, '██▍·····'],
    [0.5, '████····'],
    [1, '████████'],
    [7, '████████'],
    [-1, '········'],
    [Number.NaN, '········'],
  ])('draws a share of %d', (share, bar) => {
    expect(renderBar(share, 8, plainStyle, 'cyan', '·')).toBe(bar);
  });

  it('has the requested width for any share', { tags: ['property'] }, () => {
    fc.assert(
      fc.property(fc.double(), fc.integer({ min: 1, max: 200 }), (share, columns) => {
        expect(width(renderBar(share, columns, plainStyle))).toBe(columns);
      }),
    );
  });
});

const part = (share: number, fill: string) => ({ share, fill, tone: 'cyan' as const });

describe('renderStack', () => {
  it('shows the smallest part while there is space', () => {
    expect(renderStack([part(0.5, 'a'), part(0.001, 'b'), part(0.25, 'c')], 8, plainStyle)).toBe(
      'aaaabc  ',
    );
    expect(renderStack([part(0.9, 'a'), part(0.9, 'b')], 10, plainStyle)).toBe('aaaaaaaaab');
    expect(renderStack([part(Number.NaN, 'a'), part(-1, 'b')], 3, plainStyle)).toBe('   ');
  });

  it('has the requested width for any parts', { tags: ['property'] }, () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: -2, max: 2 })), fc.nat(80), (shares, columns) => {
        const parts = shares.map((share) => part(share, '█'));
        expect(width(renderStack(parts, columns, plainStyle))).toBe(columns);
      }),
    );
  });
});
