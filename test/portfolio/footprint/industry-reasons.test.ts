/* Why a line item has an industry average, and what to do about it: one test for each branch. */
import { describe, expect, it } from 'vitest';
import { currenciesToSync } from '../../../src/cli/commands/portfolio/footprint/notices.ts';
import { engage } from '../../../src/portfolio/footprint/goal.ts';
import { parseGoal } from '../../../src/portfolio/footprint/goal-share.ts';
import { lackWords, type MissingPart } from '../../../src/portfolio/footprint/line-item.ts';
import { goalNotes } from '../../../src/portfolio/footprint/views/goal-notes.ts';
import { renderGoalPage } from '../../../src/portfolio/footprint/views/goal-page.ts';
import { goalStatements } from '../../../src/portfolio/footprint/views/goal-statements.ts';
import { renderFootprintPage } from '../../../src/portfolio/footprint/views/page.ts';
import { tablesOf } from '../../../src/portfolio/footprint/views/tables.ts';
import { averagesHints, lackText, notesOf } from '../../../src/portfolio/footprint/views/words.ts';
import { unmatchedStep } from '../../../src/portfolio/organizations/correction.ts';
import { withoutOptions } from '../../support/markup.ts';
import { footprint, industry, own, record, service } from './portfolio.ts';

const average = industry([2024, 0.5]);

it('says that an industry average is too old as well, so that nothing is known', () => {
  const made = (years: readonly [own: number, average: number]) =>
    footprint(
      [{ name: 'Old', id: 1, year: 2024 }],
      [record(1, [own(years[0], [1, 2, 3])], { name: 'Old', ...industry([years[1], 0.5]) })],
    ).items[0];
  expect(made([2016, 2017])).toMatchObject({
    emissions: null,
    uncovered: 'too_old',
    uncovered_detail:
      'figures are of 2016 and the industry average is of 2017, more than 5 years before 2024',
  });
  // A newer average is used.
  expect(made([2016, 2023])).toMatchObject({
    basis: 'industry',
    uncovered: null,
    reason: 'too_old',
  });
});
const notMatched =
  'not matched: fill a new column Website for all their rows, then run carbon sync --map website=Website';
const buy = [{ name: 'Record 1' }];
const { emissions, ...revenue } = own(2024, [1, 2, 3]);

type Case = readonly [
  reason: keyof typeof lackWords,
  performances: readonly object[],
  others: object,
  text: string,
  step: string,
  missing?: readonly MissingPart[],
];

const [both, category1] = ['scopes_1_and_2', 'purchased_goods_and_services'] as const;

const cases: readonly Case[] = [
  [
    'in_progress',
    [],
    { status: 'processing' },
    'research in progress: status processing',
    'wait for the research',
  ],
  ['errored', [], { status: 'errored' }, 'research failed', 'ask the service'],
  ['unmatched', [], { matching_organization: null }, 'no matched organization', unmatchedStep],
  [
    'unmatched',
    [revenue],
    { matching_organization: null },
    'no matched organization',
    unmatchedStep,
  ],
  [
    'no_performance',
    [],
    {},
    'no figures in the record',
    'ask for scopes 1 to 3 and the revenue of 2024',
  ],
  ['no_emissions', [revenue], {}, 'no emissions disclosed', 'ask for scopes 1 to 3 of 2024'],
  [
    'incomplete',
    [{ ...revenue, emissions: { scope_1: { total: 5 }, scope_2: { total: 6 } } }],
    {},
    'no purchased goods and services for 2024',
    "ask for the missing scope 3 categories 1 to 8 of 2024 (category 1 matters most), or which categories don't apply",
    [category1],
  ],
  [
    'incomplete',
    [{ ...revenue, emissions: { ...emissions, scope_2: {} } }],
    {},
    'no scopes 1 and 2 for 2024',
    'ask for scopes 1 and 2 of 2024',
    [both],
  ],
  [
    'incomplete',
    [{ ...revenue, emissions: { scope_1: { total: 5 } } }],
    {},
    'no scopes 1 and 2 and no purchased goods and services for 2024',
    'ask for scopes 1 to 3 of 2024',
    [both, category1],
  ],
  [
    'not_readable',
    [{ ...revenue, emissions: { ...emissions, scope_1: { total: '12 t' } } }],
    {},
    'figures not readable: emissions.scope_1.total is 12 t',
    'ask the service',
  ],
  [
    'no_revenue',
    [{ ...revenue, revenue: null, emissions }],
    {},
    'no revenue in the record',
    'ask for the revenue of 2024',
  ],
  [
    'too_old',
    [own(2016, [1, 2, 3])],
    {},
    'figures too old: figures are of 2016, more than 5 years before 2024',
    'ask for scopes 1 to 3 and the revenue of 2024',
  ],
  [
    'too_old',
    [service(2017, 0.1, 0.2)],
    {},
    'figures too old: figures are of 2017, more than 5 years before 2024',
    'ask for scopes 1 to 3 and the revenue of 2024',
  ],
  [
    'other_currency',
    [own(2024, [1, 2, 3], { revenue_currency: 'USD' })],
    {},
    'own figures in another currency: the record is in USD',
    'retrieve the record in the currency of the spend',
  ],
  [
    'no_currency',
    [own(2024, [1, 2, 3], { revenue_currency: null })],
    {},
    'own figures without a currency: none in the record',
    'retrieve the record in the currency of the spend',
  ],
];

