import { expect, test } from 'vitest';
import { loadStyle, plainStyle } from '../../src/terminal/style.ts';

test('level 0 leaves text as it is', async () => {
  expect(await loadStyle(0)).toBe(plainStyle);
  for (const paint of Object.values(plainStyle)) expect(paint('text')).toBe('text');
});

test('other levels colour whatever the process thinks of colours', async () => {
  for (const level of [1, 2, 3] as const) {
    const style = await loadStyle(level);
    expect(style.red('text')).toBe('\u001b[31mtext\u001b[39m');
    expect(style.bold('')).toBe('');
  }
});
