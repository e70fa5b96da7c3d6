import { describe, expect, it } from 'vitest';
import { chooseFactors } from '../../../src/footprint/calculation/choose-factor.ts';
import { Footprint } from '../../../src/footprint/calculation/footprint.ts';
import { uncoveredReasons } from '../../../src/footprint/register-row.ts';
import { readText } from '../../support/documents.ts';
import { factorOf, footprintOptions, groupOf, supplierOf } from '../groups.ts';

const page = readText('docs/footprint-method.md');

/* The rows of the worked example, as cells. */
const rows = [...page.matchAll(/^\| (?:Alpha|Beta|Gamma) \|.*$/gm)].map(([line]) =>
  line
    .split('|')
    .map((cell) => cell.trim())
    .slice(1, -1),
);

const need = {
  currency: 'EUR',
  year: 2023,
  boundary: 'cradle-to-gate',
  fallback: 'none',
} as const;

const groups = rows.map(([, status = '', revenue, scope1, scope2, upstream, spend = ''], id) => {
  const record = {
    performances: [
      {
        year: 2023,
        revenue_currency: 'EUR',
        revenue: Number(revenue),
        emissions: {
          scope_1: { total: Number(scope1) },
          scope_2: { total_market_based: Number(scope2) },
          scope_3: { purchased_goods_and_services: Number(upstream) },
        },
      },
    ],
  };
  const factors = chooseFactors(record, need);
  return groupOf(supplierOf(id, status), spend, factorOf(0), { factors });
});

describe('the worked example of the method page', () => {
  const footprint = new Footprint(groups, { ...footprintOptions, whatIf: 1 });

  it('has the factors, emissions and shares that carbon calculates', () => {
    expect(rows).toHaveLength(3);
    const printed = rows.map((cells) => cells.slice(7).map(Number));
    const calculated = [...footprint.rows()].map(({ factor, emissions, share }) => [
      factor,
      emissions,
      share,
    ]);
    expect(printed).toEqual(calculated);
  });

  it('has the totals and the coverage that carbon calculates', () => {
    expect(footprint.summary()).toMatchObject({
      emissions: 800_000,
      sbti_coverage: { by_emissions: 0.625, by_spend: 0.4 },
      what_if: { suppliers: 1, by_emissions: 0.9375, by_spend: 0.9 },
    });
    for (const figure of ['= 800,000', '= 62.5 %', '= 40 %', '= 93.75 %', '90 % by spend']) {
      expect(page).toContain(figure);
    }
  });
});

describe('the method page', () => {
  it('explains every reason of an uncovered row', () => {
    const explained = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, reason]) => reason);
    expect(explained).toEqual(expect.arrayContaining([...uncoveredReasons]));
  });
});
