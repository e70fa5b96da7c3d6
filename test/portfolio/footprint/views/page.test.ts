import { describe, expect, it } from 'vitest';
import { loadStyle } from '../../../../src/display/terminal/style.ts';
import { engage } from '../../../../src/portfolio/footprint/goal.ts';
import { parseGoal } from '../../../../src/portfolio/footprint/goal-share.ts';
import { renderGoalPage } from '../../../../src/portfolio/footprint/views/goal-page.ts';
import { renderFootprintPage } from '../../../../src/portfolio/footprint/views/page.ts';
import { renderFootprint } from '../../../../src/portfolio/footprint/views/terminal.ts';
import { leftOutNote, notesOf } from '../../../../src/portfolio/footprint/views/words.ts';
import { answersOn, bodyOf, headingsOf, tagsOf } from '../../../support/markup.ts';
import { screenText } from '../../../support/screen.ts';
import { footprintOf } from '../planned.ts';
import { footprint, industry, own, record } from '../portfolio.ts';
import { hostile, manySuppliers, unusual, usual } from './fixture.ts';

const textOf = (page: string) =>
  bodyOf(page)
    .replace(/<[^>]*>/g, ' ')
    .replace(/ +/g, ' ');

/* Returns the cells of the first row of the register by the titles of their columns. */
function firstRow(page: string): Record<string, string> {
  const table = /<table id="rows".*?<\/tr>.*?<\/tr>/s.exec(page)?.[0] ?? '';
  const [head = '', row = ''] = table.split('<tbody>');
  const texts = (markup: string) =>
    markup
      .split(/<t[hd](?=[ >])/)
      .slice(1)
      .map((cell) => `<td${cell}`.replace(/<[^>]*>/g, '').trim());
  const cells = texts(row);
  return Object.fromEntries(texts(head).map((title, index) => [title, cells[index] ?? '']));
}

const style = await loadStyle(0);

describe('the section of the largest suppliers', () => {
  const average = (id: number) =>
    record(
      id,
      [own(2024, [1, 2, 3], { emissions: { scope_1: { total: 1 } } })],
      industry([2024, 0.5]),
    );
  const barsOf = (records: readonly object[]) => {
    const bought = records.map((_, at) => ({ name: `Record ${at + 1}`, spend: `${9 - at}` }));
    const { summary, items } = footprint(bought, records);
    const [, part = ''] = renderFootprintPage(summary, items).split('id="largest-suppliers"');
    return textOf(part.split('</section>')[0] ?? '').replace(/ +([:,)])/g, '$1');
  };
  const lack = 'no scopes 1 and 2 and no purchased goods and services';

  it('says once why most of them have averages, and next to others why these have', () => {
    const unmatched = { ...industry([2024, 0.5]), matching_organization: null };
    const bars = barsOf([average(1), average(2), record(3, [], unmatched)]);
    expect(bars).toContain(
      `· basis (reason for averages: ${lack}, unless a row gives another one) ·`,
    );
    expect(bars).not.toContain(`average of Retail: ${lack}`);
    expect(bars.match(/average of Retail(?!:)/g)).toHaveLength(2);
    expect(bars).toContain('average of Retail: no matched organization');
    expect(barsOf([average(1), average(2)])).toContain(`· basis (reason for averages: ${lack}) ·`);
  });

  it('says why next to the only one', () => {
    const bars = barsOf([average(1)]);
    expect(bars).toContain(`average of Retail: ${lack}`);
    expect(bars).toContain('· basis ·');
  });
});

