import { describe, expect, it } from 'vitest';
import { loadStyle } from '../../src/terminal/style.ts';

describe('loadStyle', () => {
  it('adds color at other levels, independent of the environment of the process', async () => {
    for (const level of [1, 2, 3] as const) {
      const style = await loadStyle(level);
      expect(style.red('text')).toBe('\u001b[31mtext\u001b[39m');
      expect(style.bold('')).toBe('');
    }
  });
});
