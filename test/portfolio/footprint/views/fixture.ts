/*
 * A footprint of several suppliers and currencies, with every basis, uncovered and excluded items.
 */
import { footprint, industry, own, record, service } from '../portfolio.ts';

const target = (status: string) => ({
  sbti: {
    data: [
      {
        created_at: '2024-03-12',
        retrieved_at: '2026-10-01',
        near_term: { target_status: status },
      },
    ],
  },
});

const figures = [
  record(
    1,
    [
      own(2023, [200, 100, 500], {
        total_upstream_emission_factor: 0.5,
        scope_1_and_2_emission_factor: 0.3,
      }),
    ],
    { ...target('Targets Set'), ...industry([2023, 0.5]) },
  ),
  record(2, [service(2024, 0.214, 0.388)], target('committed')),
  record(3, [own(2009, [10, 10, 10])], industry([2024, 0.4])),
  record(4, [], { status: 'processing' }),
  record(5, [service(2024, 1, 2, { revenue_currency: 'USD' })], target('validated')),
  record(6, [own(2024, [1, 2, 3])]),
];

const purchases = [
  { name: 'Nordwind Stahl GmbH', id: 1, spend: '4820000.5', category: 'Raw materials' },
  { name: 'Papierfabrik Möhrle & Söhne KG', id: 2, spend: '1204300', category: 'Packaging' },
  {
    name: 'Compagnie Générale de Transports et de Logistique Maritime',
    id: 3,
    spend: '980000',
    category: 'Transport',
  },
  { name: '株式会社東京精密部品製作所', id: 4, spend: '620000', category: 'Raw materials' },
  { name: 'Lone Star Chemicals LLC', id: 5, spend: '845000', currency: 'USD' },
  { name: 'Rückläufer GmbH', id: 6, spend: '-1200', category: 'Packaging' },
  { name: 'Leer KG', spend: '0', category: 'Packaging' },
  { name: 'Zahnrad Huber', spend: '66000', category: 'Raw materials' },
];

const records = figures.map((each) => ({
  ...each,
  name: purchases.find(({ id }) => id === each.id)?.name,
}));

/** The usual footprint. */
export const usual = footprint(purchases, records, { unit: 'kg' });

/** The same with synthetic figures, without a unit, within another boundary and in two years. */
export const unusual = footprint(
  [...purchases, { name: 'Nordwind Stahl GmbH', id: 1, spend: '10', year: 2023 }],
  records.map((each) => ({ ...each, sandbox: 'synthetic' })),
  { boundary: 'total' },
);

const hostileText = "</td><script>alert(1)</script>\u001b[31m\u202e=cmd|' /C calc'!A0";

/** A footprint whose texts try to leave their place on a page, terminal or spreadsheet. */
export const hostile = footprint(
  [
    { name: hostileText, id: 1, spend: '10', category: '=HYPERLINK("http://evil.example")' },
    { name: '@SUM(A1:A9)', id: 2, spend: '10', category: hostileText },
  ],
  [
    {
      ...record(1, [service(2024, 1, 2, { region: hostileText })], target(hostileText)),
      name: hostileText,
    },
    { ...record(2, [], { status: hostileText }), name: '@SUM(A1:A9)' },
  ],
  { upstreamFactor: 'additive' },
  [hostileText],
);

/** Many suppliers of equal factors. */
export function manySuppliers(count: number) {
  return footprint(
    Array.from({ length: count }, (_, index) => ({
      name: `Zulieferer Süd ${index}`,
      id: index + 1,
      spend: String(index),
    })),
    Array.from({ length: count }, (_, index) =>
      record(index + 1, [service(2024, 0.5, 0.5)], { name: `Zulieferer Süd ${index}` }),
    ),
    { upstreamFactor: 'additive' },
  );
}
