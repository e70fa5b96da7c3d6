import { expect, it } from 'vitest';
import { factLines } from '../../../src/display/terminal/section.ts';
import { loadStyle } from '../../../src/display/terminal/style.ts';

it('has no spaces at the end of a line when a colored label wraps', async () => {
  const facts = [{ label: '漢字漢字漢字漢字漢字', details: [['', 'one line']] as const }];
  const lines = factLines(facts, 40, await loadStyle(3), 8);
  const plain = lines.map((line) => line.replace(/\u001b\[\d+m/g, ''));
  expect(plain).toEqual(['  漢字漢字漢字漢字漢  one line', '  字']);
});
