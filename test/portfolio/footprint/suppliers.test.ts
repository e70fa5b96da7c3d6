import { describe, expect, it } from 'vitest';
import { footprint, own, type Purchase, record } from './portfolio.ts';

const figures = (scope1: number) => [own(2024, [scope1, 50, 200])];
const named = (id: number, name: string, others: object = {}) =>
  record(id, figures(100 * id), { name, ...others });
const missing = (detail: string) => ({
  id: null,
  uncovered: 'no_record',
  uncovered_detail: detail,
});

describe('suppliers', () => {
  it.each<[what: string, purchases: Purchase[], records: object[], items: object[]]>([
    [
      'with different ISINs are never joined, however alike their names are',
      [
        { name: 'Company E', identifiers: ['DE0001'] },
        { name: 'Company Y', identifiers: ['DE0002'] },
      ],
      [
        named(1, 'Company E', { external_id: 'DE0001' }),
        named(2, 'Company Y', { external_id: 'DE0002' }),
      ],
      [
        { id: 1, factor: 0.35 },
        { id: 2, factor: 0.45 },
      ],
    ],
    [
      'are not found by a name that is only alike',
      [{ name: 'On SE' }],
      [named(1, 'E.ON SE')],
      [missing('none has its name and country')],
    ],
    [
      'are found by an external ID in any case, and by name only in their country',
      [
        { name: 'Acme', externalId: 'V-1' },
        { name: 'Globex', region: 'FR' },
      ],
      [named(1, 'Acme Inc', { external_id: 'v-1' }), named(2, 'Globex', { hq_region: 'DE' })],
      [{ id: 1, matched_by: 'external_id' }, missing('none has its name and country')],
    ],
    [
      'are one if their records are of one organization',
      [
        { name: 'Acme' },
        { name: 'ACME', externalId: 'V1' },
        { name: 'Acme GmbH', externalId: 'V1' },
      ],
      [named(1, 'Acme', { external_id: 'V1' })],
      [
        { lines: [2, 3], id: 1, matched_by: 'name' },
        { lines: [4], id: 1, matched_by: 'external_id' },
      ],
    ],
    [
      'with an identifier are not found by name',
      [{ name: 'Acme', externalId: 'V-1' }],
      [named(1, 'ACME')],
      [missing('none has its identifiers')],
    ],
    [
      'are found by name in any case, spelled as in capitals',
      ['Straße AG', 'STRASSE AG', 'Mu\u0308ller\u00a0 KG', 'MÜLLER KG'].map((name) => ({ name })),
      [named(1, 'Straße AG'), named(2, 'Mu\u0308ller\u00a0 KG')],
      [
        { id: 1, lines: [2, 3] },
        { id: 2, lines: [4, 5] },
      ],
    ],
    [
      'without an ID stay apart from those with one',
      [{ name: 'Müller & Söhne GmbH', id: 1 }, { name: 'MULLER und SOHNE G.m.b.H.' }],
      [named(1, 'Müller & Söhne GmbH'), named(2, 'Müller & Söhne GmbH')],
      [{ id: 1, uncovered: null }, missing('none has its name and country')],
    ],
  ])('%s', (_, purchases, records, expected) => {
    const { items } = footprint(purchases, records);
    expect(items).toHaveLength(expected.length);
    expect(items).toMatchObject(expected);
  });

  it('with two share classes are found by the identifier or ID of each', () => {
    const name = 'Alphabet Inc';
    const isins = ['US02079K3059', 'US02079K1079'];
    const classes = isins.map((isin, at) => named(at + 1, name, { external_id: isin }));
    const byIsin = ['US02079K3059', 'US 02079K-1079'].map((isin) => ({ identifiers: [isin] }));
    for (const found of [byIsin, [{ id: 1 }, { id: 2 }]]) {
      const { items, equalNames } = footprint(
        found.map((each) => ({ name, ...each })),
        classes,
      );
      expect(items).toMatchObject([
        { id: 1, emissions: 3.5 },
        { id: 2, emissions: 4.5 },
      ]);
      expect(equalNames).toEqual([{ name, lines: [2, 3] }]);
    }
  });

  it('have a line item for each category, with all its lines', () => {
    const purchases = Array.from({ length: 30 }, (_, index) => ({
      id: 1,
      spend: '1',
      category: index < 25 ? 'A' : 'B',
    }));
    const { items } = footprint(purchases, [named(1, 'Acme')]);
    expect(items.map(({ lines }) => lines.length)).toEqual([25, 5]);
  });
});
