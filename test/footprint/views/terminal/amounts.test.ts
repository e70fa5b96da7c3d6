import { describe, expect, it } from 'vitest';
import { amountTexts } from '../../../../src/footprint/views/terminal/amounts.ts';

describe('amountTexts', () => {
  it('writes no amount but 0 as 0', () => {
    expect(amountTexts([5_000, 0.3, -0.3, 0, -0, null])).toEqual([
      ...['5,000', '<1', '>-1', '0', '0', '–'],
    ]);
    expect(amountTexts([5, 0.001, -0.001])).toEqual(['5.00', '<0.01', '>-0.01']);
  });
});
