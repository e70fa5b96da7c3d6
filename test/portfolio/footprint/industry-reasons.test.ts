/* Why a line item has an industry average: one test for each branch of the choice. */
import { describe, expect, it } from 'vitest';
import { lackWords } from '../../../src/portfolio/footprint/line-item.ts';
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
