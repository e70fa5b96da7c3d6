import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import {
  lineItemColumns,
  renderItem,
  renderItemHeader,
} from '../../../src/footprint/views/line-item-columns.ts';
import { usual } from './fixture.ts';

/* Returns the paths of all values of an item, as the columns name them. */
function paths(value: object, prefix = ''): string[] {
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? paths(inner, `${prefix}${key}_`)
      : [prefix + key],
  );
}

describe('lineItemColumns', () => {
  it('contain every member of a line item', () => {
    const names = lineItemColumns.map(({ name }) => name);
    expect(names.toSorted()).toEqual(paths(usual.items[0] ?? {}).toSorted());
  });

  it('describe each column in one line', () => {
    for (const { description } of lineItemColumns)
      expect(description).toMatch(/^[A-Z`][^|\n]+[^.]$/);
  });
});

describe('renderItem', () => {
  it('writes every figure with all digits', () => {
    const text = renderItemHeader() + usual.items.map((item) => renderItem(item)).join('');
    const rows = parse(text, { columns: true }) as Record<string, string>[];
    for (const [index, item] of usual.items.entries()) {
      expect(rows[index]?.['emissions']).toBe(String(item.emissions ?? ''));
      expect(rows[index]?.['factor']).toBe(String(item.factor ?? ''));
    }
  });
});
