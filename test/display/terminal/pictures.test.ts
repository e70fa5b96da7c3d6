import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bar, progressBar, spark } from '../../../src/display/terminal/pictures.ts';
import { showsPictures } from '../../../src/display/terminal/style.ts';
import { width } from '../../../src/display/terminal/text.ts';

const shares = fc.double({ min: 0, max: 1, noNaN: true });
const columns = fc.integer({ min: 1, max: 60 });

/* The length of a bar in eighths of a character. */
const eighths = (text: string) =>
  [...text].reduce((sum, character) => sum + 1 + '▏▎▍▌▋▊▉█'.indexOf(character), 0);

describe('bar', () => {
  it('draws a share in eighths', () => {
    const drawn = [0, 0.001, 0.25, 0.5, 0.56, 0.9, 1].map((share) => bar(share, 10));
    expect(drawn).toEqual(['', '▏', '██▌', '█████', '█████▋', '█████████', '██████████']);
  });

  it('is empty for 0, full for 1, and never longer', { tags: ['property'] }, () => {
    fc.assert(
      fc.property(shares, columns, (share, size) => {
        expect(bar(0, size)).toBe('');
        expect(bar(1, size)).toBe('█'.repeat(size));
        expect(width(bar(share, size))).toBeLessThanOrEqual(size);
        if (share > 0) expect(bar(share, size)).not.toBe('');
        expect(Math.abs(eighths(bar(share, size)) - 8 * size * share)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('is longer for a larger share', { tags: ['property'] }, () => {
    fc.assert(
      fc.property(shares, shares, columns, (a, b, size) => {
        const [small, large] = [Math.min(a, b), Math.max(a, b)];
        expect(eighths(bar(small, size))).toBeLessThanOrEqual(eighths(bar(large, size)));
      }),
    );
  });

  it.each([
    [-1, ''],
    [Number.NaN, ''],
    [2, '████'],
    [Number.POSITIVE_INFINITY, '████'],
  ])('draws the nearest share of %d', (share, drawn) => expect(bar(share, 4)).toBe(drawn));
});

describe('progressBar', () => {
  it('fills the rest with dots', () => {
    expect([0, 0.3, 1].map((share) => progressBar(share, 5))).toEqual(['·····', '█▌···', '█████']);
  });
});

describe('spark', () => {
  it.each([
    [[10, 12, 16], '▅▆█'],
    [[16, null, 8], '█ ▄'],
    [[0, 0], '▁▁'],
    [[-5, 5], '▁█'],
    [[7], '█'],
    [[null, undefined], '  '],
    [[], ''],
  ])('draws %j from zero', (values, drawn) => expect(spark(values)).toBe(drawn));

  it('has a character for each value, higher for a larger one', { tags: ['property'] }, () => {
    const values = fc.array(fc.double({ min: 0, max: 1e12, noNaN: true }), { maxLength: 12 });
    fc.assert(
      fc.property(values, (numbers) => {
        const heights = [...spark(numbers)].map((character) => '▁▂▃▄▅▆▇█'.indexOf(character));
        expect(heights).toHaveLength(numbers.length);
        for (const [index, value] of numbers.entries())
          for (const [other, larger] of numbers.entries())
            if (value <= larger) expect(heights[index]).toBeLessThanOrEqual(heights[other] ?? -1);
      }),
    );
  });
});

describe('showsPictures', () => {
  it.each([
    [{ LANG: 'en_US.UTF-8' }, 'linux', true],
    [{ LANG: 'de_DE.utf8', TERM: 'xterm' }, 'linux', true],
    [{ LANG: 'en_US.UTF-8', LC_ALL: 'C' }, 'linux', false],
    [{ LANG: 'C', LC_ALL: 'C.UTF-8' }, 'darwin', true],
    [{ LANG: 'C', LC_CTYPE: 'en_US.UTF-8' }, 'darwin', true],
    [{ LANG: 'en_US.ISO-8859-1' }, 'linux', false],
    [{}, 'linux', false],
    [{}, 'win32', true],
    [{ LANG: 'en_US.UTF-8', TERM: 'dumb' }, 'linux', false],
  ] as const)('of %j on %s is %s', (env, platform, expected) => {
    expect(showsPictures({ env, platform })).toBe(expected);
  });
});
