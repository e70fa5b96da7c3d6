/* What a footprint says of the figures that it was calculated from. */
import { describe, expect, it } from 'vitest';
import { figuresText } from '../../../../src/portfolio/footprint/views/method.ts';
import { boundaryText } from '../../../../src/portfolio/footprint/views/words.ts';
import { footprint, industry, own, record } from '../portfolio.ts';

describe('the years of figures', () => {
  it('count the suppliers of each year once, and name one', () => {
    const suppliers = [2023, 2024, 2024].map((year, at) => ({ year, id: at + 1 }));
    const buy = (id: number, category: string) => {
      return { id, name: `Supplier ${id}`, spend: '10', year: 2024, category };
    };
    const rows = [...suppliers, { id: 4 }].flatMap(({ id }) => [buy(id, 'A'), buy(id, 'B')]);
    const { summary } = footprint(
      rows,
      [
        ...suppliers.map(({ year, id }) => {
          return record(id, [own(year, [60, 30, 10])], { name: `Supplier ${id}` });
        }),
        record(4, [], { name: 'Supplier 4', ...industry([2022, 0.1]) }),
      ],
      { upstreamFactor: 'additive' },
    );
    expect(summary.factor_years).toEqual([
      {
        ...{ basis: 'own', from: 2023, to: 2024 },
        years: [
          { year: 2023, suppliers: 1, supplier: 'Supplier 1', id: 1 },
          { year: 2024, suppliers: 2, supplier: 'Supplier 2', id: 2 },
        ],
      },
      {
        ...{ basis: 'industry', from: 2022, to: 2022 },
        years: [{ year: 2022, suppliers: 1, supplier: 'Supplier 4', id: 4 }],
      },
    ]);
  });

  it('are those of the spend, then the others with their suppliers, the latest first', () => {
    const ofYears = (...years: readonly (readonly [year: number, suppliers: number])[]) => {
      const all = years.map(([year, suppliers]) => {
        return { year, suppliers, supplier: `Supplier of ${year}`, id: null };
      });
      const [from = 0, to = 0] = [years[0]?.[0], years.at(-1)?.[0]];
      const { summary } = footprint([{ id: 1, spend: '1', year: 2024 }], []);
      const factor_years = [{ basis: 'own' as const, from, to, years: all }];
      return figuresText({ ...summary, factor_years });
    };
    expect(ofYears([2022, 4], [2023, 1], [2024, 9])).toBe(
      'own figures of 2024, one of 2023 (Supplier of 2023), 4 of 2022',
    );
    expect(ofYears([2019, 1], [2020, 2], [2021, 3], [2022, 4], [2023, 5], [2024, 9])).toBe(
      'own figures of 2024, 5 of 2023, 4 of 2022, 3 of 2021, 3 of 2019 to 2020',
    );
    expect(ofYears([2024, 9])).toBe('own figures of 2024');
  });

  it('stand next to the boundary, which averages do not have', () => {
    const { summary } = footprint([{ id: 1, spend: '1', year: 2024 }], []);
    const of = (own: number, service: number, average: number) => {
      const bases = { own, service, industry: average };
      return boundaryText({ ...summary, emissions_by_basis: bases });
    };
    expect(of(1, 0, 0)).toBe('cradle-to-gate');
    expect(of(1, 0, 1)).toBe('own figures: cradle-to-gate; industry averages: boundary unknown');
    expect(of(0, 1, 1)).toBe(
      "the service's factors: cradle-to-gate; industry averages: boundary unknown",
    );
    expect(of(1, 1, 1)).toBe(
      "own figures and the service's factors: cradle-to-gate; industry averages: boundary unknown",
    );
    expect(of(0, 0, 1)).toBe('industry averages: boundary unknown');
  });
});
