import { describe, expect, it } from 'vitest';
import { footprint, own, record } from './portfolio.ts';

const figures = (scope1: number) => [own(2024, [scope1, 50, 200])];
const records = [record(1, figures(100)), record(2, figures(200))];

describe('suppliers', () => {
  it('with different ISINs are never joined, however alike their names are', () => {
    const { items } = footprint(
      [
        { name: 'Company E', identifiers: ['DE0001'], spend: '10' },
        { name: 'Company Y', identifiers: ['DE0002'], spend: '10' },
      ],
      [
        record(1, figures(100), { name: 'Company E', external_id: 'DE0001' }),
        record(2, figures(200), { name: 'Company Y', external_id: 'DE0002' }),
      ],
    );
    expect(items.map(({ id, factor }) => [id, factor])).toEqual([
      [1, 0.35],
      [2, 0.45],
    ]);
  });

  it('are not found by a name that is only alike', () => {
    const { items } = footprint(
      [{ name: 'On SE', spend: '10' }],
      [record(1, figures(100), { name: 'E.ON SE' })],
    );
    expect(items).toMatchObject([{ id: null, uncovered: 'no_record' }]);
  });

  it('with two share classes are found by the identifier or ID of each', () => {
    const name = 'Alphabet Inc';
    const classes = [
      record(1, figures(100), { name, external_id: 'US02079K3059' }),
      record(2, figures(100), { name, external_id: 'US02079K1079' }),
    ];
    const byIsin = ['US02079K3059', 'US 02079K-1079'].map((isin) => ({
      name,
      identifiers: [isin],
      spend: '10',
    }));
    const byId = [1, 2].map((id) => ({ name, id, spend: '10' }));
    for (const purchases of [byIsin, byId]) {
      const { items, equalNames } = footprint(purchases, classes);
      expect(items.map(({ id, emissions }) => [id, emissions])).toEqual([
        [1, 3.5],
        [2, 3.5],
      ]);
      expect(equalNames).toEqual([{ name, lines: [2, 3] }]);
    }
  });

  it('with an identifier are not found by name', () => {
    const { items } = footprint(
      [{ name: 'Acme', externalId: 'V-1', spend: '10' }],
      [record(1, figures(100), { name: 'ACME' })],
    );
    expect(items).toMatchObject([
      {
        id: null,
        uncovered: 'no_record',
        uncovered_detail: 'none has its identifiers',
      },
    ]);
  });

  it('are found by name in any case, spelled as in capitals', () => {
    const names = ['Straße AG', 'STRASSE AG', 'Mu\u0308ller\u00a0 KG', 'MÜLLER KG'];
    const found = [1, 2].map((id) => record(id, figures(100), { name: names[id * 2 - 2] }));
    const { items } = footprint(
      names.map((name) => ({ name, spend: '10' })),
      found,
    );
    expect(items.map(({ id, uncovered }) => [id, uncovered])).toEqual([
      [1, null],
      [2, null],
    ]);
  });

  it('without an ID stay apart from those with one', () => {
    const { items } = footprint(
      [
        { name: 'Müller & Söhne GmbH', id: 1, spend: '10' },
        { name: 'MULLER und SOHNE G.m.b.H.', spend: '5' },
      ],
      records.map((each) => ({ ...each, name: 'Müller & Söhne GmbH' })),
    );
    expect(items.map(({ id, uncovered }) => [id, uncovered])).toEqual([
      [1, null],
      [null, 'no_record'],
    ]);
  });

  it('list all lines, and how each line item was matched', () => {
    const { items } = footprint(
      Array.from({ length: 30 }, (_, index) => ({
        id: 1,
        spend: '1',
        category: index < 25 ? 'A' : 'B',
      })),
      records,
    );
    expect(items.map(({ lines }) => lines.length)).toEqual([25, 5]);
  });
});
