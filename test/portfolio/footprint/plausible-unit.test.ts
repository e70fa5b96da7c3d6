import { describe, expect, it } from 'vitest';
import { engage } from '../../../src/portfolio/footprint/goal.ts';
import { parseGoal } from '../../../src/portfolio/footprint/goal-share.ts';
import { answersOf } from '../../../src/portfolio/footprint/views/answers.ts';
import { goalMembers, renderPlainGoal } from '../../../src/portfolio/footprint/views/goal.ts';
import { renderGoalPage } from '../../../src/portfolio/footprint/views/goal-page.ts';
import { renderFootprintPage } from '../../../src/portfolio/footprint/views/page.ts';
import { notesOf } from '../../../src/portfolio/footprint/views/words.ts';
import { footprint, industry, own, record } from './portfolio.ts';

/* Emissions per unit of spend, in the unit that is declared. */
const perSpend = (factor: number, unit?: 'kg' | 't', currency = 'EUR') => {
  const average = industry([2024, factor]);
  const performances = average.industry.performances.map((each) => {
    return { ...each, revenue_currency: currency };
  });
  const { summary } = footprint(
    [{ name: 'Record 1', spend: '4', currency }],
    [record(1, [], { industry: { ...average.industry, performances } })],
    { unit },
  );
  const note = notesOf(summary).find((each) => each.startsWith('Implausible'));
  return { note, amounts: summary.implausible_kg_per_spend };
};

describe('a declared unit', () => {
  it.each([
    ['t', 0.01, undefined],
    ['t', 0.0101, '10.1 kg per EUR', '0.0404 kg, 0.0101 kg per EUR'],
    ['t', 0.6, '600 kg per EUR', '2.4 kg, 0.6 kg per EUR'],
    // Nor can that be right.
    ['t', 10.1, '10,100 kg per EUR'],
    ['kg', 10, undefined],
    ['kg', 10.1, '10.1 kg per EUR'],
    ['kg', 0.6, undefined],
  ] as const)(
    'of %s with %d per euro is in doubt only above 10 kg',
    (unit, factor, words, other?: string) => {
      const { note, amounts } = perSpend(factor, unit);
      expect(Object.keys(amounts)).toEqual(words === undefined ? [] : ['EUR']);
      expect(note).toBe(
        words &&
          `Implausible: ${words}; even cement has about 4 kg per USD (US EPA)${other === undefined ? '' : `; with --unit kg it would be ${other}`}. The records have no unit: check --unit ${unit}. Shares, ranks and changes in percent hold if all amounts are wrong by the same factor`,
      );
    },
  );

  it('is in doubt for no other currency, and not unless it is declared', () => {
    expect(perSpend(0.6, 't', 'JPY')).toEqual({ note: undefined, amounts: {} });
    expect(perSpend(600)).toEqual({ note: undefined, amounts: {} });
    expect(Object.keys(perSpend(0.6, 't', 'USD').amounts)).toEqual(['USD']);
  });
});

describe('what may make all amounts wrong', () => {
  const made = (...years: readonly number[]) => {
    const suppliers = years.map((year) => ({ name: 'Record 1', spend: '4', year }));
    const one = record(1, [], industry(...years.map((year) => [year, 600] as const)));
    return footprint(suppliers, [one], { unit: 'kg' });
  };
  const alert = 'Implausible: 600 kg per EUR;';

  it('stands alone below the title of a page', () => {
    const { summary, items } = made(2024);
    const page = renderFootprintPage(summary, items);
    expect(page).toMatch(
      new RegExp(
        `</h1><p class="alert">${alert} [^<]*\\(US EPA\\)\\. The records have no unit: check --unit kg\\. [^<]*\\.</p>`,
      ),
    );
    expect(page.split(alert)).toHaveLength(2);
  });

  it('is a note of a goal, whose shares are the same in every unit', () => {
    const { summary, entries } = made(2024);
    const engagement = engage(entries, parseGoal('67'), { today: '2026-11-27' });
    const result = { engagement, since: undefined, today: '2026-11-27', year: 2024 };
    const note =
      "The unit of the suppliers' emissions is in doubt (--unit kg); shares hold if all amounts are wrong by the same factor";
    const page = renderGoalPage(summary, result);
    expect(page).not.toContain('class="alert"');
    expect(page).toContain(`${note.replace("'", '&#39;')}: “?” marks them.`);
    expect(goalMembers(result, summary).notes).toContain(note);
    const text = renderPlainGoal(summary, result);
    expect(text).toContain(`\nnote: ${note}\n`);
    expect(page + text).not.toContain('Implausible');
  });

  it('marks each amount of a page, and says so after its commands', () => {
    const suppliers = ['Record 1', 'Record 2'].map((name) => ({ name, spend: '4' }));
    const sbti = { data: [{ near_term: { target_status: 'Targets set' } }] };
    const records = [1, 2].map((id) => record(id, [], { ...industry([2024, 0.6]), sbti }));
    const { summary, items } = footprint(suppliers, records, { unit: 't' });
    const command = (words: readonly string[]) => `carbon footprint --unit t ${words.join(' ')}`;
    const page = renderFootprintPage(summary, items, undefined, command);
    const body = page.replace(/<header.*<\/header>/s, '');
    expect(body).toContain('>2.4 t ? · 50.0%</text>');
    expect(body).toContain('Emissions (t ?)');
    expect(body).toContain('Factor ? 0.6');
    expect(page).toContain('“?” marks');
    expect(body).not.toMatch(/\d t\b(?! \?| \(implausible)/);
    expect(body).toContain('(first check ');
  });

  it('is in the title, and how to check it is the first step', () => {
    const { summary } = footprint(
      [
        { name: 'Record 1', spend: '4' },
        { name: 'Record 2', spend: '1' },
      ],
      [record(1, [], industry([2024, 600])), record(2, [own(2024, [300_000, 0, 300_000])])],
      { unit: 'kg' },
    );
    const texts = answersOf(summary).map(({ text }) => text);
    expect(texts[0]).toBe(
      'Your purchases of 2024 caused emissions of 3,000 kg (implausible: check the unit), 80% estimated with industry averages',
    );
    // The doubt is about the amount, not about of whom it is.
    const some = { ...summary, covered_suppliers: 1, covered_line_items: 1 };
    expect(answersOf(some)[0]?.text).toMatch(
      / 3,000 kg \(implausible: check the unit\) at 1 of 2 supp/,
    );
    expect(answersOf(summary).find(({ question }) => question === 'steps')?.text).toBe(
      'Check the unit before you use any amount: compare Record 2 with its own report (carbon get 2 --full lists its sources), or ask the service for its unit; then correct --unit kg',
    );
    const plausible = footprint(
      [{ name: 'Record 1', spend: '4' }],
      [record(1, [], industry([2024, 6]))],
      { unit: 'kg' },
    );
    expect(
      answersOf(plausible.summary)
        .map(({ text }) => text)
        .join(),
    ).not.toContain('the unit');
  });

  it('names the years that it is of, if they are several', () => {
    expect(notesOf(made(2024).summary).join()).not.toContain('together');
    expect(notesOf(made(2023, 2024).summary).join()).toContain(
      'Implausible: 600 kg per EUR (2023 and 2024 together);',
    );
  });
});
