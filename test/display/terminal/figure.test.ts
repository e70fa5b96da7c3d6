import { expect, it } from 'vitest';
import { numberFormats } from '../../../src/display/terminal/figure.ts';

it('numberFormats.share rounds half up; only all of it is 100.0%, and only nothing is 0.0%', () => {
  const shares = [0, 0.000_4, 0.000_5, 0.001_5, 0.712_5, 0.999_4, 0.999_96, 1, 1.5, -0.000_4, -0.2];
  expect(shares.map(numberFormats.share)).toEqual(
    '0.0% <0.1% 0.1% 0.2% 71.3% 99.9% >99.9% 100.0% 150.0% −0.0% −20.0%'.split(' '),
  );
});
