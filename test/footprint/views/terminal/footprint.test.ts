import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderFootprint } from '../../../../src/footprint/views/terminal/footprint.ts';
import { loadStyle, plainStyle } from '../../../../src/terminal/style.ts';
import { width } from '../../../../src/terminal/text.ts';
import { runs } from '../../../support/seed.ts';
import { hostileRows, hostileSummary, registerRow, rows, summary, synthetic } from '../fixture.ts';

const view = { style: plainStyle, columns: 80, terminal: true };
const unsafe = /[\p{Cc}\p{Cs}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u;
const linesOf = (text: string) => text.trimEnd().split('\n');

/* Returns the lines of one section, without its title. */
function section(text: string, title: string): string {
  const block = text.split('\n\n').find((candidate) => candidate.startsWith(title));
  return block ?? '';
}

describe('renderFootprint', () => {
  it.each([40, 80, 120, 200])('shows all sections on %d columns', (columns) => {
    expect(renderFootprint(summary, rows, { ...view, columns })).toMatchSnapshot();
  });

  it('prints the same facts in a pipe', () => {
    expect(renderFootprint(summary, rows, { ...view, terminal: false })).toMatchSnapshot();
  });

  it('states that figures of the sandbox are synthetic, and that the unit is not documented', () => {
    const text = renderFootprint(synthetic, rows, view);
    expect(text).toContain('service units');
    expect(text).toContain('! Synthetic sandbox data, not real research');
    expect(section(text, 'SBTi')).toMatchInlineSnapshot(`
      "SBTi near-term targets  Evidence from 12 Mar 2024 to 1 Oct 2026
        Target     Suppliers  Emissions  Spend
        ─────────  ─────────  ─────────  ─────  ────────────────────
        set                3      54.8%  53.0%  ███████████
        committed          1       8.8%  13.0%  █▊
        removed            1      26.0%  26.0%  █████▎
        no target          2          –      –
        no data            4          –      –
        Only targets that are set count as coverage."
    `);
  });

  it('warns that the boundary total is no category 1 figure', () => {
    const text = renderFootprint({ ...summary, boundary: 'total' }, rows, view);
    expect(linesOf(text).slice(-7)).toMatchInlineSnapshot(`
      [
        "",
        "! The boundary total contains downstream emissions of the suppliers, so the",
        "  result is not a scope 3 category 1 figure",
        "! 3 of 12 rows with spend have no emissions: the total leaves them out",
        "! 3 rows use a factor more than two years away from the year of the spend",
        "! 1 record has an emission factor that differs from emissions divided by revenue",
        "  by more than 5%; a wrong currency may be the cause",
      ]
    `);
  });

  it('states that there is no total when no row has a factor', () => {
    const text = renderFootprint(
      {
        ...summary,
        emissions: null,
        covered_rows: 0,
        supplier_data_share: null,
        factor_share: null,
        industry_share: null,
        categories: [],
        largest: [],
        suppliers_for_80_percent: null,
        what_if: null,
      },
      [],
      view,
    );
    expect(text).toContain('No row has a factor, so there is no total.');
    expect(text).not.toMatch(/NaN|undefined|null/);
  });

  it('lists twenty uncovered rows, the largest of their currency first, and counts the others', () => {
    const many = Array.from({ length: 30 }, (_, index) =>
      registerRow({
        lines: [index + 2],
        supplier: `Supplier ${index}`,
        spend: index,
        uncovered: 'no_record',
      }),
    );
    const text = section(renderFootprint(summary, many, view), 'Uncovered rows');
    expect(text).toContain('Supplier 29 ');
    expect(text).not.toContain('Supplier 9 ');
    expect(text).toContain('and 10 more rows; --csv lists all rows');
  });

  it('neutralizes control and direction characters of names and keeps within the columns', () => {
    for (const columns of [40, 80, 200]) {
      const text = renderFootprint(hostileSummary, hostileRows, { ...view, columns });
      expect(linesOf(text).filter((line) => unsafe.test(line) || width(line) > columns)).toEqual(
        [],
      );
    }
    const lines = linesOf(
      renderFootprint(hostileSummary, hostileRows, { ...view, terminal: false }),
    );
    expect(lines.filter((line) => unsafe.test(line) || !/^\S.*: ./u.test(line))).toEqual([]);
  });

  it('keeps any names and amounts within the columns, in color and without', {
    tags: ['property'],
  }, async () => {
    const colored = await loadStyle(3);
    const text = fc.string({ unit: 'grapheme', maxLength: 60 });
    const amount = fc.double({ min: -1e12, max: 1e15, noNaN: true });
    await fc.assert(
      fc.property(
        fc.array(fc.tuple(text, amount, text), { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 0, max: 260 }),
        (suppliers, columns) => {
          const given = {
            ...summary,
            emissions: suppliers[0]?.[1] ?? 0,
            categories: suppliers.map(([category, emissions]) => ({
              category,
              emissions,
              share: 0.1,
              spend: { EUR: { total: emissions, covered: emissions } },
              rows: 1,
              covered_rows: 1,
            })),
            largest: summary.largest.map((figures, index) => {
              const [supplier, emissions] = suppliers[index % suppliers.length] ?? ['', 0];
              return { ...figures, supplier, emissions, spend: { EUR: emissions } };
            }),
          };
          const uncovered = suppliers.map(([supplier, spend, uncovered_detail]) =>
            registerRow({ supplier, spend, uncovered: 'no_record', uncovered_detail }),
          );
          const plain = renderFootprint(given, uncovered, { ...view, columns });
          const most = Math.max(40, Math.min(columns, 200));
          expect(linesOf(plain).filter((line) => unsafe.test(line) || width(line) > most)).toEqual(
            [],
          );
          const painted = renderFootprint(given, uncovered, { ...view, columns, style: colored });
          expect(painted.replace(/\u001b\[\d+m/g, '')).toBe(plain);
        },
      ),
      { numRuns: runs(40) },
    );
  });
});
