import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderBar } from '../../src/terminal/bar.ts';
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
