import { describe, expect, it } from 'vitest';
import { openingSection } from '../../../src/display/terminal/opening.ts';
import { renderSections } from '../../../src/display/terminal/section.ts';
import { plainStyle } from '../../../src/display/terminal/style.ts';

const style = { ...plainStyle, bold: (text: string) => `*${text}*` };

const opening = openingSection({
  about: ['3 companies', 'records retrieved 1 Oct 2026'],
  mark: 'Synthetic',
  alert: 'Implausible: check the unit',
  statements: [
    { text: 'The emissions rose 3%, by 1 t', parts: () => ['2024 5 → 2025 6'] },
    { question: 'amount', text: '6 t' },
  ],
  facts: [['unit', 't']],
});

/* Returns the lines in a terminal. */
async function linesAt(columns: number): Promise<readonly string[]> {
  return (await renderSections([opening], [], { style, columns })).trimEnd().split('\n');
}

describe('openingSection', () => {
  it('begins with the title in a terminal, before what it is about and any alert', async () => {
    expect(await linesAt(60)).toEqual([
      '*The emissions rose 3%, by 1 t*   2024 5 → 2025 6',
      '  3 companies · records retrieved 1 Oct 2026 · *Synthetic*',
      '  *!* Implausible: check the unit',
      '  *How much:* 6 t',
    ]);
  });

  it('has the parts of a title below it if they have no room after it', async () => {
    expect(await linesAt(40)).toEqual([
      '*The emissions rose 3%, by 1 t*',
      '  2024 5 → 2025 6',
      '  3 companies',
      '  records retrieved 1 Oct 2026',
      '  *Synthetic*',
      '  *!* Implausible: check the unit',
      '  *How much:* 6 t',
    ]);
  });
});