describe('the section of SBTi targets', () => {
  /* The footprint is of 1 Jan 2026; the third supplier has no emissions, and the fourth no day. */
  const planned = (...days: readonly string[]) =>
    days.map((checkedAt, at) => ({ spend: 10 * (at + 1), factor: at === 2 ? 0 : 1, checkedAt }));
  const of = (...days: readonly string[]) => {
    const { summary, items } = footprintOf(
      planned(...days).map((each) => ({ ...each, status: 'set' })),
    );
    const { lookups } = summary.sbti_coverage;
    const view = { columns: 160, style };
    const screen = (isFull = false) => screenText(renderFootprint(summary, items, view, isFull));
    return { lookups, page: textOf(renderFootprintPage(summary, items)), screen };
  };

  it('says when SBTi was looked up, and for which share more than six months ago', async () => {
    const { lookups, page, screen } = of('2025-06-30T09:00:00Z', '2025-12-20', '2020-01-01', '');
    const old_share = 10 / (10 + 20 + 40);
    expect(lookups).toEqual({
      from: '2025-06-30',
      to: '2025-12-20',
      suppliers: 2,
      old: 1,
      old_share,
    });
    const looked =
      'argets last looked up at SBTi 30 Jun to 20 Dec 2025, more than six months ago for 14% of the emissions';
    // The page has a chart of them beside the answers.
    expect(page).toContain(`100.0% is from suppliers with a validated target T${looked}. `);
    expect((await screen()).replace(/\s+/g, ' ')).toContain(
      ` Targets: 100.0% of these emissions are from suppliers with a validated target (t${looked}) `,
    );
  });

  it('says no more without an old look-up, and nothing without a day', async () => {
    expect(of('2025-12-01').page).toContain(
      'validated target Targets last looked up at SBTi on 1 Dec 2025. ',
    );
    expect(of('', '').page).not.toContain('SBTi looked up');
    expect(await of('', '').screen(true)).toContain('only validated targets count\n');
  });
});

