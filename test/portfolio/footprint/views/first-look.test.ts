/* What a reader of a footprint takes from the page at first: ranges, names, and the direction. */
import { describe, expect, it } from 'vitest';
import type { MainCause } from '../../../../src/portfolio/footprint/cause-words.ts';
import { sentencesOf, statements } from '../../../../src/portfolio/footprint/statements.ts';
import type { FootprintSummary } from '../../../../src/portfolio/footprint/totals.ts';
import { answersOf } from '../../../../src/portfolio/footprint/views/answers.ts';
import { methodOf } from '../../../../src/portfolio/footprint/views/method.ts';
import { renderFootprintPage } from '../../../../src/portfolio/footprint/views/page.ts';
import { renderPlainFootprint } from '../../../../src/portfolio/footprint/views/tables.ts';
import { averagesHints, notesOf } from '../../../../src/portfolio/footprint/views/words.ts';
import { footprintSummary } from '../../../../src/portfolio/footprint/views/workbook.ts';
import { answersOn, headingsOf, linesOf } from '../../../support/markup.ts';
import { footprint, industry, own, record } from '../portfolio.ts';

const sbti = (status: string) => ({ sbti: { data: [{ near_term: { target_status: status } }] } });

/* Suppliers with equal spend, of which each emits `emissions` per 1,000 of revenue. */
function suppliers(
  emissions: readonly (readonly [scope1: number, scope2: number, upstream: number])[],
  others: (at: number) => object = () => ({}),
  figures: (at: number) => object = () => ({}),
) {
  const names = emissions.map((_, at) => `Supplier ${at + 1}`);
  return footprint(
    names.map((name, at) => ({ name, id: at + 1, spend: '1000' })),
    emissions.map((parts, at) =>
      record(at + 1, [own(2024, parts, figures(at))], { name: names[at], ...others(at) }),
    ),
    { upstreamFactor: 'additive' },
  );
}

const pageOf = ({ summary, items }: ReturnType<typeof suppliers>) =>
  renderFootprintPage(summary, items);

