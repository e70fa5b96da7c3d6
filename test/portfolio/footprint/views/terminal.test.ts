import { describe, expect, it } from 'vitest';
import { loadStyle } from '../../../../src/display/terminal/style.ts';
import { width } from '../../../../src/display/terminal/text.ts';
import { renderFootprint } from '../../../../src/portfolio/footprint/views/tables.ts';
import { lineItemColumns } from '../../../../src/portfolio/footprint/views/workbook.ts';
import { footprint, own, record } from '../portfolio.ts';
import { hostile, manySuppliers, unusual, usual } from './fixture.ts';

/* The paths of all values of an item, as the columns name them. */
function paths(value: object, prefix = ''): string[] {
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? paths(inner, `${prefix}${key}_`)
      : [prefix + key],
  );
}

it('lineItemColumns contain and describe every member of a line item', () => {
  const names = lineItemColumns.map(({ name }) => name);
  expect(names.toSorted()).toEqual(paths(usual.items[0] ?? {}).toSorted());
  for (const { description } of lineItemColumns) expect(description).toMatch(/^[A-Z`][^|\n]+[^.]$/);
});

const style = await loadStyle(0);
const pipe = { terminal: false, columns: 0, style };

describe('renderFootprint', () => {
  it('shows tables on a terminal', async () => {
    const view = { terminal: true, columns: 100, style };
    const text = await renderFootprint(usual.summary, usual.items, view);
    const [tables = ''] = text.split('\nMethod\n');
    expect(`\n${tables}`).toMatchSnapshot();
  });

  it('shows keys in ASCII and plain numbers in a pipe', async () => {
    const text = await renderFootprint(usual.summary, usual.items, pipe);
    expect(`\n${text}`).toMatchSnapshot();
  });

  it.each([
    [['EUR', 'USD'], 80],
    [['EUR', 'USD', 'JPY'], 80],
    [['EUR', 'USD', 'JPY'], 60],
    [['EUR', 'USD', 'JPY', 'GBP', 'CHF'], 80],
    [['EUR', 'USD', 'JPY', 'GBP', 'CHF'], 40],
  ])('shows all spend in %j within %i columns, and says what has no room', async (all, columns) => {
    const suppliers = [1, 2, 3, 4, 5];
    const { summary, items } = footprint(
      suppliers.map((id) => ({
        name: `Northern Industrial Supplies ${id}`,
        id,
        spend: `${id * 123_457}`,
        currency: all[id % all.length] as string,
        category: 'Steel',
      })),
      suppliers.map((id) => {
        const currency = { revenue_currency: all[id % all.length] };
        const sbti = { data: [{ near_term: { target_status: 'committed' } }] };
        const name = `Northern Industrial Supplies ${id}`;
        return { ...record(id, [own(2024, [100, 100, 300], currency)], { sbti }), name };
      }),
      { unit: 'kg' },
    );
    const text = await renderFootprint(summary, items, { terminal: true, columns, style });
    const [, categories = '', largest = ''] = text.split(/^(?=Categories|Largest suppliers)/m);
    const amounts = suppliers.map((id) => (id * 123_457).toLocaleString('en'));
    for (const amount of amounts) expect(largest).toContain(amount);
    for (const currency of all) expect(categories).toContain(`Spend ${currency}`);
    expect(categories).toMatch(/Items/);
    for (const title of ['Emissions', 'Share', 'Basis', 'SBTi', 'ID'])
      expect(largest).toContain(title);
  });

  it.each([0, 40, 60, 80, 120])('writes safe lines of at most %d columns', async (columns) => {
    const view = { terminal: columns > 0, columns, style };
    for (const { summary, items } of [usual, unusual, hostile, manySuppliers(40)]) {
      const text = await renderFootprint(summary, items, view);
      expect(text).not.toMatch(/[\u001b\u202e]/u);
      const wide = text.split('\n').filter((line) => width(line) > (columns || Infinity));
      expect(wide).toEqual([]);
    }
  });
});
