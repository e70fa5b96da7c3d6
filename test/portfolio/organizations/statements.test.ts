import { describe, expect, it } from 'vitest';
import {
  choose,
  shareInWords,
  twoThirds,
} from '../../../src/portfolio/organizations/statements.ts';

describe('twoThirds', () => {
  it.each([
    [[2, 1], { count: 1, share: 2 / 3 }],
    // Eight times 0.1 is 0.7999999999999999 in doubles.
    [Array<number>(12).fill(0.1), { count: 8, share: 2 / 3 }],
    [[1, 1, 1], { count: 2, share: 2 / 3 }],
    [[7e307, 5e307, 5e307], { count: 2, share: 12 / 17 }],
    [[3, 0], { count: 1, share: 1 }],
    [[0, 0], undefined],
    [[], undefined],
    [[3, -1], undefined],
    [[1.7e308, 1.7e308], undefined],
  ])('of %j is %j', (values, expected) => {
    const found = twoThirds(values);
    expect(found?.count).toBe(expected?.count);
    if (expected) expect(found?.share).toBeCloseTo(expected.share, 12);
  });
});

it.each([
  [0.6666, 'two thirds'],
  [0.671, 'two thirds'],
  [0.68, '68%'],
  [0.9999, '>99%'],
  [1, '100%'],
])('a share of %d is %s', (share, words) => {
  expect(shareInWords(share)).toBe(words);
});

it('choose leaves out what is about less than half of its whole, and shows at most five', () => {
  const about = (base: number, of: number) => ({ rule: 'any', text: `${base}/${of}`, base, of });
  const all = [about(1, 3), undefined, about(1, 2), ...[1, 2, 3, 4, 5].map((of) => about(of, of))];
  expect(choose(all).map(({ text }) => text)).toEqual(['1/2', '1/1', '2/2', '3/3', '4/4']);
});
