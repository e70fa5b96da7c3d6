import { describe, expect, it } from 'vitest';
import { stackedBar } from '../../../src/display/page/bars.ts';

describe('stackedBar', () => {
  const labels = (shares: readonly number[], goal?: number) => {
    const parts = shares.map((share, at) => ({
      share,
      ...{ tone: 'set', name: `part ${at}`, shareText: `${share * 100}%`, note: '1 supplier' },
    }));
    const mark = goal === undefined ? undefined : { share: goal, text: 'goal' };
    const { text } = stackedBar(parts, mark);
    return [...text.matchAll(/<text class="on-set[^>]* x="([^"]*)"[^>]*>([^<]*)/g)].map(
      ([, x, label]) => `${label} at ${x}`,
    );
  };

  it('says what rounded shares add up to, unless that is all', () => {
    const sumOf = (...texts: readonly string[]) => {
      const parts = texts.map((shareText) => ({
        ...{ share: 1 / texts.length, shareText, tone: 'set', name: 'part', note: '1 supplier' },
      }));
      return /rounded: together ([^<]*)/.exec(stackedBar(parts).text)?.[1];
    };
    expect(sumOf('33.3%', '33.3%', '33.3%')).toBe('99.9%');
    expect(sumOf('50.0%', '50.0%', '<0.1%')).toBeUndefined();
    expect(sumOf('60%', '40%')).toBeUndefined();
  });

  it('writes a share at the beginning of its part, if it has room', () => {
    expect(labels([0.5, 0.07, 0.43])).toEqual(['50% at 0%', '43% at 57%']);
    expect(labels([0.5, 0.5], 0.9)).toEqual(['50% at 0%', '50% at 50%']);
  });

  it('writes a share that a goal would cross after the goal, or not at all', () => {
    expect(labels([0.5, 0.5], 0.55)).toEqual(['50% at 0%', '50% at 55%']);
    expect(labels([0.5, 0.2, 0.3], 0.55)).toEqual(['50% at 0%', '30% at 70%']);
  });
});