describe('renderFootprintPage', () => {
  const page = renderFootprintPage(usual.summary, usual.items);

  it('has the texts of a table on the left, and its numbers on the right', () => {
    const [, part = ''] = page.split('Table: Why industry averages');
    const heads = /<thead>(.*?)<\/thead>/.exec(part)?.[1];
    expect(heads).toContain('<th scope="col" class="text">Largest</th>');
    expect(heads).toContain('<th scope="col">Suppliers</th>');
  });

  it('has every part', () => {
    expect(headingsOf(page)).toMatchInlineSnapshot(`
      [
        "5% is estimated with industry averages",
        "85.1% is from suppliers with a validated target",
        "Raw materials: 51% of the emissions",
        "Largest suppliers",
        "Whom to ask",
        "Line items",
        "Spend with known emissions",
        "Why industry averages",
        "Sensitivity",
        "Method",
        "How to read this page",
      ]
    `);
  });

  it('shows three digits of the figures that repeat the calculation of a line item', () => {
    expect(firstRow(page)).toMatchInlineSnapshot(`
      {
        "Basis": "own figures",
        "Categories": "1",
        "Category": "Raw materials",
        "Currency": "EUR",
        "Emissions (kg)": "3.86M",
        "Factor": "0.8",
        "Factor 1+2": "–",
        "Factor total": "–",
        "Factor upstream": "–",
        "Factor year": "2023",
        "ID": "1",
        "Industry": "–",
        "Missing categories": "–",
        "No emissions because": "–",
        "Record found by": "ID",
        "Revenue": "1,000.00",
        "Scope 1 (kg)": "200",
        "Scope 2 (kg)": "100",
        "Scope 2 method": "market-based",
        "Share": "51.4%",
        "Spend": "4,820,000.50",
        "Supplier": "Nordwind Stahl GmbH",
        "Target": "target validated",
        "Upstream (kg)": "500",
        "Upstream factor": "–",
        "Why an average": "–",
      }
    `);
    // A pointer and the CSV of the page have all digits.
    expect(page).toMatch(/title="?3,856,000\.4\b/);
  });

  it('has the total as its title, and whom it is from in the figures below', () => {
    expect(page).toMatch(
      /<h1>Your purchases of 2024 caused emissions of 7.51\u00a0million\u00a0kg at 4 of 6 suppliers, 5% estimated with industry averages<\/h1>/,
    );
    expect(page).toMatch(/>7\.51M kg<\/dd><dd class="soft">from 4 of 6 suppliers<\/dd>/);
    expect(page).toMatch(
      />91\.1%[^<]*<\/dd><dd class="soft">of [^<]*; the rest is left out, not 0<\/dd>/,
    );
    expect(answersOn(page).has('How much')).toBe(false);
  });

  it('lists items without emissions last, with their reason', () => {
    const table = /<table id="rows".*?<\/table>/s.exec(page)?.[0] ?? '';
    const coverage = [...table.matchAll(/<td class="(?:t|note) (?:open|errored|synced)">([^<]*)/g)];
    expect(coverage.map(([, text]) => text).filter((text) => text !== 'covered')).toEqual([
      'research in progress: status processing',
      'no record: none has its name and country',
      'excluded: net spend is negative',
      'excluded: spend of 0',
    ]);
  });

  it('shows every warning that the terminal shows', () => {
    const text = textOf(page);
    const { summary } = usual;
    const notes = notesOf(summary).filter((note) => note !== leftOutNote(summary));
    expect(notes.length).toBeGreaterThan(0);
    for (const note of notes) expect(text).toContain(escaped(note));
    // The section says why, and what to do.
    expect(text).toContain('leaves out 2 of 6 line items with spend: Whom to ask lists their');
    expect(text).toMatch(/1 no record: register it Zahnrad Huber\b/);
    expect(text).toMatch(/1 research in progress: wait for the research 株式会社/);
    const other = textOf(renderFootprintPage(unusual.summary, unusual.items));
    expect(other).toContain('Synthetic sandbox data, not real research');
    expect(other).toContain('not a scope 3 category 1 figure');
    expect(other.match(/unit unknown/g)).toHaveLength(1);
    expect(other).toContain('spend of 2023, 2024');
  });

  it('has words for readers: what averages include, which currency, what records show', () => {
    const { summary, items } = usual;
    const page = textOf(renderFootprintPage(summary, items));
    expect(page).toContain('industry averages: boundary unknown');
    expect(page).toContain('The boundary of industry averages is not documented.');
    expect(page).toMatch(/\d\.\d%\u00a0of\u00a0EUR · \d+\.\d%\u00a0of\u00a0USD/);
    expect(page).toContain('run carbon footprint … --goal &quot;67% by 2028&quot;');
    const commandWith = (words: readonly string[]) => `carbon footprint a.csv ${words.join(' ')}`;
    const whole = textOf(renderFootprintPage(summary, items, undefined, commandWith));
    expect(whole).toContain('run carbon footprint a.csv --goal 67% by 2028');
    expect(page).toMatch(/records? (?:shows?|do(?:es)? not show)/);
    expect(page).not.toMatch(/0 nested|Point at a figure/);
    expect(page).toContain('Point at a number to see all its digits.');
  });

  it('says that a file has no spend', () => {
    const { summary, items } = footprint([{ name: 'Acme', id: 1, spend: '0' }], []);
    expect(textOf(renderFootprintPage(summary, items))).toContain(
      'Spend with known emissions – of no spend',
    );
  });

  it('takes no tag and no attribute from any text', () => {
    const text = renderFootprintPage(hostile.summary, hostile.items);
    expect([...tagsOf(text)].filter((tag) => !tagsOf(page).has(tag))).toEqual([]);
    expect(text.match(/<script>/g)).toHaveLength(1);
    expect(bodyOf(text)).not.toMatch(/[\u001b\u202a-\u202e]|NaN|undefined|\[object/u);
  });

  it('lists at most 10,000 items, the largest emitters first, and says how many it omits', {
    tags: ['long'],
  }, () => {
    const { summary, items } = manySuppliers(10_050);
    const large = renderFootprintPage(summary, items);
    const table = /<table id="rows".*/s.exec(large)?.[0] ?? '';
    expect(table.match(/<tr><th scope=row>Zulieferer/g)).toHaveLength(10_000);
    expect(firstRow(large)).toMatchObject({ Emissions: '10.0K' });
    expect(large).toContain(
      'The table lists the 10,000 line items with the largest emissions. The figures above include 50 more, which',
    );
  });
});

describe('renderGoalPage', () => {
  const pageOf = (goal: string) => {
    const purchases = [
      { name: 'Forge AG', id: 1, spend: '80' },
      { name: 'Lone KG', spend: '20' },
    ];
    const near_term = { target_status: 'set' };
    const others = { name: 'Forge AG', status: 'synced', sbti: { data: [{ near_term }] } };
    const records = [record(1, [own(2024, [5, 5, 10])], others)];
    const { summary, entries, disputed } = footprint(purchases, records);
    const today = '2026-11-27';
    const engagement = engage(entries, parseGoal(goal), { today, disputed });
    return textOf(renderGoalPage(summary, { engagement, since: undefined, today, year: 2024 }));
  };

  it('draws spend without emissions as a part of the whole', () => {
    expect(pageOf('90')).toMatch(/80\.0% target validated 1 supplier 20\.0% emissions unknown/);
    expect(pageOf('90 of spend')).not.toContain('emissions unknown');
  });
});

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
    .replace(/ +/g, ' ');
}
