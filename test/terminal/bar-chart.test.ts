import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { renderBar, renderStack } from '../../src/terminal/bar.ts';
import { renderBars } from '../../src/terminal/bar-chart.ts';
import { percentText } from '../../src/terminal/percent.ts';
import { plainStyle } from '../../src/terminal/style.ts';
import { width } from '../../src/terminal/text.ts';

const part = (share: number, fill: string) => ({ share, fill, tone: 'cyan' as const });

it('stacks parts in whole columns, and shows the smallest while there is room', () => {
  expect(renderStack([part(0.5, 'a'), part(0.001, 'b'), part(0.25, 'c')], 8, plainStyle)).toBe(
    'aaaabc  ',
  );
  expect(renderStack([part(0.9, 'a'), part(0.9, 'b')], 10, plainStyle)).toBe('aaaaaaaaab');
  expect(renderStack([part(Number.NaN, 'a'), part(-1, 'b')], 3, plainStyle)).toBe('   ');
});

test('any stack has the columns that it was given', { tags: ['property'] }, () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: -2, max: 2 })), fc.nat(80), (shares, columns) => {
      const parts = shares.map((share) => part(share, '█'));
      expect(width(renderStack(parts, columns, plainStyle))).toBe(columns);
    }),
  );
});

it('sets labels, figures and bars in columns, and leaves the bars out where there is no room', () => {
  const rows = [
    {
      label: 'one',
      figures: ['1', '<1%'],
      bar: (columns: number) => renderBar(0.1, columns, plainStyle),
    },
    {
      label: 'three\u202e',
      figures: ['1,000', '99%'],
      bar: (columns: number) => renderBar(1, columns, plainStyle),
    },
  ];
  expect(renderBars(rows, 31, plainStyle)).toEqual([
    '  one         1  <1%  ▉',
    '  three�  1,000  99%  █████████',
  ]);
  expect(renderBars(rows, 26, plainStyle)[1]).toBe('  three�  1,000  99%');
});

it.each([
  [0, 10, '0%'],
  [1, 1_000, '<1%'],
  [1, 3, '33%'],
  [999, 1_000, '>99%'],
  [10, 10, '100%'],
  [0, 0, '0%'],
])('%d of %d is %s', (some, whole, text) => {
  expect(percentText(some, whole)).toBe(text);
});
