import { expect, it } from 'vitest';
import { factLines, tableSection, text } from '../../../src/display/terminal/section.ts';
import { loadStyle } from '../../../src/display/terminal/style.ts';

it('has no spaces at the end of a line when a colored label wraps', async () => {
  const facts = [{ label: '漢字漢字漢字漢字漢字', details: [['', 'one line']] as const }];
  const lines = factLines(facts, 40, await loadStyle(3), 8);
  const plain = lines.map((line) => line.replace(/\u001b\[\d+m/g, ''));
  expect(plain).toEqual(['  漢字漢字漢字漢字漢  one line', '  字']);
});

it('writes a share in a pipe in percent, and a text as it is', () => {
  const { facts } = tableSection({
    title: 'Changes',
    head: 'Row',
    label: () => 'row',
    columns: [
      text<number>('note', 'Note', () => 'from −2% to −5%'),
      { name: 'share', kind: 'share', description: '', value: (row) => row, text: () => '−5.0%' },
      { name: 'amount', kind: 'amount', description: '', value: (row) => row, text: () => '−5%' },
    ],
    rows: [-0.05],
  });
  expect(facts[0]?.details).toEqual([
    ['note', 'from −2% to −5%'],
    ['share', '-5.0%'],
    ['amount', '-0.05'],
  ]);
});
