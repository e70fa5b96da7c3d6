import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { factLines, renderBar } from '../../src/terminal/section.ts';
import { loadStyle, plainStyle } from '../../src/terminal/style.ts';
import { width } from '../../src/terminal/text.ts';

it('has no spaces at the end of a line when a colored label wraps', async () => {
  const facts = [{ label: '漢字漢字漢字漢字漢字', details: [['', 'one line']] as const }];
  const lines = factLines(facts, 40, await loadStyle(3), 8);
  const plain = lines.map((line) => line.replace(/\u001b\[\d+m/g, ''));
  expect(plain).toEqual(['  漢字漢字漢字漢字漢  one line', '  字']);
});

describe('renderBar', () => {
  it.each([
    [0, '········'],
    [0.001, '▏·······'],
    [0.3, '██▍·····'],
    [7, '████████'],
    [-1, '········'],
    [Number.NaN, '········'],
  ])('draws a share of %d', (share, bar) => {
    expect(renderBar(share, 8, plainStyle, 'cyan')).toBe(bar);
  });

  it('has the requested width for any share', { tags: ['property'] }, () => {
    fc.assert(
      fc.property(fc.double(), fc.integer({ min: 1, max: 200 }), (share, columns) => {
        expect(width(renderBar(share, columns, plainStyle, 'cyan'))).toBe(columns);
      }),
    );
  });
});