describe('the part from own records', () => {
  const all = suppliers([
    [30, 19.6, 50.4],
    [30, 19.6, 50.4],
  ]);

  it('has scopes 1 and 2 in every sentence, and is never 100% alone', () => {
    const origin = statements(all.summary).find(({ rule }) => rule === 'origin');
    expect(origin?.text).toBe(
      "50% from scopes 1 and 2 in the suppliers' own records, 50% from other figures in them, usually modeled",
    );
    const page = pageOf(all);
    expect(headingsOf(page)).toContain('None of it is estimated with industry averages');
    // A range would read as doubt about one figure.
    const figure = page
      .replace(/<[^>]+>/g, ' ')
      .replace(/&#39;/g, "'")
      .replace(/\s+/g, ' ');
    expect(figure).toContain(
      "From scopes 1 and 2 in the suppliers' own records 49.6% of the emissions; the other figures in these records, usually modeled, have another 50.4%",
    );
    expect(page).not.toMatch(/100% from|100\.0% of the/);
    expect(page).toContain('scopes 1 and 2 in the suppliers&#39; own records: 49.6%');
    expect(page).toContain('other figures in these records, usually modeled: 50.4%');
  });

  it('says that the parts of own records add up as they are shown', () => {
    expect(pageOf(all)).toContain('Its parts are rounded so that they add up.');
  });

  it('has no explanation of what the page does not show', () => {
    const page = pageOf(all);
    expect(page).not.toMatch(
      /basis “(?:service’s factor|industry average)”|Line items without|Excluded line/,
    );
    expect(page).toContain('basis “own figures”');
  });
});

it('names the largest suppliers whose target is committed or removed', () => {
  const parts = Array.from({ length: 6 }, (_, at) => [10 * (6 - at), 0, 1] as const);
  const page = pageOf(suppliers(parts, (at) => sbti(at === 5 ? 'removed' : 'committed')));
  expect(page).toContain('>5 suppliers: Supplier 1, Supplier 2, Supplier 3 and 2 more</span>');
  expect(page).toContain('>1 supplier: Supplier 6</span>');
});

it('says nothing of targets if most of the spend has no emissions', () => {
  const { summary } = suppliers([[70, 0, 1]], () => sbti('set'));
  const targetsIn = (some: FootprintSummary) =>
    answersOf(some).filter(({ question }) => question === 'targets');
  expect(targetsIn(summary)).toHaveLength(1);
  const spend = { EUR: { ...summary.spend['EUR'], total: 1_000, covered: 400 } };
  expect(targetsIn({ ...summary, spend } as FootprintSummary)).toEqual([]);
});

describe('the first steps', () => {
  const stepsOf = (summary: FootprintSummary) =>
    answersOf(summary).flatMap(({ question, text }) => (question === 'steps' ? text : []));

  it.each([
    ['set', 'how it is meeting its validated target'],
    ['committed', 'when SBTi validates its target'],
    ['removed', 'why SBTi removed its target or commitment, and for a new target'],
    ['none', 'for a near-term target'],
    ['unheard of', undefined],
  ])('ask the largest supplier, if on own figures, about its target: %s', (status, ask) => {
    const parts = [
      [70, 0, 1],
      [20, 0, 1],
    ] as const;
    const { summary } = suppliers(parts, () => sbti(status));
    const said = ask === undefined ? [] : [`Ask Supplier 1 (77.2%, the largest) ${ask}`];
    expect(stepsOf(summary)).toEqual(said);
    const [first, ...others] = summary.largest;
    if (first === undefined) throw new Error('The footprint has no supplier.');
    const onAverages = { ...first, basis: 'industry' as const };
    expect(stepsOf({ ...summary, largest: [onAverages, ...others] })).toEqual([]);
  });

  it('ask the buyers if more spend is the main cause', () => {
    const { summary } = suppliers([[70, 0, 1]]);
    const change = { from: 2023, to: 2024, change_without_data: 0.1, effects: [] };
    const spent_more_with = [
      { supplier: 'Supplier 1', id: 1, emissions: 5 },
      { supplier: null, id: 7, emissions: 2 },
    ];
    const stepsAfter = (main_cause: MainCause | null) =>
      stepsOf({ ...summary, trend: { ...change, main_cause, spent_more_with } });
    const ask =
      'Ask your own buyers why you spent more with Supplier 1 and ID 7 than in 2023: more goods or higher prices?';
    expect(stepsAfter({ cause: 'spend', spent: 'more' })).toContain(ask);
    for (const other of [
      { cause: 'spend', spent: 'less' },
      { cause: 'spend', spent: null },
      { cause: 'suppliers', spent: null },
      null,
    ] as const)
      expect(stepsAfter(other)).not.toContain(ask);
    // The trend has what that added, unless its unit is in doubt.
    const main_cause = { cause: 'spend', spent: 'more' } as const;
    const trend = { ...change, main_cause, spent_more_with };
    const [only] = summary.years;
    const previous = only === undefined ? null : { ...only, year: 2023 };
    const trendOf = (doubts: FootprintSummary['implausible_kg_per_spend']) =>
      answersOf({
        ...summary,
        years: summary.years.map((each) => ({ ...each, year: 2024 })),
        unit: 'kg',
        implausible_kg_per_spend: doubts,
        trend,
        previous,
      }).find(({ question }) => question === 'way')?.text;
    expect(trendOf({})).toContain('(above all with Supplier 1 +5 kg and ID 7 +2 kg)');
    expect(trendOf({ EUR: 70 })).toContain('(above all with Supplier 1 and ID 7)');
  });
});

it('has a title about its bars if two thirds are more suppliers', () => {
  const parts = Array.from({ length: 30 }, () => [10, 0, 1] as const);
  const { summary, items } = suppliers(parts);
  expect(summary.two_thirds?.suppliers).toBe(20);
  const headings = headingsOf(renderFootprintPage(summary, items));
  expect(headings).toContain('The 10 largest suppliers make up 33% of the emissions');
});

it('says how much another choice of the method would change', () => {
  const { summary } = suppliers([[100, 0, 100]], () => industry([2024, 0.3]));
  expect(statements(summary)).toContainEqual(
    expect.objectContaining({
      rule: 'sensitivity',
      text: 'With industry averages wherever a record has one, the emissions would be 50.0% higher: another choice of method, not an error margin',
    }),
  );
  const some = suppliers(
    [
      [100, 0, 100],
      [100, 0, 700],
    ],
    (at) => (at === 0 ? industry([2024, 0.3]) : {}),
  );
  expect(statements(some.summary)).toContainEqual(
    expect.objectContaining({
      rule: 'sensitivity',
      text: 'If 1 line item on own figures used industry averages, the total would be 10.0% higher: another choice of method, not an error margin',
      line_items: 1,
      replaced_change: expect.closeTo(0.5, 12),
    }),
  );
  const three = [
    [100, 0, 100],
    [100, 0, 100],
    [1, 0, 1],
  ] as const;
  // The last one has only an average.
  const mixed = suppliers(
    three,
    () => industry([2024, 0.3]),
    (at) => (at === 2 ? { emissions: {} } : {}),
  );
  expect(statements(mixed.summary)).toContainEqual(
    expect.objectContaining({
      rule: 'sensitivity',
      text: 'If 2 line items on own figures used industry averages, too, the total would be 28.6% higher: another choice of method, not an error margin',
    }),
  );
  const small = suppliers([[100, 0, 100]], () => industry([2024, 0.208]));
  expect(statements(small.summary).map(({ rule }) => rule)).not.toContain('sensitivity');
});

it('says that figures mix both methods of scope 2', () => {
  const methods = (at: number) =>
    at === 0
      ? {
          emissions: {
            scope_1: { total: 122 },
            scope_2: { total_location_based: 5 },
            scope_3: { purchased_goods_and_services: 1 },
          },
        }
      : {};
  const parts = [
    [10, 5, 1],
    [10, 5, 1],
    [10, 5, 1],
  ] as const;
  const { summary } = suppliers(parts, undefined, methods);
  const note =
    'Own figures mix market-based scope 2 (2 suppliers, 20% of the emissions from own figures) and location-based scope 2 (1 supplier, 80%)';
  expect(notesOf(summary)).toContain(note);
  expect(notesOf(suppliers(parts).summary).join()).not.toContain('mix');
});

describe('whom to ask for figures of their own', () => {
  const asked = (number: number) => {
    const names = Array.from({ length: number }, (_, at) => `Average ${at + 1}`);
    return footprint(
      [
        { name: 'Own', id: 99, spend: '9000' },
        ...names.map((name, at) => ({ name, id: at + 1, spend: String(1000 * (at + 1)) })),
      ],
      [
        record(99, [own(2024, [10, 5, 1])], { name: 'Own' }),
        ...names.map((name, at) => record(at + 1, [], { name, ...industry([2024, 0.5]) })),
      ],
      { upstreamFactor: 'additive' },
    );
  };

  const ask = (names: string, suppliers: string) =>
    `Ask ${names} for scopes 1 to 3 and the revenue of 2024 (${suppliers} no figures in the record)`;

  it('names the largest suppliers on averages, with their parts', () => {
    const made = asked(5);
    // 9,000 × 0.016 of its own, and half of 15,000 by averages.
    const names = 'Average 5 (32.7%), Average 4 (26.2%) and 3 more';
    const text = ask(names, '98% of the emissions: 5 suppliers on averages have');
    expect(averagesHints(made.summary)[0]).toBe(text);
    const page = pageOf(made);
    expect(answersOn(page).get('First steps')).toEqual([
      'Check the industries behind the largest averages (at least 3% of the emissions), and tell the service if one is wrong: Average 5, Average 4, Average 3, Average 2 and Average 1 (Retail)',
      text,
    ]);
    expect(page).toMatch(
      /<dt>5<\/dt><dd>have no figures in the record: ask for scopes 1 to 3 and the revenue of 2024 <span class="soft"><span class="screen">Average 5 \(32.7%\), .*, Average 1 \(6.5%\)<\/span><span class="paper">[^<]*Average 3 \(19.6%\) and 2 more in the table below<\/span>/,
    );
    expect(renderPlainFootprint(made.summary, made.items)).toContain(
      `statement: First steps: 2. ${text}\n`,
    );
    const { parts } = footprintSummary(made.summary, String);
    // The first steps say it already.
    expect(JSON.stringify(parts)).not.toContain(text);
    expect(made.summary.on_averages.suppliers).toBe(5);
  });

  it('says how to reach them, and what to do about suppliers without emissions', () => {
    const made = footprint(
      [
        { name: 'Site', id: 1, spend: '3000' },
        { name: 'Matched', id: 2, spend: '2000' },
        { name: 'Failed', id: 3, spend: '1000' },
      ],
      [
        record(1, [], {
          name: 'Site',
          website: 'https://www.site.example/',
          ...industry([2024, 0.5]),
        }),
        record(2, [], {
          name: 'Matched',
          matching_organization: { id: 9, websites: [{ value: 'matched.example' }] },
          ...industry([2024, 0.5]),
        }),
        record(3, [], { name: 'Failed', status: 'errored' }),
      ],
    );
    expect(averagesHints(made.summary)[0]).toBe(
      ask(
        'Site (60.0%, www.site.example), Matched (40.0%, matched.example)',
        '100% of the emissions: 2 suppliers on averages have',
      ),
    );
    expect(pageOf(made)).toContain(
      '<dt>1</dt><dd>research failed: ask the service <span class="soft">Failed</span></dd>',
    );
  });

  it('names three rows to correct with their lines, which no table here has', () => {
    const ids = [1, 2, 3, 4];
    const unmatched = { matching_organization: null, ...industry([2024, 0.5]) };
    const made = footprint(
      ids.map((id) => ({ name: `Row ${id}`, id, spend: String(1_000 * id) })),
      ids.map((id) => record(id, [], { name: `Row ${id}`, ...unmatched })),
    );
    expect(averagesHints(made.summary)[0]).toMatch(
      /^Match 4 suppliers, Row 4 \(40\.0%, line 5\), Row 3 \(30\.0%, line 4\), Row 2 \(20\.0%, line 3\) and 1 more: /,
    );
  });

  it('names nobody without averages', () => {
    expect(averagesHints(asked(0).summary)).toEqual([]);
    expect(pageOf(asked(0))).not.toContain('Whom to ask');
  });
});

describe('the total', () => {
  const boughtIn = (...years: readonly (number | undefined)[]) =>
    footprint(
      years.map((year) => ({ name: 'A', id: 1, spend: '1000', year })),
      [record(1, [own(2024, [60, 30, 10])], { name: 'A' })],
      { upstreamFactor: 'additive', maxFactorAge: 1 },
    );
  const firstOf = ({ summary }: ReturnType<typeof footprint>) => sentencesOf(summary)[0]?.text;

  it.each([
    [[2024], 'Your purchases of 2024 caused emissions of 100'],
    [[undefined], 'Your purchases without a year caused emissions of 100'],
    [[2023, 2024], 'Your purchases caused emissions of 100 in 2023 and 100 in 2024'],
    [[2024, undefined], 'Your purchases caused emissions of 100 in 2024 and 100 without a year'],
    // Figures of 2024 are too old for 2026.
    [
      [2024, 2026],
      'Your purchases caused known emissions of 100 in 2024; those of 2026 are unknown',
    ],
  ])('of %j says of which purchases it is', (years, text) => {
    expect(firstOf(boughtIn(...years))).toBe(text);
  });

  it('stands alone in the first cell of a workbook, and its suppliers in the next one', () => {
    const made = boughtIn(2024);
    expect(linesOf(footprintSummary(made.summary, String)).slice(0, 2)).toEqual([
      'Your purchases of 2024 caused emissions of 100',
      'How much: 100, from 1 of 1 supplier; all spend has emissions',
    ]);
  });
});

describe('how sure the total is', () => {
  const mixed = (averages: number) =>
    footprint(
      [
        { name: 'Own', id: 1, spend: '1000' },
        { name: 'Average', id: 2, spend: String(averages) },
      ],
      [
        record(1, [own(2024, [60, 30, 10])], { name: 'Own', ...industry([2024, 0.3]) }),
        record(2, [], { name: 'Average', ...industry([2024, 0.1]) }),
      ],
      { upstreamFactor: 'additive' },
    );

  it.each([
    [3000, '75%', 'Good for choosing whom to ask first, not for quoting'],
    [500, '33%', 'When quoting, say how much is estimated'],
  ])('stands in the title, and what the total is good for below it', (averages, part, use) => {
    const made = mixed(averages);
    const page = pageOf(made);
    expect(page).toMatch(
      new RegExp(
        `<h1>Your purchases of 2024 caused emissions of [^<,]*, ${part} estimated with industry averages</h1>`,
      ),
    );
    const [unit, of] = answersOn(page).get('How sure') ?? [];
    expect(unit).toMatch(
      /^Quote no amount before its unit is known: compare one .*, then add --unit$/,
    );
    expect(of?.startsWith(`${use}: `)).toBe(true);
  });

  it('says what another method would change where a record allows one', () => {
    // 100 of its own or 300 by the average, and 300 by the average.
    const sure = (made: ReturnType<typeof footprint>) =>
      answersOn(pageOf(made)).get('How sure')?.join(' ');
    const said = 'If 1 line item on own figures used';
    expect(sure(mixed(3000))).toContain(`${said} industry averages, too, the total would be 50.0%`);
    const { summary, ...others } = mixed(3000);
    const asOne = { ...others, summary: { ...summary, alternatives: [] } };
    expect(sure(asOne)).not.toContain('choice of method');
  });

  it('says that the unit is a setting, and how much it makes of the spend', () => {
    const { summary } = mixed(3000);
    const said = (unit: 'kg' | 't' | null, kg_per_spend: Readonly<Record<string, number>>) =>
      answersOf({ ...summary, unit, kg_per_spend }).flatMap(({ text }) =>
        text.startsWith('The unit is a setting') ? text : [],
      );
    expect(said('kg', { EUR: 1.507, USD: 0.68 })).toEqual([
      'The unit is a setting (--unit kg), because the records have none: it makes 1.51 kg per EUR and 0.68 kg per USD of spend (plausible: at most 10; cement has about 4 kg per USD)',
    ]);
    expect(said('t', {})).toEqual([
      'The unit is a setting (--unit t), because the records have none',
    ]);
    expect(said(null, {})).toEqual([]);
  });
});

it('counts records of the suppliers bought from, and says how many decide', () => {
  const shows = { total_upstream_emission_factor: 0.1 };
  const parts = [100, 100, 100] as const;
  const records = [1, 2, 3].map((id) =>
    record(id, [own(2024, parts, shows)], { name: `Supplier ${id}` }),
  );
  const { summary } = footprint([{ name: 'Supplier 1', id: 1 }], records);
  const method = Object.fromEntries(methodOf(summary));
  expect(method['upstream factor']).toContain(
    'of the 1 record of the suppliers bought from: 1 shows that it excludes scopes 1 and 2; of all 3 records: 3 show that it excludes scopes 1 and 2',
  );
});

it('says that a supplier bought from in two currencies has two records', () => {
  const records = ['EUR', 'USD'].map((currency) => ({
    ...record(1, [own(2024, [100, 100, 100], { revenue_currency: currency })], { name: 'A' }),
    retrieved_at: '2026-01-01T00:00:00Z',
  }));
  const bought = ['EUR', 'USD'].map((currency) => ({ name: 'A', id: 1, currency }));
  const { summary } = footprint(bought, records);
  const method = Object.fromEntries(methodOf(summary));
  expect(summary.suppliers).toBe(1);
  expect(method['upstream factor']).toContain(
    'of the 2 records of 1 supplier bought from (one for each currency): 2 do not show it',
  );
});

it('promises websites on the page only if a record has one', () => {
  const pageWith = (website: string | null) => {
    const average = { name: 'A', website, ...industry([2024, 0.5]) };
    const made = footprint([{ name: 'A', id: 1 }], [record(1, [], average)]);
    return renderFootprintPage(made.summary, made.items);
  };
  expect(pageWith('a.example')).toContain('and their website if the record has one');
  expect(pageWith(null)).not.toContain('their website');
  expect(pageWith(null)).toContain('Categories lists the numbers of the upstream categories');
});

describe('numbers of suppliers next to a share of the emissions', () => {
  const target = (status: string) => ({
    sbti: { data: [{ near_term: { target_status: status } }] },
  });
  const { summary, items } = footprint(
    [1, 2, 3, 4].map((id) => ({ name: `Supplier ${id}`, id })),
    [
      record(1, [own(2024, [1, 2, 3])], { name: 'Supplier 1', ...target('set') }),
      record(2, [], { name: 'Supplier 2', ...target('set') }),
      record(3, [], { name: 'Supplier 3' }),
      record(4, [own(2024, [1, 2, 3])], { name: 'Supplier 4', ...target('none') }),
    ],
  );

  it('are of those with emissions, and the others are apart', () => {
    const { targets } = summary.sbti_coverage;
    expect(targets).toMatchObject([
      { status: 'set', suppliers: 2, covered_suppliers: 1, by_emissions: 0.5 },
      { status: 'none', suppliers: 1, covered_suppliers: 1, by_emissions: 0.5 },
      { status: 'unknown', suppliers: 1, covered_suppliers: 0, by_emissions: 0 },
    ]);
    expect(renderPlainFootprint(summary, items)).toContain(
      'sbti near-term targets set: suppliers 2, with_emissions 1, share_of_emissions 50.0%',
    );
    const page = renderFootprintPage(summary, items);
    expect(page).toContain('>1 supplier, plus 1 with unknown emissions<');
    expect(page).toContain('>1 supplier with unknown emissions<');
    expect(page).toContain('>1 supplier<');
  });

  it('are the only ones if all have emissions', () => {
    const [, , , all] = items;
    const made = footprint(
      [{ name: 'Supplier 4', id: 4 }],
      [record(4, [own(2024, [1, 2, 3])], { name: 'Supplier 4' })],
    );
    expect(all?.emissions).toBeGreaterThan(0);
    expect(renderPlainFootprint(made.summary, made.items)).not.toContain('with_emissions');
  });
});

describe('the direction', () => {
  const twoYears = footprint(
    [2023, 2024].map((year) => ({ name: 'A', id: 1, spend: String(year - 1_923), year })),
    [record(1, [own(2023, [10, 0, 10]), own(2024, [10, 0, 10])], { name: 'A' })],
    { upstreamFactor: 'additive' },
  );

  const trend = {
    from: 2023,
    to: 2024,
    change_without_data: 0.096,
    effects: [],
    main_cause: null,
    spent_more_with: [],
  };
  const known = ['method_and_data', 'coverage'] as const;

  it('is that of the two last years of the file', () => {
    const known = { ...twoYears.summary, trend };
    expect(statements(known)).toContainEqual(
      expect.objectContaining({
        rule: 'direction',
        change: expect.closeTo(0.01, 12),
        change_without_data: 0.096,
      }),
    );
    const commandWith = (words: readonly string[]) => `carbon footprint a.csv ${words.join(' ')}`;
    expect(linesOf(footprintSummary(known, commandWith))).toContain(
      'Trend: +1.0% from 2023 to 2024, none of it from data changes (of method, data or coverage); to see why, run carbon footprint a.csv --compare 2023 --year 2024',
    );
  });

  it.each([
    [
      '+9.6% from 2023 to 2024 without data changes (of method, data and coverage); use it, not the change as calculated (+1.0%, because what is known changed, too); to see why, add --compare 2023 --year 2024',
      { ...trend, effects: known },
    ],
    [
      '+9.6% from 2023 to 2024 without data changes (of method, data and coverage), mainly because you spent more; use it, not the change as calculated (+1.0%, because what is known changed, too); for all causes, add --compare 2023 --year 2024',
      {
        ...trend,
        effects: known,
        main_cause: { cause: 'spend' as const, spent: 'more' as const },
      },
    ],
    [
      '+9.6% from 2023 to 2024 without data changes (of method, data and coverage); use it, not the change as calculated (+1.0%, mainly because of data changes); for all causes, add --compare 2023 --year 2024',
      {
        ...trend,
        effects: known,
        main_cause: { cause: 'data' as const, spent: null },
      },
    ],
    [
      '+1.0% from 2023 to 2024, with or without data changes (of currency); to see why, add --compare 2023 --year 2024',
      { ...trend, change_without_data: 0.010_01, effects: ['currency_change'] as const },
    ],
    [
      'Not to be quoted: emissions rose 1.0% from 2023 to 2024, including data changes (of method, data and coverage); to see the change without them, and why, add --compare 2023 --year 2024',
      null,
    ],
  ])('says which change to use, and why: %s', (text, found) => {
    const said = statements({ ...twoYears.summary, trend: found });
    expect(said.find(({ rule }) => rule === 'direction')?.text).toBe(text);
  });

  it('is that since the year before the chosen one, unless most of its spend is uncovered', () => {
    const one = suppliers([[10, 0, 1]]);
    const [later] = one.summary.years;
    if (later === undefined) throw new Error('The footprint has no year.');
    const previous = { ...later, year: 2023, emissions: (later.emissions ?? 0) * 2 };
    const rules = (earlier: typeof previous) =>
      statements({ ...one.summary, previous: earlier }).map(({ rule }) => rule);
    expect(rules(previous)).toContain('direction');
    const { text } =
      statements({ ...one.summary, previous }).find(({ rule }) => rule === 'direction') ?? {};
    expect(text).toMatch(/^Not to be quoted: emissions fell 50\.0% from 2023 to 2024, /);
    expect(rules({ ...previous, spend: { EUR: { total: 100, covered: 40 } } })).not.toContain(
      'direction',
    );
  });

  it('is a command in one line for a footprint of one year', () => {
    const one = suppliers([[10, 0, 1]]);
    const hint =
      'No earlier spend, so no direction: save a footprint of 2023 (carbon footprint <purchases of 2023> --json > 2023.ndjson), then add --compare 2023.ndjson';
    expect(renderPlainFootprint(one.summary, one.items)).toContain(`statement: Trend: ${hint}\n`);
    expect(answersOn(pageOf(one)).get('Trend')).toEqual([
      hint.replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    ]);
    const { method } = one.summary;
    const chosen = { ...one.summary, method: { ...method, file_years: [2022, 2023, 2024] } };
    expect(renderPlainFootprint(chosen, one.items)).toContain(
      'statement: Trend: To see what changed since 2023, add --compare 2023\n',
    );
    expect(renderPlainFootprint(twoYears.summary, twoYears.items)).not.toContain('No earlier');
  });
});