describe('the reason of an industry average', () => {
  it.each(
    cases.map(([...each]) => [each[0], each[1], each[2], each[3], each[4], each[5] ?? []] as const),
  )('is %s for %j %j', (reason, performances, others, text, step, missing) => {
    const { items, summary } = footprint(buy, [record(1, performances, { ...average, ...others })]);
    const [item] = items;
    const isAverage = { basis: 'industry', emissions: 5, reason, uncovered: null };
    expect(item).toMatchObject({ ...isAverage, industry: 'Retail' });
    expect(item && lackText(item)).toBe(text);
    expect(summary.industry_reasons).toEqual([
      { reason, missing, suppliers: 1, emissions: 5, share: 1, supplier: 'Record 1', id: 1 },
    ]);
    expect(summary.largest[0]).toMatchObject({ reason, industry: 'Retail' });
    expect(summary.on_averages.ask.map((each) => each.next_step)).toEqual([step]);
    const [cause] = tablesOf(summary).flatMap(({ title, rows, label }) =>
      title === 'Why industry averages' ? rows.map(label) : [],
    );
    expect(text.startsWith(String(cause))).toBe(true);
  });

  it('comes with the industry to check, where an average makes up at least 3%', () => {
    const noteOf = (category: string | undefined, ...spend: readonly number[]) =>
      notesOf(
        footprint(
          spend.map((amount, at) => ({ name: `R ${at + 1}`, spend: String(amount), category })),
          spend.map((_, at) => record(at + 1, [], { ...average, name: `R ${at + 1}` })),
        ).summary,
      ).filter((note) => note.startsWith('Check the industr'));
    expect(noteOf('Steel', 98, 2)).toEqual([
      'Check the industry behind the largest average (at least 3% of the emissions), and tell the service if it is wrong: R 1 (Retail)',
    ]);
    expect(noteOf(undefined, 50, 10, 15, 20, 5)).toEqual([
      'Check the industries behind the largest averages (at least 3% of the emissions), and tell the service if one is wrong: R 1, R 4, R 3, R 2 and R 5 (Retail)',
    ]);
    expect(noteOf(undefined, ...Array.from({ length: 34 }, () => 10))).toEqual([]);
    // At most eight are named, the largest first.
    expect(noteOf(undefined, ...Array.from({ length: 9 }, (_, at) => 20 - at))).toEqual([
      expect.stringMatching(/: R 1, R 2, R 3, R 4, R 5, R 6, R 7 and R 8 \(Retail\); and others$/),
    ]);
  });

  it.each([
    [[2023, 2025], 'and the revenue of 2025', 'ask for scopes 1 to 3 and the revenue of 2025'],
    [[2024, undefined], 'and the revenue of 2024', 'ask for scopes 1 to 3 and the revenue of 2024'],
    [[undefined], 'and the revenue of the latest year', undefined],
  ])('asks for figures of the last of the years of spend %j', (years, revenue, old) => {
    const { summary } = footprint(
      [1, 2].flatMap((id) => years.map((year) => ({ name: `Record ${id}`, id, year }))),
      [record(1, [], industry([2024, 0.5])), record(2, [own(2012, [1, 2, 3])])],
    );
    expect(summary.on_averages.ask.map((each) => each.next_step)).toEqual([
      `ask for scopes 1 to 3 ${revenue}`,
    ]);
    expect(summary.uncovered_suppliers[0]?.next_step).toBe(old);
  });

  it('is counted once by what to do about it, the most emissions first', () => {
    const none: object[] = [];
    const sold = [{ ...own(2024, [1, 2, 3]), revenue: null }];
    const made = (...spend: readonly number[]) =>
      footprint(
        spend.map((amount, at) => ({ name: `Record ${at + 1}`, spend: String(amount) })),
        [
          record(1, none, { ...average, matching_organization: null }),
          record(2, none, average),
          record(3, sold, average),
          record(4, none, average),
        ],
      ).summary.on_averages.ask.map(({ reasons, suppliers, emissions }) => {
        return [reasons.join(), suppliers, emissions];
      });
    expect(made(50, 10, 35, 20)).toEqual([
      ['unmatched', 1, 25],
      ['no_revenue', 1, 17.5],
      ['no_performance', 2, 15],
    ]);
    expect(made(30, 40, 20, 10).map(([reason]) => reason)).toEqual([
      'no_performance',
      'unmatched',
      'no_revenue',
    ]);
  });

  it('leads to a request for exactly what is missing, which one text says for several', () => {
    const of = (year: number, scope_3: object, others: object = {}) => [
      { ...own(year, [1, 2, 3]), emissions: { ...emissions, scope_3 }, ...others },
    ];
    const made = (...all: readonly (readonly object[])[]) =>
      footprint(
        all.map((_, at) => ({ name: `Record ${at + 1}`, spend: String(10 - at) })),
        all.map((performances, at) => record(at + 1, performances, average)),
      );
    const stepsOf = ({ summary }: ReturnType<typeof made>) =>
      summary.on_averages.ask.map(({ next_step, suppliers, largest }) => {
        return [next_step, suppliers, ...largest.map((each) => each.missing_categories)];
      });
    const some = { fuel_and_energy_related_activities: 1, business_travel: 0 };
    const one = of(2024, some);
    const all = of(2024, { capital_goods: 1, fuel_and_energy_related_activities: 2 });
    const rest = "(category 1 matters most), or which categories don't apply";
    const [first, second] = [made(one), made(one, all)].map(stepsOf);
    expect(first).toEqual([
      [
        `ask for the missing scope 3 categories 1, 2, 4, 5, 7 and 8 of 2024 ${rest}`,
        1,
        '1 2 4 5 7 8',
      ],
    ]);
    expect(second).toEqual([
      [
        `ask for the missing scope 3 categories 1, 2 and 4 to 8 of 2024 ${rest}`,
        2,
        '1 2 4 5 7 8',
        '1 4 5 6 7 8',
      ],
    ]);
    // Category 1 applies to everyone, and figures of 0 are none.
    const upstream = {
      ...{
        capital_goods: 1,
        fuel_and_energy_related_activities: 1,
        waste_generated_in_operations: 1,
      },
      ...{ upstream_transportation_and_distribution: 1, business_travel: 1 },
      ...{ employee_commute: 1, upstream_leased_assets: 1, purchased_goods_and_services: 0 },
    };
    expect(stepsOf(made(of(2024, upstream)))).toEqual([
      ['ask for scope 3 category 1 of 2024', 1, '1'],
    ]);
    // A factor is of one year, so that revenue and scopes of the year before are of no use.
    expect(stepsOf(made(of(2023, some)))).toEqual([
      ['ask for scopes 1 to 3 and the revenue of 2024', 1, '1 2 3 4 5 6 7 8'],
    ]);
    const parts = [{ ...of(2024, some)[0], revenue: 0 }];
    const bare = [{ ...parts[0], emissions: { scope_1: { total: 5 }, scope_3: some } }];
    expect(stepsOf(made(parts, bare)).map(([step]) => step)).toEqual([
      "ask for the missing scope 3 categories 1, 2, 4, 5, 7 and 8 and the revenue of 2024 (category 1 matters most), or which categories don't apply",
      "ask for scopes 1 and 2, the missing scope 3 categories 1, 2, 4, 5, 7 and 8 and the revenue of 2024 (category 1 matters most), or which categories don't apply",
    ]);
  });

  it('is tested for each reason that there is', () => {
    expect(new Set(cases.map(([reason]) => reason))).toEqual(new Set(Object.keys(lackWords)));
  });

  it.each([
    ["the record's own figures", [own(2024, [1, 2, 3])], 'own'],
    ['the factors of the service', [service(2024, 0.1, 0.2)], 'service'],
  ])('is none for %s', (_, performances, basis) => {
    const method = { upstreamFactor: 'additive' } as const;
    const { items, summary } = footprint(buy, [record(1, performances, average)], method);
    expect(items[0]).toMatchObject({ basis, reason: null, reason_detail: null });
    expect(summary.industry_reasons).toEqual([]);
    expect(summary.largest[0]).toMatchObject({ reason: null, reason_detail: null });
  });

  it('is none for an item without emissions, whose reason is another', () => {
    const { items } = footprint(buy, [record(1, [], { status: 'errored' })]);
    expect(items[0]).toMatchObject({ uncovered: 'errored', reason: null });
  });

  it('asks nobody for figures whose record has no matched organization', () => {
    const purchases = [
      { name: 'Record 1', spend: '50' },
      { name: 'Record 2', spend: '30' },
      { name: 'Record 3' },
    ];
    const unmatched = { matching_organization: null };
    const records = [
      record(1, [], { ...average, ...unmatched }),
      record(2, [], average),
      record(3, [], unmatched),
    ];
    const { summary, entries, items } = footprint(purchases, records);
    const { suppliers, largest, ask } = summary.on_averages;
    expect([suppliers, largest.map(({ id }) => id)]).toEqual([2, [1, 2]]);
    expect(ask.map((each) => [each.reasons, each.largest.map(({ id }) => id)])).toEqual([
      [['unmatched'], [1]],
      [['no_performance'], [2]],
    ]);
    expect(ask[0]?.share).toBeCloseTo(50 / 80, 12);
    const hints = [
      `Match 1 supplier, Record 1 (62.5%, line 2): ${unmatchedStep}`,
      'Ask Record 2 (37.5%) for scopes 1 to 3 and the revenue of 2024 (1 supplier on averages has no figures in the record)',
    ];
    expect(averagesHints(summary).slice(0, 2)).toEqual(hints);
    const less = footprint([{ name: 'Record 1', spend: '10' }, ...purchases.slice(1)], records);
    const first = averagesHints(less.summary)
      .slice(0, 2)
      .map((hint) => hint.slice(0, 12));
    expect(first).toEqual(hints.map((hint) => hint.slice(0, 12)).reverse());
    const steps = engage(entries, parseGoal('67'), { today: '2026-11-28' }).suppliers;
    expect(new Map(steps.map(({ supplier, nextStep }) => [supplier.name, nextStep]))).toEqual(
      new Map([
        ['Record 1', notMatched],
        ['Record 2', 'look up the status at SBTi'],
        ['Record 3', notMatched],
      ]),
    );
    expect(summary.uncovered).toEqual({ unmatched: 1 });
    const page = renderFootprintPage(summary, items);
    // One bar and two rows.
    expect(page.match(/>target unknown until matched</g)).toHaveLength(3);
  });

  it.each([
    ['without a currency', [2024, 0.5, null], 'the record has no currency', true],
    ['in another currency', [2024, 0.5, 'USD'], 'the record is in USD', true],
    ['that is too old', [2015, 0.5, 'EUR'], null, false],
    ['of nothing', [2024, null, 'EUR'], null, false],
  ] as const)(
    'matches a supplier first that has an average %s',
    (_, average_, detail, toRetrieve) => {
      const [year, emission_factor, revenue_currency] = average_;
      const performances = [{ year, emission_factor, revenue_currency }];
      const others = { matching_organization: null, industry: { name: 'Retail', performances } };
      const { items, entries, groups } = footprint(buy, [record(1, [], others)]);
      expect(items).toMatchObject([{ uncovered: 'unmatched', uncovered_detail: detail }]);
      const { suppliers } = engage(entries, parseGoal('67'), { today: '2026-11-28' });
      expect(suppliers.map(({ nextStep }) => nextStep)).toEqual([notMatched]);
      expect(currenciesToSync({ groups })).toEqual(toRetrieve ? ['EUR'] : []);
    },
  );

  it('leads to one next step without a match, whatever the target, and to a plan without it', () => {
    const names = ['Kraus', 'Second', 'Third'];
    const sbti = (target_status: string) => ({
      sbti: { data: [{ near_term: { has_target: false, target_status } }] },
    });
    const made = (spend: readonly string[]) =>
      footprint(
        names.map((name, at) => ({ name, id: at + 1, spend: spend[at] ?? '' })),
        names.map((name, at) =>
          record(at + 1, [], {
            ...average,
            ...sbti(at === 0 ? 'committed' : 'removed'),
            ...(at === 0 ? { matching_organization: null } : {}),
            name,
          }),
        ),
      );
    const planOf = (spend: readonly string[]) => {
      const engagement = engage(made(spend).entries, parseGoal('50'), { today: '2026-11-28' });
      const { summary } = made(spend);
      const result = { engagement, today: '2026-11-28', year: null, since: undefined };
      const texts = [...goalStatements(result).map(({ text }) => text), ...goalNotes(result)];
      const notes = texts.filter((text) => text.includes(unmatchedStep));
      return { engagement, notes, page: withoutOptions(renderGoalPage(summary, result)) };
    };
    const enough = planOf(['50', '30', '20']);
    const [kraus] = enough.engagement.suppliers;
    const byRecord = 'committed by its record (SBTi), counts once matched';
    expect([kraus?.status, kraus?.nextStep]).toEqual(['unknown', `${notMatched}; ${byRecord}`]);
    expect(enough.engagement.ask.map(({ supplier }) => supplier.name)).toEqual(['Second', 'Third']);
    // Of a list that is known, the whole command.
    const { summary } = made(['50', '30', '20']);
    const known = { name: 'buy.csv', command: 'carbon sync buy.csv' };
    const result = {
      engagement: enough.engagement,
      today: '2026-11-28',
      year: null,
      since: undefined,
    };
    expect(
      goalStatements({ ...result, toCorrect: known })
        .map(({ text }) => text)
        .join(),
    ).toMatch(
      /\(Kraus 50\.0%\): fill a new column Website for all their rows in buy\.csv, then run carbon sync buy\.csv\. /,
    );
    expect(withoutOptions(renderGoalPage(summary, { ...result, toCorrect: known }))).toContain(
      'for all their rows in buy.csv, then run carbon sync buy.csv. ',
    );
    const yours = `Match 1 supplier, whose target is unknown until then (Kraus 50.0%): ${unmatchedStep}. If Kraus has or sets a target, nobody else need be asked: 50.0%.`;
    expect(enough.page).toContain(`>Kraus: ${byRecord}.<`);
    expect(enough.notes).toEqual([yours]);
    expect(enough.page).toMatch(
      /<dt>To ask next<\/dt>.*>after matching 1 supplier: Second, Third, then /,
    );
    expect(enough.page).toContain('The fewest matched suppliers that reach 50%');
    // Matching may make the asks needless, and stands before them.
    expect(enough.page).toMatch(/<ol><li>Match 1 supplier.*<li>Ask Second.*id="ask"/s);
    const short = planOf(['60', '25', '15']);
    expect(short.notes).toEqual([
      `Match 1 supplier, whose target is unknown until then (Kraus 60.0%): ${unmatchedStep}. Until then, the goal is out of reach: 40.0% at most.`,
    ]);
    expect(short.engagement.ask).toEqual([]);
    expect(short.page).not.toContain('id="ask"');
    const one = `Match 1 supplier, whose target is unknown until then (Kraus 10.0%): ${unmatchedStep}`;
    expect(planOf(['10', '60', '30']).notes).toEqual([one]);
  });

  it('asks for emissions before a target, in a goal of emissions', () => {
    const { entries } = footprint(buy, [
      record(1, [], { sbti: { data: [{ near_term: { target_status: 'none' } }] } }),
    ]);
    const stepFor = (goal: string) =>
      engage(entries, parseGoal(goal), { today: '2026-11-28' }).suppliers[0]?.nextStep;
    expect(stepFor('67')).toBe(
      'ask for scopes 1 to 3 and the revenue of 2024; ask for a near-term target',
    );
    expect(stepFor('67% of spend')).toBe('ask for a near-term target');
  });

  it('adds up the suppliers and emissions of each reason, the largest first', () => {
    const purchases = [
      { name: 'Record 1' },
      { name: 'Record 2', spend: '30' },
      { name: 'Record 2', spend: '20', category: 'Steel' },
      { name: 'Record 3', spend: '40' },
    ];
    const records = [
      record(1, [], average),
      record(2, [revenue], average),
      record(3, [own(2024, [100, 200, 200])], average),
    ];
    expect(footprint(purchases, records).summary.industry_reasons).toEqual([
      {
        reason: 'no_emissions',
        missing: [],
        suppliers: 1,
        emissions: 25,
        share: 0.5,
        supplier: 'Record 2',
        id: 2,
      },
      {
        reason: 'no_performance',
        missing: [],
        suppliers: 1,
        emissions: 5,
        share: 0.1,
        supplier: 'Record 1',
        id: 1,
      },
    ]);
  });
});
