import { expect, it } from 'vitest';
import {
  amount,
  factLines,
  renderPlainSections,
  renderSections,
  screenOf,
  tableSection,
  text,
} from '../../../src/display/terminal/section.ts';
import { loadStyle, plainStyle } from '../../../src/display/terminal/style.ts';

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

it('draws the shares of a table where pictures are shown and there is room', async () => {
  const shares = tableSection<[string, number]>({
    title: 'Largest suppliers',
    head: 'Supplier',
    label: ([name]) => name,
    columns: [amount<[string, number]>('emissions', 'Emissions', ([, share]) => 4_000 * share)],
    rows: [
      ['Tokyo Precision KK', 0.56],
      ['Lone Star Chemicals LLC', 0.25],
      ['Acme AG', 0],
    ],
    bar: ([, share]) => share,
  });
  const draw = (columns: number, pictures: boolean) =>
    renderSections([shares], [], { style: plainStyle, columns, pictures });
  expect(await draw(80, true)).toMatchInlineSnapshot(`
    "Largest suppliers
      Supplier                 Emissions
      ───────────────────────  ─────────  ──────
      Tokyo Precision KK           2,240  █████▋
      Lone Star Chemicals LLC      1,000  ██▌
      Acme AG                          0
    "
  `);
  const without = await draw(80, false);
  expect(without).not.toMatch(/[\u2581-\u258f]/);
  expect(await draw(40, true)).toBe(await draw(40, false));
  expect(renderPlainSections([shares], [])).not.toMatch(/[\u2580-\u258f]/);
});

it('escapes control characters in titles, notes and what comes last', async () => {
  const hostile = (what: string) => `${what} \u001b[31mRed\u0007\u202e\nError: forged`;
  const section = {
    name: hostile('Title'),
    note: hostile('Note'),
    prefix: hostile('prefix'),
    facts: [{ label: hostile('label'), details: [[hostile('name'), hostile('value')] as const] }],
  };
  const notes = [hostile('First'), hostile('Second')];
  const view = { style: plainStyle, columns: 200 };
  const { text, more } = screenOf(
    await renderSections([section], notes, view),
    hostile('Last'),
    view,
  );
  const pipe = renderPlainSections([section], notes);
  const safe = '\ufffd[31mRed\ufffd\ufffd Error: forged';
  expect(text + more).toBe(
    [
      `Title ${safe}  Note ${safe}`,
      `  Label ${safe}  name ${safe} value ${safe}`,
      '',
      `! First ${safe}`,
      `! Second ${safe}`,
      '',
      `Last ${safe}`,
      '',
    ].join('\n'),
  );
  expect(pipe).not.toMatch(/(?!\n)\p{C}/u);
  expect(pipe.split('\n').slice(1)).toEqual([`note: First ${safe}`, `note: Second ${safe}`, '']);
});
