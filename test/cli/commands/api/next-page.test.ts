import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findNextPage } from '../../../../src/cli/commands/api/next-page.ts';

const next = (link: string | string[]) => findNextPage({ headers: { link } });

describe('findNextPage', () => {
  it.each([
    ['</a?page=2>; rel="next"', '/a?page=2'],
    ['<a>; rel=next', 'a'],
    ['<a>;REL = NEXT', 'a'],
    ['<a>; rel="prev next"', 'a'],
    ['<a>; rel="prev", <b>; rel="next"', 'b'],
    ['<a,b;c>; title="x, <y>; rel=\\"next\\""; rel="last", <b>; rel=next', 'b'],
    [' , <a> ; rel="next" , ', 'a'],
    ['<a>; rel="last"; rel="next"', undefined],
    ['<a>; rel="next"; anchor="/other"', undefined],
    ['<a>; rel="nextish"', undefined],
    ['<a', undefined],
    ['a; rel=next', undefined],
    ['', undefined],
  ])('reads %s', (link, target) => {
    expect(next(link)).toBe(target);
  });

  it('reads several headers', () => {
    expect(next(['<a>; rel=first', '<b>; rel=next'])).toBe('b');
  });

  it('reads any text in linear time', () => {
    const part = fc.constantFrom(...'<>;,="\\ \t', 'rel', 'next', 'a'.repeat(50));
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const link = parts.join('').repeat(50);
        expect(['string', 'undefined']).toContain(typeof next(link));
      }),
    );
  });
});
