import { describe, expect, it } from 'vitest';
import { renderFootprint } from '../../../src/footprint/views/tables.ts';
import { lineItemColumns } from '../../../src/footprint/views/workbook.ts';
import { loadStyle } from '../../../src/terminal/style.ts';
import { width } from '../../../src/terminal/text.ts';
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
