import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderBar } from '../../src/terminal/bar.ts';
import { plainStyle } from '../../src/terminal/style.ts';
import { width } from '../../src/terminal/text.ts';

test.each([
  [0, '········'],
  [0.001, '▏·······'],
  [0.3, '██▍·····'],
  [0.5, '████····'],
  [1, '████████'],
  [7, '████████'],
  [-1, '········'],
  [Number.NaN, '········'],
])('a share of %d', (share, bar) => {
  expect(renderBar(share, 8, plainStyle, 'cyan', '·')).toBe(bar);
});

test('a bar is as wide as asked for', { tags: ['property'] }, () => {
  fc.assert(
    fc.property(fc.double(), fc.integer({ min: 1, max: 200 }), (share, columns) => {
      expect(width(renderBar(share, columns, plainStyle))).toBe(columns);
    }),
  );
});
