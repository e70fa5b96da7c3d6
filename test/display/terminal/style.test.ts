import { describe, expect, it } from 'vitest';
import { loadStyle, paintMark } from '../../../src/display/terminal/style.ts';

/* Relative luminance and contrast as WCAG 2.2 defines them. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = (color.match(/../g) ?? [])
    .map((part) => Number.parseInt(part, 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: string, b: string): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

const backgrounds = { black: '000000', white: 'ffffff', solarized: 'fdf6e3' };

describe('the style of a terminal', () => {
  it('has no color for text, because none is readable on every background', () => {
    const grays = Array.from({ length: 256 }, (_, level) => level.toString(16).padStart(2, '0'));
    // The contrast depends on the luminance alone, and grays have every luminance.
    const readable = grays.filter((level) =>
      Object.values(backgrounds).every(
        (background) => contrast(level.repeat(3), background) >= 4.5,
      ),
    );
    expect(readable).toEqual([]);
  });

  it('has colors for marks alone, and nothing dim', async () => {
    const style = await loadStyle(1);
    expect(Object.keys(style)).toEqual(['bold', 'red', 'green', 'yellow', 'cyan']);
    expect(paintMark('✗ failed', 'red', style)).toBe('\u001b[31m✗\u001b[39m failed');
  });
});
