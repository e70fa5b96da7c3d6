/* Why a line item has an industry average: one test for each branch of the choice. */
import { describe, expect, it } from 'vitest';
import { engage, parseGoal } from '../../../src/portfolio/footprint/goal.ts';
import { lackWords } from '../../../src/portfolio/footprint/line-item.ts';
import { hintsOf } from '../../../src/portfolio/footprint/views/tables.ts';
import { lackText } from '../../../src/portfolio/footprint/views/words.ts';
import { footprint, industry, own, record, service } from './portfolio.ts';

const average = industry([2024, 0.5]);
const buy = [{ name: 'Record 1' }];
const { emissions, ...revenue } = own(2024, [1, 2, 3]);

type Case = readonly [
  reason: keyof typeof lackWords,
  performances: readonly object[],
  others: object,
  text: string,
];

const cases: readonly Case[] = [
  ['in_progress', [], { status: 'processing' }, 'research in progress: status processing'],
  ['errored', [], { status: 'errored' }, 'research failed'],
  ['unmatched', [], { matching_organization: null }, 'no matched organization'],
  ['unmatched', [revenue], { matching_organization: null }, 'no matched organization'],
  ['no_performance', [], {}, 'no figures in the record'],
  ['no_emissions', [revenue], {}, 'no emissions disclosed'],
  [
    'incomplete',
    [{ ...revenue, emissions: { scope_1: { total: 5 }, scope_2: { total: 6 } } }],
    {},
    'no purchased goods and services for 2024',
  ],
  [
    'incomplete',
    [{ ...revenue, emissions: { scope_1: { total: 5 } } }],
    {},
    'no scopes 1 and 2 and no purchased goods and services for 2024',
  ],
  [
    'not_readable',
    [{ ...revenue, emissions: { ...emissions, scope_1: { total: '12 t' } } }],
    {},
    'figures not readable: emissions.scope_1.total is 12 t',
  ],
  ['no_revenue', [{ ...revenue, revenue: null, emissions }], {}, 'no revenue in the record'],
  [
    'too_old',
    [own(2016, [1, 2, 3])],
    {},
    'figures too old: figures of 2016 are more than 5 years older than 2024',
  ],
  [
    'too_old',
    [service(2017, 0.1, 0.2)],
    {},
    'figures too old: figures of 2017 are more than 5 years older than 2024',
  ],
  [
    'other_currency',
    [own(2024, [1, 2, 3], { revenue_currency: 'USD' })],
    {},
    'own figures in another currency: the record is in USD',
  ],
  [
    'no_currency',
    [own(2024, [1, 2, 3], { revenue_currency: null })],
    {},
    'own figures without a currency: none in the record',
  ],
];

describe('the reason of an industry average', () => {
  it.each(cases)('is %s for %j %j', (reason, performances, others, text) => {
    const { items, summary } = footprint(buy, [record(1, performances, { ...average, ...others })]);
    const [item] = items;
    expect(item).toMatchObject({ basis: 'industry', emissions: 5, reason, uncovered: null });
    expect(item && lackText(item)).toBe(text);
    expect(summary.industry_reasons).toEqual([
      { reason, suppliers: 1, emissions: 5, share: 1, supplier: 'Record 1', id: 1 },
    ]);
    expect(summary.largest[0]).toMatchObject({ reason });
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
    const { summary, entries } = footprint(purchases, [
      record(1, [], { ...average, ...unmatched }),
      record(2, [], average),
      record(3, [], unmatched),
    ]);
    const { suppliers, largest, unmatched: apart } = summary.on_averages;
    expect([suppliers, largest.map(({ id }) => id)]).toEqual([2, [2]]);
    expect([apart.suppliers, apart.largest.map(({ id }) => id)]).toEqual([1, [1]]);
    expect(hintsOf(summary).slice(0, 2)).toEqual([
      'Ask first for figures of their own, instead of industry averages: Record 2 (37.5%)',
      'Not matched, so correct the list: Record 1 (62.5%)',
    ]);
    const steps = engage(entries, parseGoal('67'), { today: '2026-11-28' }).suppliers;
    expect(new Map(steps.map(({ supplier, nextStep }) => [supplier.name, nextStep]))).toEqual(
      new Map([
        ['Record 1', 'correct the list: no matched organization'],
        ['Record 2', 'look up the status at SBTi'],
        ['Record 3', 'correct the list: no matched organization'],
      ]),
    );
    expect(summary.uncovered).toEqual({ unmatched: 1 });
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
        suppliers: 1,
        emissions: 25,
        share: 0.5,
        supplier: 'Record 2',
        id: 2,
      },
      {
        reason: 'no_performance',
        suppliers: 1,
        emissions: 5,
        share: 0.1,
        supplier: 'Record 1',
        id: 1,
      },
    ]);
  });
});
